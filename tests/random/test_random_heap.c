/* Random programs over lists: widen, explicit and alpha against a meaning of their own (list_program.h) on lists of up to six
 * nodes; fixpoints that end. */
#include "base/budget.h"
#include "engine/widen/graph/bad_states.h"
#include "engine/widen/heap/heap_runs.h"
#include "engine/widen/repair.h"
#include "oracle/list_program.h"
#include "proof/check/check.h"
#include "random/random_model.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "unit/work_budget.h"

enum { NODES = 6, FEW_NODES = 4 };

typedef struct tally {
  unsigned safe, unsafe, unknown, unchecked, confirmed;
} tally;

/* What the slow meaning found for a property by its name: "a3" or no-runtime-error. */
static bool is_violated(const list_meaning *m, const char *name) {
  return *name == 'a' ? m->fails[atoi(name + 1)] : !strcmp(name, "no-leak") ? m->leaks : m->faults;
}

static void compare(const char *engine, const model *m, const list_meaning *meaning, const char *source, tally *t) {
  for (size_t i = 0; i < m->properties.count; i++) {
    const char *name = m->properties.at[i].name, *none[] = {NULL};
    const char *all[] = {m->frees ? "nodes=8" : "nodes=6", NULL}; /* what is lost is kept: room for it */
    bool is_explicit = !strcmp(engine, "explicit"), violated = is_violated(meaning, name);
    engine_result r = engine_run_model(engines_find(engine), m, name, 500000, 0, is_explicit ? all : none);
    t->safe += r.verdict == VERDICT_SAFE;
    t->unsafe += r.verdict == VERDICT_UNSAFE;
    t->unknown += r.verdict == VERDICT_UNKNOWN;
    bool decided = r.verdict != VERDICT_UNKNOWN;
    t->unchecked += decided && !r.checked && !r.reason;
    t->confirmed += decided && (violated || meaning->is_complete);
    CHECK(!decided || r.checked, "%s, %s: evidence: %s\n%s", engine, name, r.reason ? r.reason : "", source);
    CHECK(!(r.verdict == VERDICT_SAFE && violated), "%s, %s: a wrong SAFE\n%s", engine, name, source);
    CHECK(!(r.verdict == VERDICT_UNSAFE && !violated && meaning->is_complete), "%s, %s: a wrong UNSAFE\n%s", engine,
          name, source);
    CHECK(!(is_explicit && violated && r.verdict != VERDICT_UNSAFE), "%s, %s: an error not found\n%s", engine, name,
          source);
    engine_result_free(&r);
  }
}

typedef enum kind { PLAIN, WITH_COUNT, WITH_MEMORY } kind;

static void make_program(random_source *r, kind k, list_program *out) {
  if (k == WITH_MEMORY)
    list_program_random_memory(r, out);
  else
    list_program_random(r, k == WITH_COUNT, out);
}

static void check_programs(const char *engine, kind k, uint64_t first_seed, unsigned seeds) {
  tally t = {0};
  seeds = random_rounds(seeds);
  for (uint64_t seed = first_seed; seed < first_seed + seeds && test_failures < 3; seed++) {
    random_source r = {seed};
    list_program p;
    text source = {0};
    make_program(&r, k, &p);
    list_program_print(&p, &source);
    list_meaning meaning = list_program_explore(&p, k == WITH_MEMORY ? FEW_NODES : NODES);
    model *m = model_of_text(source.at);
    compare(engine, m, &meaning, source.at, &t);
    model_free(m);
    text_clear(&source);
  }
  printf("# %s: %u programs: %u safe, %u unsafe, %u unknown; %u confirmed\n", engine, seeds, t.safe, t.unsafe,
         t.unknown, t.confirmed);
  CHECK(t.safe && t.unsafe, "both verdicts");
}

