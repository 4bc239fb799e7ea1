/* The engine widen: the worked examples of Gulavani, Rajamani 2006 step by step, pitfalls of its algorithms, integers.
 */
#include "engine/engine.h"
#include "engine/widen/graph/bad_states.h"
#include "engine/widen/lane/lane.h"
#include "input/input.h"
#include "proof/check/check.h"
#include "unit/test.h"
#include "unit/work_budget.h"

extern const engine engine_widen;

static const char figure_1a[] =
    "program { var x, y : int\n assume 0 <= x && x <= 2 && 0 <= y && y <= 2\n while * { x := x + 2, y := y + 2 }\n"
    " assert good: x != 4 || y != 0 }\n";

#define FIGURE_1B(ASSERTION)                                                                                           \
  "const N : int\nprogram { var x, m : int\n x := 0, m := 0;\n while x < N { if * { m := x } x := x + 1 }\n assume N " \
  "> 0\n assert good: " ASSERTION " }\n"

static const char figure_1b[] = FIGURE_1B("m < N");
static const char program_8[] = FIGURE_1B("0 <= m && m < N && x = N");

static model *read_text(const char *source) {
  diagnostics d = {0};
  model *m = input_read_text("test.whet", source, strlen(source), &d);
  CHECK(m, "%s", text_string(&d.text));
  text_clear(&d.text);
  return m;
}

/* ---- the parts of the engine on one model ---- */

typedef struct bench {
  model *model;
  polyhedra *space;
  program *program;
  numeric *numeric;
  const domain *d;
  budget budget;
} bench;

static bench set_up(const char *source, widening how) {
  bench b = {.model = read_text(source), .space = polyhedra_new(NULL), .budget = budget_unlimited()};
  const char *why = NULL;
  term bad;
  polyhedra_allow(b.space, 0);
  bad_states_of(b.model, &b.model->properties.at[0], &bad);
  graph *g = graph_new(b.model, &bad, CONTROL_PLACES, b.space, &b.budget, &why);
  CHECK(g && !why, "%s", why ? why : "");
  b.program = program_new(g);
  b.numeric = numeric_new(b.program, (numeric_style){.widening = how});
  b.d = numeric_domain(b.numeric);
  return b;
}

static void tear_down(bench *b) {
  CHECK(!polyhedra_failure(b->space));
  numeric_free(b->numeric);
  program_free(b->program);
  polyhedra_free(b->space);
  model_free(b->model);
}

/* A formula over the model's variables as a set. */
static powerset *set_of(bench *b, const char *formula) {
  term_vector terms = {0};
  diagnostics d = {0};
  case_vector cases = {0};
  powerset *s = powerset_new(b->space, b->program->graph->frame.dimensions.count);
  CHECK(input_read_expressions(b->model, "test", formula, strlen(formula), &terms, &d), "%s", text_string(&d.text));
  CHECK(!cases_of(&b->program->graph->frame, terms.at[0], 0, NULL, &cases));
  for (size_t i = 0; i < cases.count; i++) {
    polyhedron *p = polyhedron_universe(b->space, b->program->graph->frame.dimensions.count);
    program_restrict(b->program, 0, &cases.at[i], p);
    powerset_add(s, p);
  }
  cases_clear(&cases);
  VECTOR_FREE(terms);
  text_clear(&d.text);
  return s;
}

static bool is_set(bench *b, const element *e, const char *formula) {
  powerset *s = set_of(b, formula);
  bool same = powerset_within(element_set(e), s) && powerset_within(s, element_set(e));
  powerset_free(s);
  return same;
}

static const head_step *step_of(const run *r, size_t component, size_t step) {
  return &r->components[component].steps.at[step][0];
}

static run *run_with(bench *b, const hint_vector *hints, const run *before) {
  const char *failure = NULL;
  run *r = fixpoint(b->d, hints, before, SCHEDULE_JOINT, &b->budget, &failure);
  CHECK(!failure, "%s", failure);
  return r;
}

