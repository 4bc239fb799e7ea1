/* Passes one by one, and the way back: what is found out about the smaller model is checked on the model as read. */
#include "model/passes.h"
#include "proof/check/check.h"
#include "run/correspondence/classes.h"
#include "run/correspondence/correspondence.h"
#include "term/print.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "unit/work_budget.h"

/* p, q and the negation of n are one variable, c is a constant only because d is another, e and f are equal after the
 * first step too because g and h are. The wires w and v are defined by the guard, and only that reads them. */
#define EQUAL                                                                                                         \
  "var p, q : bool = false\nvar n : bool = true\nvar c, d : int = 3\nvar g, h, e, f : int = 0\n"                      \
  "var w, v : int\nvar x : 0..9 = 0\ninit w = v + 1\n"                                                                \
  "action step(i : 0..1, unread : 5..7): c <= 3 && w = v + 1 && e = f -> p := !p, q := n, n := q, c := d, d := c,\n"  \
  "  e := g, f := h, g := g + i, h := h + i, w := g + 1, v := h, x := if p <=> n then 9 else if x < 5 && i = 1 then " \
  "x + 1 else x\n"

typedef struct small {
  model *model;
  known_invariants known;
  passes *plain, *passes;
} small;

static small make_small(const char *content, uint64_t work) {
  small s = {.model = model_of_text(content)};
  budget b = work_budget(work);
  s.plain = passes_run(s.model, 0, NULL);
  correspondence_find(passes_model(s.plain), &b, &s.known);
  s.passes = passes_use_invariants(s.plain, &s.known, NULL);
  return s;
}

static void drop(small *s) {
  known_invariants_clear(&s->known);
  passes_free(s->passes);
  passes_free(s->plain);
  model_free(s->model);
}

static bool has_variable(passes *p, const char *name) {
  const model *m = passes_model(p);
  variable v;
  return variable_find(m->terms, name, &v) && model_is_state_variable(m, v);
}

/* The verdict of an engine on the small model, if the checker accepts its evidence about the model as read. */
static verdict decide(const small *s, const char *engine_name) {
  const engine *e = engines_find(engine_name);
  options *o = options_new();
  statistics counts = {0};
  budget b = work_budget(20000000), own = budget_unlimited();
  engine_environment env = {.model = passes_model(s->passes),
                            .property = passes_property(s->passes),
                            .is_whole = passes_keep_states(s->passes),
                            .options = o,
                            .statistics = &counts,
                            .budget = &b};
  claim c = {0};
  void *state = e->open(&env);
  while (e->step(state, &c) == ENGINE_GOES_ON && !budget_spent(&b))
    ;
  e->close(state);
  evidence_add_facts(s->model->terms, &c.evidence, passes_facts(s->passes));
  if (c.evidence.kind == EVIDENCE_TRACE) passes_trace_back(s->passes, &c.evidence.steps);
  check_result r = check_evidence(s->model, 0, &c.evidence, &own, NULL);
  CHECK(r.kind == CHECK_ACCEPTED, "%s: %s", engine_name, r.what);
  verdict result = r.kind == CHECK_ACCEPTED ? c.verdict : VERDICT_UNKNOWN;
  memory_free(r.what);
  claim_clear(&c);
  options_free(o);
  return result;
}

/* ---- slice ---- */

TEST(inputs_that_nothing_reads_go_and_come_back) {
  model *m = model_of_text(
      "var x, y : int = 0\naction a(unread : 3..5, i : 0..2, below : -9..-4): true -> y := y + unread + below, x := x "
      "+ i\n"
      "unreachable s: x = 4\n");
  passes *p = passes_run(m, 0, NULL);
  CHECK(passes_model(p)->variables.count == 1 && passes_model(p)->transitions.at[0].inputs.count == 1);
  CHECK(!passes_keep_states(p));
  trace t = {0};
  for (int i = 0; i < 3; i++) {
    trace_step step = {0};
    VECTOR_PUSH(step.values, number_of(2 * i));
    if (i) VECTOR_PUSH(step.inputs, number_of(2));
    VECTOR_PUSH(t, step);
  }
  passes_trace_back(p, &t);
  for (size_t i = 1; i < 3; i++) {
    CHECK(t.at[i].inputs.count == 3 && number_is(t.at[i].inputs.at[1], 2));
    CHECK(number_is(t.at[i].inputs.at[0], 3) && number_is(t.at[i].inputs.at[2], -4)); /* in their types */
    CHECK(number_is(t.at[i].values.at[1], -(int64_t)i));
  }
  trace_clear(&t);
  passes_free(p);
  model_free(m);
}