TEST(widen_is_never_wrong_about_lists) { check_programs("widen", PLAIN, 1, 150); }
TEST(widen_is_never_wrong_about_lists_and_numbers) { check_programs("widen", WITH_COUNT, 10001, 60); }
TEST(explicit_is_never_wrong_about_lists) { check_programs("explicit", PLAIN, 20001, 100); }
TEST(explicit_is_never_wrong_about_lists_and_numbers) { check_programs("explicit", WITH_COUNT, 30001, 60); }

TEST(widen_is_never_wrong_about_memory) { check_programs("widen", WITH_MEMORY, 80001, 40); }
TEST(explicit_is_never_wrong_about_memory) { check_programs("explicit", WITH_MEMORY, 90001, 30); }

TEST(alpha_is_never_wrong_about_lists) { check_programs("alpha", PLAIN, 100001, 60); }
TEST(alpha_is_never_wrong_about_lists_and_numbers) { check_programs("alpha", WITH_COUNT, 110001, 30); }
TEST(alpha_is_never_wrong_about_memory) { check_programs("alpha", WITH_MEMORY, 120001, 20); }

/* ---- evidence for what is not so ---- */

/* What widen says of a property, with its evidence; an empty claim if it takes too long. */
static claim evidence_of(model *m, size_t property, const options *o) {
  statistics counts = {0};
  budget b = work_budget(500000);
  engine_environment env = {.model = m, .property = property, .options = o, .statistics = &counts, .budget = &b};
  const engine *e = engines_find("widen");
  claim c = {0};
  void *state = e->open(&env);
  bool spent = false;
  while (!spent && e->step(state, &c) == ENGINE_GOES_ON) spent = budget_seconds_left(&b) <= 0;
  if (spent) claim_clear(&c);
  e->close(state);
  return c;
}

static void spoil_graph(random_source *r, heap_graph *g) {
  if (!g || !g->count) return;
  heap_node *n = &g->nodes[1 + random_below(r, g->count)];
  switch (random_below(r, 7)) {
    case 6: n->reached = heap_all_reached(g->variables); break;
    case 5: n->back = heap_all_back(g->fields); break;
    case 0: n->next[random_below(r, g->fields)] = NODE(random_below(r, g->count + 1u)); break;
    case 1: n->data = NODE_VALUE(random_below(r, 2)); break;
    case 2: n->is_summary = false; break;
    case 3: n->shared = 0; break;
    case 4: g->at[random_below(r, g->variables)] = (uint8_t)random_below(r, g->count + 1u); break;
  }
}

static void spoil(random_source *r, evidence *e) {
  size_t k = random_below(r, e->parts.count);
  invariant_part *p = &e->parts.at[k], *last = &VECTOR_LAST(e->parts), held = *p;
  switch (random_below(r, 4)) {
    case 0: /* one part less */
      *p = *last;
      *last = held;
      VECTOR_FREE(last->fixed);
      memory_free(last->graph);
      e->parts.count--;
      break;
    case 1: /* the heaps of another part */
      p->graph = last->graph;
      last->graph = held.graph;
      break;
    default: spoil_graph(r, p->graph);
  }
}

/* Evidence for a property that does not hold: that of one that does, and what comes of it by small changes. */
static unsigned try_to_deceive(random_source *r, model *m, size_t holds, size_t violated, const options *o,
                               const char *source) {
  budget b = budget_unlimited();
  unsigned tried = 0;
  claim c = evidence_of(m, holds, o);
  for (; tried < 12 && c.evidence.kind == EVIDENCE_HEAP && c.evidence.parts.count; tried++) {
    check_result result = check_evidence(m, violated, &c.evidence, &b, NULL);
    CHECK(result.kind != CHECK_ACCEPTED, "evidence for %s was accepted\n%s", m->properties.at[violated].name, source);
    memory_free(result.what);
    spoil(r, &c.evidence);
  }
  claim_clear(&c);
  return tried;
}