static bool is_inductive(const bench *b, const run *r) {
  bool yes = true;
  for (size_t i = 0; i < b->d->cuts->paths.count; i++) {
    const cut_path *p = &b->d->cuts->paths.at[i];
    element *image = b->d->post(b->d->context, (uint32_t)i, run_final(r, p->from));
    yes &= b->d->within(image, run_final(r, p->to));
    b->d->release(image);
  }
  return yes;
}

static const widening widenings[] = {WIDENING_CH78, WIDENING_H79, WIDENING_BHRZ03};

TEST(figure_1a_step_by_step_with_every_widening) {
  for (size_t w = 0; w < ARRAY_LENGTH(widenings); w++) {
    bench b = set_up(figure_1a, widenings[w]);
    hint_vector hints = {0};
    run *first = run_with(&b, &hints, NULL);
    size_t loop = b.d->cuts->component_of.at[1];
    CHECK(b.d->cuts->heads == 2);
    CHECK(is_set(&b, step_of(first, loop, 0)->reached, "0 <= x && x <= 2 && 0 <= y && y <= 2"));
    CHECK(is_set(&b, step_of(first, loop, 1)->reached, "0 <= x && 0 <= y"));
    CHECK(first->has_error && first->error_step == 1);
    refinement f = refine(first, SCHEDULE_JOINT);
    CHECK(f.kind == REFINE_HINT && f.step == 1 && f.connect_helps && f.heads.count == 1);
    VECTOR_PUSH(hints, (hint){1, 1, OPERATOR_CONNECT});
    run *second = run_with(&b, &hints, first);
    CHECK(is_set(&b, step_of(second, loop, 1)->reached,
                 "x <= y + 2 && y <= x + 2 && 0 <= x && 0 <= y && x <= 4 && y <= 4"));
    CHECK(is_set(&b, step_of(second, loop, 2)->reached, "x <= y + 2 && y <= x + 2 && 0 <= x && 0 <= y"));
    CHECK(!second->has_error && is_inductive(&b, second));
    refinement_free(b.d, &f);
    run_free(first), run_free(second);
    VECTOR_FREE(hints);
    tear_down(&b);
  }
}

TEST(figure_1b_is_repaired_at_step_2_by_union_only) {
  for (size_t w = 0; w < ARRAY_LENGTH(widenings); w++) {
    bench b = set_up(figure_1b, widenings[w]);
    hint_vector hints = {0};
    run *first = run_with(&b, &hints, NULL);
    size_t loop = b.d->cuts->component_of.at[1];
    CHECK(is_set(&b, step_of(first, loop, 0)->reached, "x = 0 && m = 0"));
    if (widenings[w] != WIDENING_BHRZ03) CHECK(is_set(&b, step_of(first, loop, 1)->reached, "x >= 0 && m = 0"));
    if (widenings[w] == WIDENING_CH78) CHECK(is_set(&b, step_of(first, loop, 2)->reached, "x >= 0 && m >= 0"));
    CHECK(first->error_step == 2);
    refinement f = refine(first, SCHEDULE_JOINT);
    CHECK(f.kind == REFINE_HINT && f.step == 2 && !f.connect_helps);
    VECTOR_PUSH(hints, (hint){1, 2, OPERATOR_UNION});
    run *second = run_with(&b, &hints, first);
    if (widenings[w] != WIDENING_BHRZ03)
      CHECK(is_set(&b, step_of(second, loop, 2)->reached, "x >= 0 && m = 0 || x <= N && x = m + 1 && m >= 0"));
    if (widenings[w] == WIDENING_H79)
      CHECK(is_set(&b, run_final(second, 1), "x >= 0 && m = 0 || x >= m + 1 && x <= N && m >= 0"));
    CHECK(!second->has_error && is_inductive(&b, second));
    refinement_free(b.d, &f);
    run_free(first), run_free(second);
    VECTOR_FREE(hints);
    tear_down(&b);
  }
}