TEST(inputs_of_a_run_time_error_come_back) {
  model *m = model_of_text(
      "var x : 0..3 = 0\nvar y : int = 0\naction a(u : 1..2, i : 0..1): true -> x := x + i, y := y + u\n");
  engine_result r = engine_run_model(engines_find("kind"), m, "no-runtime-error", 1000000, 0, NULL);
  CHECK(r.verdict == VERDICT_UNSAFE && r.checked, "%s", r.reason ? r.reason : "");
  memory_free(r.reason);
  model_free(m);
}

/* ---- merge ---- */

TEST(classes_fall_apart_by_values) {
  model *m = model_of_text("var a, b, c, d : int\nvar p, q : bool\nvar r : bool\nsafe s: a = a\n");
  const int64_t states[][7] = {{1, 1, 1, 2, 0, 1, 0}, {5, 5, 1, 2, 1, 0, 0}, {6, 5, 1, 2, 0, 1, 0}};
  const char *const left[] = {"a = 1, b = 1, c = 1, d = 2, !p, q, !r", "c = 1, d = 2, !r, a = b, !(p <=> q)",
                              "c = 1, d = 2, !r, !(p <=> q)"};
  classes *c = NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(states); i++) {
    number values[7];
    term_vector found = {0};
    for (size_t j = 0; j < 7; j++) values[j] = number_of(states[i][j]);
    if (c)
      CHECK(classes_refine(c, values) && !classes_refine(c, values));
    else
      c = classes_new(m, values);
    classes_equalities(c, &found);
    text words = {0};
    for (size_t j = 0; j < found.count; j++) {
      char *formula = term_string(m->terms, found.at[j]);
      text_add(&words, "%s%s", j ? ", " : "", formula);
      memory_free(formula);
    }
    CHECK_TEXT(text_string(&words), left[i]);
    text_clear(&words);
    VECTOR_FREE(found);
  }
  classes_free(c);
  model_free(m);
}

TEST(equal_variables_become_one) {
  small s = make_small(EQUAL "safe s: x <= 5\n", 2000000);
  CHECK(passes_model(s.plain)->variables.count == 12);
  const char *const gone[] = {"c", "d", "e", "f", "h"};
  for (size_t i = 0; i < ARRAY_LENGTH(gone); i++) CHECK(!has_variable(s.passes, gone[i]), "%s", gone[i]);
  CHECK(has_variable(s.passes, "p") + has_variable(s.passes, "q") + has_variable(s.passes, "n") == 0);
  CHECK(has_variable(s.passes, "x"));
  const transition *t = &passes_model(s.passes)->transitions.at[0];
  CHECK(term_is_true(t->guard)); /* each conjunct always holds */
  CHECK(decide(&s, "pdr") == VERDICT_SAFE);
  CHECK(decide(&s, "kind") == VERDICT_SAFE);
  CHECK(decide(&s, "widen") == VERDICT_SAFE);
  drop(&s);
}

TEST(a_run_of_the_merged_model_is_one_of_the_model_as_read) {
  small s = make_small(EQUAL "safe s: x <= 3 || g < 5 || !p\n", 2000000);
  CHECK(!has_variable(s.passes, "h") && has_variable(s.passes, "g"));
  CHECK(decide(&s, "pdr") == VERDICT_UNSAFE);
  CHECK(decide(&s, "kind") == VERDICT_UNSAFE);
  drop(&s);
}

