/* Theorem 1 and Lemma 1 of Gulavani, Rajamani 2006 on random models: on one branch of repairs the counterexample of a
 * run comes strictly after that of the run before, and after a bounded number of repairs it is longer. With polyhedra,
 * octagons, boxes, and graphs of heaps. */
#include "engine/widen/graph/bad_states.h"
#include "engine/widen/heap/heap_runs.h"
#include "engine/widen/numeric.h"
#include "engine/widen/refine.h"
#include "input/input.h"
#include "random/random_model.h"
#include "unit/test.h"
#include "unit/work_budget.h"

enum { MOST_RUNS = 12, WORK = 20000, WORK_OF_LISTS = 1000000 };

typedef struct progress {
  const domain *d;
  schedule how;
  bool may_connect; /* as SARefinement does; else as MARefinement */
  hint_vector hints;
  run *before; /* the last run, which had an error */
  size_t repairs_of_this_length;
  size_t compared, longer; /* pairs of runs */
} progress;

static size_t last_step(const run *r, size_t component) { return r->components[component].steps.count - 1; }

/* How many (step, head) there are up to the error, in all components up to its. */
static size_t places_until_error(const run *r) {
  size_t n = 0;
  for (size_t c = 0; c <= r->error_component; c++) {
    size_t steps = c < r->error_component ? last_step(r, c) : r->error_step;
    n += steps * r->domain->cuts->components.at[c].heads.count;
  }
  return n;
}

/* All that `later` reached at the steps of `earlier`'s components is within what that reached; at its error, and before
 * it, something is less. */
static void expect_within(const run *earlier, const run *later, bool *is_less) {
  const domain *d = earlier->domain;
  *is_less = false;
  for (size_t c = 0; c <= earlier->error_component; c++) {
    size_t steps = last_step(later, c) > last_step(earlier, c) ? last_step(later, c) : last_step(earlier, c);
    for (size_t step = 0; step <= steps; step++) {
      for (size_t k = 0; k < d->cuts->components.at[c].heads.count; k++) {
        uint32_t head = d->cuts->components.at[c].heads.at[k];
        const element *old = run_reached(earlier, head, step < last_step(earlier, c) ? step : last_step(earlier, c));
        const element *new = run_reached(later, head, step < last_step(later, c) ? step : last_step(later, c));
        bool is_within = d->within(new, old);
        *is_less |= !d->within(old, new);
        if (d->failure(d->context)) return; /* the budget is spent: answers mean nothing */
        CHECK(is_within, "step %zu of head %u", step, head);
      }
    }
  }
}

/* Theorem 1. */
static void expect_after(progress *p, const run *later) {
  const run *earlier = p->before;
  bool is_less;
  expect_within(earlier, later, &is_less);
  if (p->d->failure(p->d->context)) return;
  CHECK(is_less);
  CHECK(later->error_component >= earlier->error_component);
  if (later->error_component == earlier->error_component) CHECK(later->error_step >= earlier->error_step);
  p->compared++;
  if (later->error_component == earlier->error_component && later->error_step == earlier->error_step) {
    /* Lemma 1: a step at a head is repaired once, or twice if [+] comes before the union. */
    p->repairs_of_this_length++;
    CHECK(p->repairs_of_this_length <= places_until_error(later) * (p->may_connect ? 2 : 1));
  } else {
    p->longer++;
    p->repairs_of_this_length = 0;
  }
}

/* One run, and the repair that it asks for. False at the end. */
static bool go_on(progress *p, budget *b) {
  const char *failure = NULL;
  run *r = fixpoint(p->d, &p->hints, p->before, p->how, b, &failure);
  bool goes_on = !failure && r->has_error;
  if (goes_on && p->before) expect_after(p, r);
  if (goes_on) {
    refinement f = refine(r, p->how);
    goes_on = f.kind == REFINE_HINT && !p->d->failure(p->d->context);
    operator op = p->may_connect && f.connect_helps ? OPERATOR_CONNECT : OPERATOR_UNION;
    for (size_t i = 0; i < f.heads.count; i++) VECTOR_PUSH(p->hints, (hint){f.heads.at[i], f.step, op});
    refinement_free(p->d, &f);
  }
  run_free(p->before);
  p->before = r;
  return goes_on;
}

static void expect_progress(const model *m, size_t property, progress *p, numeric_style style) {
  budget b = work_budget(m->has_heap ? WORK_OF_LISTS : WORK);
  polyhedra *space = polyhedra_new(&b);
  polyhedra_allow(space, POLYHEDRA_WORK_SECOND);
  const char *why = NULL;
  term bad = TERM_FALSE;
  why = bad_states_of(m, &m->properties.at[property], &bad);
  graph *g = why ? NULL : graph_new(m, &bad, CONTROL_PLACES, space, &b, &why);
  if (g) {
    program *made = program_new(g);
    numeric *n = numeric_new(made, style);
    heap_domain *h = m->has_heap ? heap_domain_new(made, n, false, &b, &why) : NULL;
    p->d = h ? heap_domain_of(h) : numeric_domain(n);
    for (int i = 0; i < MOST_RUNS && !polyhedra_failure(space) && go_on(p, &b); i++) {
    }
    run_free(p->before);
    VECTOR_FREE(p->hints);
    p->before = NULL;
    p->hints = (hint_vector){0};
    p->repairs_of_this_length = 0;
    heap_domain_free(h);
    numeric_free(n);
    program_free(made);
  }
  polyhedra_free(space);
}