/* Repairs on the branch that proves it. */
static void expect_repairs(const char *source, widening how, schedule steps, size_t unions, size_t connects) {
  bench b = set_up(source, how);
  repair *r = repair_new(b.d, (repair_style){.schedule = steps}, "test", NULL);
  repair_end end;
  do end = repair_step(r, &b.budget);
  while (end == REPAIR_GOES_ON);
  size_t u, c, runs;
  repair_count(r, &u, &c, &runs);
  CHECK(end == REPAIR_PROVED && u == unions && c == connects, "end %d, %zu unions, %zu merges", (int)end, u, c);
  CHECK(end != REPAIR_PROVED || is_inductive(&b, repair_run(r)));
  repair_free(r);
  tear_down(&b);
}

TEST(repairs_of_the_worked_examples) {
  for (size_t w = 0; w < ARRAY_LENGTH(widenings); w++) {
    expect_repairs(figure_1a, widenings[w], SCHEDULE_JOINT, 0, 1);
    expect_repairs(figure_1a, widenings[w], SCHEDULE_SINGLE, 0, 1);
    expect_repairs(figure_1b, widenings[w], SCHEDULE_JOINT, 1, 0);
  }
  expect_repairs(program_8, WIDENING_H79, SCHEDULE_JOINT, 1, 1);
  expect_repairs(program_8, WIDENING_CH78, SCHEDULE_JOINT, 1, 2);
  expect_repairs(program_8, WIDENING_BHRZ03, SCHEDULE_JOINT, 1, 0);
  expect_repairs(program_8, WIDENING_H79, SCHEDULE_SINGLE, 2, 1); /* as the paper's table */
}

TEST(the_error_step_is_the_first_and_the_run_goes_on_to_its_fixpoint) {
  static const char *const sources[] = {figure_1a, figure_1b, program_8};
  for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
    bench b = set_up(sources[i], WIDENING_H79);
    hint_vector none = {0};
    run *r = run_with(&b, &none, NULL);
    element *bad = b.d->bad(b.d->context, 1);
    size_t loop = b.d->cuts->component_of.at[1], steps = r->components[loop].steps.count;
    CHECK(r->has_error && r->error_component == loop && r->error_step + 1 < steps);
    for (size_t k = 0; k < steps; k++)
      CHECK(b.d->meets(step_of(r, loop, k)->reached, bad) == (k >= r->error_step), "step %zu", k);
    CHECK(is_inductive(&b, r));
    b.d->release(bad);
    run_free(r);
    tear_down(&b);
  }
}

TEST(what_refine_compares_with_is_not_met_with_the_run_before) {
  bench b = set_up(program_8, WIDENING_H79);
  hint_vector hints = {0};
  run *first = run_with(&b, &hints, NULL);
  VECTOR_PUSH(hints, (hint){1, 1, OPERATOR_CONNECT});
  run *second = run_with(&b, &hints, first);
  size_t loop = b.d->cuts->component_of.at[1];
  for (size_t k = 1; k < second->components[loop].steps.count; k++) {
    const head_step *s = step_of(second, loop, k), *last = step_of(second, loop, k - 1);
    element *images = b.d->share(last->reached);
    const component *c = &b.d->cuts->components.at[loop];
    for (size_t i = 0; i < c->inner.count; i++) {
      element *more = b.d->post(b.d->context, c->inner.at[i], last->reached),
              *joined = b.d->join(b.d->context, images, more);
      b.d->release(images), b.d->release(more);
      images = joined;
    }
    CHECK(b.d->within(images, s->with_images) && b.d->within(s->with_images, images), "step %zu", k);
    b.d->release(images);
  }
  run_free(first), run_free(second);
  VECTOR_FREE(hints);
  tear_down(&b);
}