/* What only the initial condition ties to others may take any value in a step; what was known of it does not hold then. */
TEST(a_variable_that_is_only_tied_is_loose) {
  small s = make_small(
      "var x, y : int\nvar k, l : int = 0\ninit x = y + 1 || x = 2 * y\n"
      "action a: k = l -> x := x + k, y := x + y, k := k + 1, l := l + 1\nsafe s: k >= 0\n",
      2000000);
  terms *ts = s.model->terms;
  const transition *t = &passes_model(s.passes)->transitions.at[0];
  CHECK(has_variable(s.passes, "x") && has_variable(s.passes, "y") && !has_variable(s.passes, "l"));
  CHECK(!passes_keep_states(s.passes) && t->inputs.count == 2 && t->updates.count == 3);
  term_vector facts = {0}, kept = {0};
  variable v;
  for (size_t i = 0; i < 2 && variable_find(ts, i ? "l" : "x", &v); i++)
    VECTOR_PUSH(facts, term_ge(ts, term_of_variable(ts, v), term_int(ts, -7)));
  passes_keep_facts(s.passes, &facts, &kept);
  CHECK(facts.count == 2 && kept.count == 1);
  CHECK(decide(&s, "pdr") == VERDICT_SAFE && decide(&s, "widen") == VERDICT_SAFE);
  VECTOR_FREE(facts);
  VECTOR_FREE(kept);
  drop(&s);
}

TEST(nothing_is_found_with_too_little_work) {
  for (uint64_t work = 1; work < 4000; work += 400) {
    small s = make_small(EQUAL "safe s: x <= 5\n", work);
    CHECK(!s.known.redundant.count || s.known.formulas.count);
    CHECK(decide(&s, "pdr") == VERDICT_SAFE);
    drop(&s);
  }
  small none = make_small(EQUAL "safe s: x <= 5\n", 1);
  CHECK(!none.known.formulas.count && passes_model(none.passes) == passes_model(none.plain));
  drop(&none);
}

TEST(a_spent_budget_leaves_the_model_as_it_was) {
  small s = make_small(EQUAL "safe s: x <= 5\n", 2000000);
  atomic_bool stop = true;
  budget spent = {.stop = &stop};
  passes *p = passes_use_invariants(s.plain, &s.known, &spent);
  CHECK(passes_model(p) == passes_model(s.plain) && passes_property(p) == passes_property(s.plain));
  passes_free(p);
  drop(&s);
}

/* Facts of others are said about the merged model, those about loose variables are not. */
TEST(facts_are_said_about_the_merged_model) {
  small s = make_small(EQUAL "safe s: x <= 3 || g < 5\n", 2000000);
  terms *ts = s.model->terms;
  variable h, g;
  term_vector facts = {0}, kept = {0};
  CHECK(variable_find(ts, "h", &h) && variable_find(ts, "g", &g));
  VECTOR_PUSH(facts, term_ge(ts, term_of_variable(ts, h), term_int(ts, 0)));
  passes_keep_facts(s.passes, &facts, &kept);
  CHECK(kept.count == 1 && term_same(kept.at[0], term_ge(ts, term_of_variable(ts, g), term_int(ts, 0))));
  VECTOR_FREE(facts);
  VECTOR_FREE(kept);
  drop(&s);
}

/* A worker finds the same, and what a heap or reals make impossible is left alone. */
TEST(a_worker_finds_the_same) {
  small s = make_small(EQUAL "safe s: x <= 5\n", 2000000);
  known_invariants apart = {0};
  worker_limits limits = {0};
  correspondence_find_apart(passes_model(s.plain), 0, &limits, NULL, &apart);
  CHECK(apart.formulas.count == s.known.formulas.count && apart.redundant.count == s.known.redundant.count);
  for (size_t i = 0; i < apart.formulas.count && i < s.known.formulas.count; i++)
    CHECK(term_same(apart.formulas.at[i], s.known.formulas.at[i]));
  known_invariants_clear(&apart);
  atomic_bool stop = true;
  correspondence_find_apart(passes_model(s.plain), 1, &limits, NULL, &apart);
  CHECK(!apart.formulas.count && !apart.redundant.count);
  correspondence_find_apart(passes_model(s.plain), 0, &limits, &stop, &apart);
  known_invariants_clear(&apart);
  drop(&s);
}

TEST_MAIN