TEST(nothing_proves_what_does_not_hold) {
  unsigned tried = 0;
  options *o = options_new();
  for (uint64_t seed = 70001; seed < 70001 + random_rounds(60) && !test_failures; seed++) {
    random_source r = {seed};
    list_program p;
    text source = {0};
    make_program(&r, (kind)(seed % 3), &p);
    list_program_print(&p, &source);
    list_meaning meaning = list_program_explore(&p, NODES);
    model *m = model_of_text(source.at);
    for (size_t i = 0; i < m->properties.count; i++)
      for (size_t j = 0; j < m->properties.count; j++)
        if (!is_violated(&meaning, m->properties.at[i].name) && is_violated(&meaning, m->properties.at[j].name))
          tried += try_to_deceive(&r, m, i, j, o, source.at);
    model_free(m);
    text_clear(&source);
  }
  options_free(o);
  printf("# %u tries\n", tried);
  CHECK(tried);
}

/* ---- the widening argument ---- */

enum { MOST_STEPS = 60, HINTS = 6, LATEST_HINT = 8 };

static hint_vector random_hints(random_source *r, size_t heads) {
  hint_vector hints = {0};
  for (int i = 0; i < HINTS; i++) {
    hint h = {(uint32_t)random_below(r, heads), 1 + random_below(r, LATEST_HINT),
              random_below(r, 2) ? OPERATOR_UNION : OPERATOR_CONNECT};
    VECTOR_PUSH(hints, h);
  }
  return hints;
}

/* Whatever steps are made unions, those that are widened bring the fixpoint to its end (Gulavani, Rajamani 2006,
 * section 6). */
static size_t steps_of_fixpoint(const model *m, size_t property, random_source *r, bool with_hints) {
  budget b = budget_unlimited();
  polyhedra *space = polyhedra_new(&b);
  const char *why = NULL;
  term bad = TERM_FALSE;
  bad_states_of(m, &m->properties.at[property], &bad);
  graph *g = graph_new(m, &bad, CONTROL_PLACES, space, &b, &why);
  CHECK(g != NULL, "%s", why ? why : "");
  program *p = program_new(g);
  numeric *n = numeric_new(p, (numeric_style){0});
  heap_domain *h = heap_domain_new(p, n, random_below(r, 2), &b, &why);
  hint_vector hints = {0};
  if (with_hints) hints = random_hints(r, p->cuts.heads);
  run *done = fixpoint(heap_domain_of(h), &hints, NULL, SCHEDULE_JOINT, &b, &why);
  CHECK(!why, "%s", why ? why : "");
  size_t most = 0;
  for (size_t c = 0; c < p->cuts.components.count; c++)
    if (done->components[c].steps.count > most) most = done->components[c].steps.count;
  run_free(done);
  VECTOR_FREE(hints);
  heap_domain_free(h);
  numeric_free(n);
  program_free(p);
  polyhedra_free(space);
  return most;
}

static void bound_steps(bool with_count, bool with_hints, uint64_t first_seed, unsigned seeds) {
  size_t most = 0;
  seeds = random_rounds(seeds);
  for (uint64_t seed = first_seed; seed < first_seed + seeds && !test_failures; seed++) {
    random_source r = {seed};
    list_program p;
    text source = {0};
    list_program_random(&r, with_count, &p);
    list_program_print(&p, &source);
    model *m = model_of_text(source.at);
    size_t steps = m->properties.count ? steps_of_fixpoint(m, 0, &r, with_hints) : 0;
    CHECK(steps <= MOST_STEPS, "%zu steps\n%s", steps, source.at);
    if (steps > most) most = steps;
    model_free(m);
    text_clear(&source);
  }
  printf("# %u programs: at most %zu steps\n", seeds, most);
}

TEST(fixpoints_over_lists_end) { bound_steps(false, false, 40001, 150); }
TEST(fixpoints_over_lists_end_whatever_is_repaired) { bound_steps(false, true, 50001, 60); }
TEST(fixpoints_over_lists_and_numbers_end) { bound_steps(true, true, 60001, 40); }

TEST_MAIN