/* ---- the engine as a whole ---- */

typedef struct outcome {
  verdict verdict;
  size_t steps; /* of a trace */
  bool rational_only;
} outcome;

/* Every claim must be accepted. */
static outcome decide(model *m, size_t property, const char *lane) {
  statistics counted = {0};
  budget limit = work_budget(30000000);
  options *o = options_new();
  if (lane) memory_free(options_set(o, "lane", lane));
  engine_environment env = {.model = m, .property = property, .options = o, .statistics = &counted, .budget = &limit};
  claim c = {0};
  void *state = engine_widen.open(&env);
  while (engine_widen.step(state, &c) == ENGINE_GOES_ON) {
  }
  engine_widen.close(state);
  outcome out = {c.verdict, c.evidence.steps.count ? c.evidence.steps.count - 1 : 0,
                 c.reason && strstr(c.reason, "the integers do not")};
  if (c.verdict != VERDICT_UNKNOWN) {
    budget unlimited = budget_unlimited();
    check_result r = check_evidence(m, property, &c.evidence, &unlimited, NULL);
    CHECK(r.kind == CHECK_ACCEPTED, "%s: %s", m->properties.at[property].name, r.what ? r.what : "");
    memory_free(r.what);
  }
  claim_clear(&c);
  options_free(o);
  return out;
}

static outcome decide_text(const char *source, const char *lane) {
  model *m = read_text(source);
  outcome o = decide(m, 0, lane);
  model_free(m);
  return o;
}

static const char *const lanes[] = {"limits", "joint",       "guards",      "steps", "single",
                                    "weak",   "union-first", "merge-again", "paper"};

TEST(errors_that_only_the_rationals_reach_are_not_reported) {
  static const char *const sources[] = {
      "var x : int\nvar y : int = 0\ninit 0 <= x && x <= 10\naction a: true -> y := 2 * x\nunreachable good: y = 3",
      "var x, y : int\ninit x = 0\naction a: true -> x := 2 * y, y := *\nunreachable good: x = 7",
      "var x, y : nat\naction a: true -> x := x\nunreachable good: 6 * x + 10 * y = 15",
      "program { var x, y : int\n assume 2 * x >= 2 * y + 1 && 2 * x <= 2 * y + 1\n assert good: false }",
  };
  for (size_t i = 0; i < ARRAY_LENGTH(sources); i++)
    for (size_t l = 0; l < ARRAY_LENGTH(lanes); l++)
      CHECK(decide_text(sources[i], lanes[l]).verdict != VERDICT_UNSAFE, "%zu, %s", i, lanes[l]);
}

TEST(divisibility_decides) {
  static const struct {
    const char *source;
    verdict wanted;
    bool only_before; /* repairs of a single lane take too long */
  } cases[] = {
      {"program { var x : int = 0\n while * { x := x + 2 }\n assert good: x % 2 = 0 }", VERDICT_SAFE, false},
      {"var x : int\nvar y : int = 0\ninit 0 <= x && x <= 10\naction a: true -> y := 2 * x\nunreachable good: y = 3",
       VERDICT_SAFE, false},
      {"var x, y : int\ninit x = 0\naction a: true -> x := 2 * y, y := *\nunreachable good: x = 7", VERDICT_SAFE,
       false},
      {"var x, y : nat\naction a: true -> x := x\nunreachable good: 6 * x + 10 * y = 15", VERDICT_SAFE, false},
      {"var x, y : int = 0\naction a: true -> x := x + 2\naction b: true -> y := y + 2\nunreachable good: x = y + 1",
       VERDICT_SAFE, true},
      {"program { var x : int = 0\n while x < 9 { x := x + 2 }\n assert good: x = 10 }", VERDICT_SAFE, false},
      {"program { var x : int = 0\n while x < 9 { x := x + 2 }\n assert good: x = 9 }", VERDICT_UNSAFE, false},
      {"var x, y : int = 0\naction a: x % 3 = 0 && y < 100 -> y := y + 3\naction b: true -> x := x + 6\nunreachable "
       "good: y = 103",
       VERDICT_SAFE, false},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
    for (size_t l = 0; l < 2; l++) { /* with the previews, and with steps over the integers alone */
      if (l && cases[i].only_before) continue;
      verdict got = decide_text(cases[i].source, l ? "limits" : NULL).verdict;
      CHECK(got == cases[i].wanted, "model %zu: %d", i, (int)got);
    }
  }
  static const char multiple_of_4[] = "program { var x : int = 0\n while * { x := x + 2 }\n assert good: x % 4 = 0 }";
  CHECK(decide_text(multiple_of_4, NULL).verdict != VERDICT_SAFE);
}