/* A loop of guarded choices over a few counters, and a linear assertion: false errors are common, real ones rare. */
static void random_loop(random_source *r, text *out) {
  static const char *const names[] = {"x", "y", "z"};
  size_t count = 2 + random_below(r, 2), choices = 1 + random_below(r, 3);
  text_add(out, "program { var x, y, z : int\n x := 0, y := %zu, z := 0;\n while * {\n", random_below(r, 3));
  for (size_t c = 0; c < choices; c++) {
    const char *tested = names[random_below(r, count)], *set = names[random_below(r, count)];
    text_add(out, "  %s { assume %s %s %zu\n", c ? "or" : "choose", tested,
             random_below(r, 2) ? "<=" : ">=", random_below(r, 6));
    text_add(out, "   %s := %s + %zu;", tested, tested, 1 + random_below(r, 2));
    if (random_below(r, 3))
      text_add(out, " %s := %s + %zu }\n", set, names[random_below(r, count)], random_below(r, 3));
    else
      text_add(out, " %s := 0 }\n", set);
  }
  if (choices == 1) text_add(out, "  or { assume false }\n");
  text_add(out, " }\n assert good: %zu * x + %zu >= y && y + %zu >= 0 }\n", 1 + random_below(r, 3),
           2 + random_below(r, 6), random_below(r, 2));
}

/* Progress on models that `write` makes; `least`: pairs of runs for every so many models. */
static void expect_progress_of(uint64_t first_seed, unsigned seeds, void (*write)(random_source *, text *),
                               bool may_connect, weak_shape_kind shape, unsigned least) {
  static const widening widenings[] = {WIDENING_H79, WIDENING_CH78, WIDENING_BHRZ03};
  progress p = {.may_connect = may_connect};
  first_seed = random_first_seed(first_seed);
  seeds = random_rounds(seeds);
  for (uint64_t seed = first_seed; seed < first_seed + seeds && !test_failures; seed++) {
    random_source r = {seed};
    text source = {0};
    diagnostics d = {0};
    write(&r, &source);
    model *m = input_read_text("random.whet", text_string(&source), source.count, &d);
    CHECK(m, "%s\n%s", text_string(&d.text), text_string(&source));
    p.how = seed % 2 ? SCHEDULE_JOINT : SCHEDULE_SINGLE;
    for (size_t i = 0; m && i < m->properties.count; i++)
      expect_progress(m, i, &p, (numeric_style){.widening = widenings[seed % 3], .shape = shape});
    if (test_failures) printf("# seed %llu:\n%s\n", (unsigned long long)seed, text_string(&source));
    model_free(m);
    text_clear(&d.text);
    text_clear(&source);
  }
  printf("# %u models: %zu pairs of runs, %zu times a longer counterexample\n", seeds, p.compared, p.longer);
  CHECK(p.compared > seeds / least);
}

TEST(counterexamples_of_MARefinement_never_return) { expect_progress_of(1, 600, random_loop, false, SHAPE_NONE, 2); }
TEST(counterexamples_of_SARefinement_never_return) {
  expect_progress_of(100001, 600, random_loop, true, SHAPE_NONE, 2);
}
TEST(nor_do_those_of_octagons) { expect_progress_of(200001, 200, random_loop, true, SHAPE_OCTAGON, 40); }
TEST(nor_do_those_of_boxes) { expect_progress_of(300001, 200, random_loop, false, SHAPE_BOX, 4); }
/* Random programs with lists hardly ever need two repairs: these do. */
TEST(nor_do_those_of_lists) {
  static const char *const names[] = {"apart", "bounded", "delete-zeros", "partition", "sorted", "split", "two-lists"};
  progress p = {.how = SCHEDULE_JOINT};
  for (size_t k = 0; k < ARRAY_LENGTH(names) && !test_failures; k++) {
    char *path = text_format("%s/data/lists/%s.whet", TESTS_FOLDER, names[k]);
    diagnostics d = {0};
    model *m = input_read_file(path, &d);
    CHECK(m, "%s", text_string(&d.text));
    for (size_t i = 0; m && i < m->properties.count; i++) expect_progress(m, i, &p, (numeric_style){0});
    model_free(m);
    text_clear(&d.text);
    memory_free(path);
  }
  printf("# %zu pairs of runs, %zu times a longer counterexample\n", p.compared, p.longer);
  CHECK(p.compared >= 10);
}

TEST_MAIN