/* options.def names the lanes too: base may not include an engine's table. */
TEST(the_option_has_a_word_for_each_lane) {
  options *o = options_new();
  text words = {0};
  text_add(&words, "all");
  for (size_t i = 0; i < lanes_count(); i++) {
    char *error = options_set(o, "lane", lanes_at(i)->name);
    CHECK(!error && lanes_get(o->lane) == lanes_at(i), "%s: %s", lanes_at(i)->name, error ? error : "another lane");
    memory_free(error);
    text_add(&words, "|%s", lanes_at(i)->name);
  }
  CHECK(!strcmp(text_string(&words), options_find("lane")->choices), "%s", text_string(&words));
  text_clear(&words);
  options_free(o);
}

TEST(each_lane_proves_what_it_is_for) {
  static const struct {
    const char *lane, *source;
    verdict wanted;
  } cases[] = {
      {"equalities",
       "var x, y : nat = 0\nvar z : nat = 5\naction a: z > 0 -> x := x + 1, y := y + 1, z := z - 1\nsafe good: x = y "
       "&& x + z = 5 && x <= 5",
       VERDICT_SAFE},
      {"equalities", "var x : int = 0\naction a: x < 5 -> x := x + 1\nsafe good: x <= 5", VERDICT_UNKNOWN},
      {"boxes",
       "var x : int = 0\naction a: x < 5 -> x := x + 1\naction b: x > 3 -> x := 0\nsafe good: 0 <= x && x <= 5",
       VERDICT_SAFE},
      {"boxes", "var x, y : int = 0\naction a: x < y -> x := x + 1\naction b: y < 9 -> y := y + 1\nsafe good: x <= y",
       VERDICT_UNKNOWN},
      {"octagons",
       "var x, y : int = 0\naction a: x < y -> x := x + 1\naction b: y < 9 -> y := y + 1\nsafe good: x <= y && y <= 9",
       VERDICT_SAFE},
      {"octagons",
       "program { var x, y : int\n x := 0, y := 0;\n while * { if x + y < 8 { x := x + 1 } else { skip } }\n assert "
       "good: x + y <= 8 }",
       VERDICT_SAFE},
      {"octagons", "var x : int = 0\naction a: true -> x := x + 1\nsafe good: x <= 5",
       VERDICT_UNKNOWN}, /* it is wrong */
      {"packs",
       "var a, b, c, d : int = 0\naction u: a < 50 -> a := a + 1, b := b + 1\naction v: true -> c := c + 2, d := d - "
       "2\nsafe good: a = b && c + d = 0 && a <= 50",
       VERDICT_SAFE},
      {"packs",
       "var a, b, c, d : int = 0\naction u(i : int): a < i && c < i -> a := i, c := i\nsafe good: a = c && b = d",
       VERDICT_SAFE},
      {"packs", "var a, b : int = 0\naction u: a < b + 3 -> a := a + 1, b := b + 1\nsafe good: a = b",
       VERDICT_UNKNOWN}, /* one pack */
      {"steps",
       "var x, y : int = 0\nvar b : int\naction u: b = 1 -> x := x + 1, y := y + 1\naction d: b = 0 -> x := x - 1, y "
       ":= y + 1\nsafe good: x = y || x + y = 0",
       VERDICT_SAFE},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
    verdict got = decide_text(cases[i].source, cases[i].lane).verdict;
    CHECK(got == cases[i].wanted, "model %zu, %s: %d", i, cases[i].lane, (int)got);
  }
}

TEST(bugs_have_runs) {
  for (size_t l = 0; l < ARRAY_LENGTH(lanes); l++) {
    outcome o = decide_text(
        "const N : int\nprogram { var x, m : int\n x := 0, m := 0;\n while x < N { if * { m := x } x := x + 1 }\n "
        "assert good: m < N }",
        lanes[l]);
    CHECK(o.verdict == VERDICT_UNSAFE, "%s", lanes[l]);
    o = decide_text(
        "program { var x, y : int\n assume y >= 5\n x := 0;\n while x < y { x := x + 3 }\n assert good: x <= y + 1 }",
        lanes[l]);
    CHECK(o.verdict == VERDICT_UNSAFE, "%s", lanes[l]);
    o = decide_text("var x : int = 0\naction up: true -> x := x + 1\nunreachable good: x = 6", lanes[l]);
    CHECK(o.verdict == VERDICT_UNSAFE && o.steps == 6, "%s", lanes[l]);
  }
}

TEST(every_kind_of_variable_and_property) {
  static const struct {
    const char *source;
    verdict wanted;
  } cases[] = {
      {"var b : bool = false\nvar x : int = 0\naction a: !b -> b := x >= 0, x := x + 1\naction c: b -> b := "
       "false\nsafe good: x >= 0",
       VERDICT_SAFE},
      {"var e : {A, B, C} = A\nvar x : int = 0\naction a: e = A -> e := B, x := x + 1\naction b: e = B -> e := "
       "C\naction c: e = C -> e := A, x := x - 1\n"
       "safe good: x >= 0 && x <= 1",
       VERDICT_SAFE},
      {"var x : 0..7 = 0\naction a: true -> x := x + 1\nsafe fine: x <= 7", VERDICT_SAFE},
      {"var x : int = 0\naction a(i : 1..3, b : bool): b && x < 10 -> x := x + i\nsafe good: x <= 12", VERDICT_SAFE},
      {"var x : int = 0\naction a(i : 1..3, b : bool): b && x < 10 -> x := x + i\nsafe good: x <= 11", VERDICT_UNSAFE},
      {"var x : int = 0\naction a: x < 10 -> x := if x % 3 = 2 then x + 2 else x + 1\nsafe good: x <= 11",
       VERDICT_SAFE},
      {"var x : int = 100\naction a: x > 0 -> x := x / 2\nsafe good: x >= 0 && x <= 100", VERDICT_SAFE},
      {"var x, y : int = 0\naction swap: true -> x, y := y + 1, x\nsafe good: x >= 0 && y >= 0 && x <= y + 1 && y <= x",
       VERDICT_SAFE},
      {"var x : nat = 3\naction a: x > 0 -> x := x - 1\naction b: x = 0 -> x := 3\ndeadlockfree", VERDICT_SAFE},
      {"var x : nat = 3\naction a: x > 0 -> x := x - 1\ndeadlockfree", VERDICT_UNSAFE},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
    verdict got = decide_text(cases[i].source, NULL).verdict;
    CHECK(got == cases[i].wanted, "model %zu: %d", i, (int)got);
  }
  model *m = read_text("var x : 0..7 = 0\naction a(i : 1..2): true -> x := x + i\nsafe fine: x <= 7");
  size_t fault;
  CHECK(model_find_property(m, "no-runtime-error", &fault) && decide(m, fault, NULL).verdict == VERDICT_UNSAFE);
  model_free(m);
}

TEST_MAIN
