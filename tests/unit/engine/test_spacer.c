/* spacer: Horn rules asked of Z3, covers and derivations read back, and the engine on models of its own kinds. */
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "engine/spacer/spacer.h"
#include "input/input.h"
#include "process/channel.h"
#include "proof/check/check.h"
#include "term/evaluate.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "unit/work_budget.h"

extern const engine engine_spacer;

enum { WORK_OF_QUERY = 20000 };

static void expect(const char *content, verdict wanted, size_t steps) {
  engine_result r = engine_run_text(&engine_spacer, content, 20000000, 0, NULL);
  CHECK(r.verdict == wanted, "%s: verdict %d, %s", content, (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.verdict == VERDICT_UNKNOWN || r.checked, "%s: %s", content, r.reason ? r.reason : "not checked");
  CHECK(wanted != VERDICT_UNSAFE || r.steps == steps, "%s: %zu steps", content, r.steps);
  engine_result_free(&r);
}

/* ---- rules ---- */

/* fib-like: p(0); p(x) and p(y) derive p(x + y + 1); the query is p(x) with x = goal. */
typedef struct lab {
  terms *ts;
  variable x, y;
  horn_problem problem;
  budget budget;
} lab;

static void add_atom(lab *l, horn_rule *r, term argument) {
  horn_atom a = {.relation = 0};
  VECTOR_PUSH(a.arguments, argument);
  VECTOR_PUSH(r->body, a);
  (void)l;
}

static void add_rule(lab *l, horn_rule r, uint32_t head, term argument) {
  r.head.relation = head;
  if (head == 0) VECTOR_PUSH(r.head.arguments, argument);
  VECTOR_PUSH(r.variables, l->x);
  VECTOR_PUSH(r.variables, l->y);
  VECTOR_PUSH(l->problem.rules, r);
}

static void lab_open(lab *l, term (*bad)(terms *ts, term x)) {
  static const type integer = {.sort = SORT_INT};
  *l = (lab){.ts = terms_new(), .budget = budget_unlimited()};
  l->x = variable_new(l->ts, "x", &integer);
  l->y = variable_new(l->ts, "y", &integer);
  term x = term_of_variable(l->ts, l->x), y = term_of_variable(l->ts, l->y);
  horn_relation p = {0};
  VECTOR_PUSH(p.parameters, l->x);
  VECTOR_PUSH(l->problem.relations, p);
  VECTOR_PUSH(l->problem.relations, (horn_relation){0});
  l->problem.query = 1;
  add_rule(l, (horn_rule){.constraint = term_eq(l->ts, x, term_int(l->ts, 0))}, 0, x);
  horn_rule both = {.constraint = TERM_TRUE};
  add_atom(l, &both, x);
  add_atom(l, &both, y);
  add_rule(l, both, 0, term_add(l->ts, term_add(l->ts, x, y), term_int(l->ts, 2)));
  horn_rule query = {.constraint = bad(l->ts, x)};
  add_atom(l, &query, x);
  add_rule(l, query, 1, x);
}

static void lab_close(lab *l) {
  horn_problem_clear(&l->problem);
  terms_free(l->ts);
}

static term is_six(terms *ts, term x) { return term_eq(ts, x, term_int(ts, 6)); }
static term is_negative(terms *ts, term x) { return term_lt(ts, x, term_int(ts, 0)); }

static int64_t small(number n) {
  int64_t value = INT64_MIN;
  number_to_int64(n, &value);
  return value;
}

TEST(derivations_are_trees) {
  lab l;
  lab_open(&l, is_six);
  fixedpoint *f = fixedpoint_new(l.ts, &l.problem, &l.budget);
  CHECK(answer_is_yes(fixedpoint_query(f, NULL, NULL)));
  horn_derivation d = {0};
  const char *reason = NULL;
  CHECK(fixedpoint_derivation(f, &d, &reason), "%s", reason);
  CHECK(d.count > 2 && VECTOR_LAST(d).relation == 1 && VECTOR_LAST(d).premises.count == 1);
  for (size_t i = 0; i + 1 < d.count; i++) {
    const horn_node *n = &d.at[i];
    CHECK(n->relation == 0 && n->values.count == 1 && (n->premises.count == 0 || n->premises.count == 2));
    int64_t made = n->premises.count ? 2 : 0;
    for (size_t j = 0; j < n->premises.count; j++) {
      CHECK(n->premises.at[j] < i);
      made += small(d.at[n->premises.at[j]].values.at[0]);
    }
    CHECK(small(n->values.at[0]) == made);
  }
  CHECK(small(d.at[VECTOR_LAST(d).premises.at[0]].values.at[0]) == 6);
  horn_derivation_clear(&d);
  fixedpoint_free(f);
  lab_close(&l);
}

static number value_at(const lab *l, term t, int64_t x) {
  number values[2] = {number_of(0), number_of(0)};
  values[l->x.x] = number_of(x);
  return term_evaluate(l->ts, t, values);
}

TEST(interpretations_are_read) {
  lab l;
  lab_open(&l, is_negative);
  fixedpoint *f = fixedpoint_new(l.ts, &l.problem, &l.budget);
  CHECK(answer_is_no(fixedpoint_query(f, NULL, NULL)));
  term_vector formulas = {0};
  const char *reason = NULL;
  variable_vector indices = {0};
  CHECK(fixedpoint_interpretation(f, &formulas, &indices, &reason), "%s", reason);
  CHECK(!indices.count);
  VECTOR_FREE(indices);
  term all = formulas.at[0];
  CHECK(term_is_false(formulas.at[1]));
  CHECK(number_is(value_at(&l, all, -1), 0));
  for (int64_t x = 0; x < 20; x += 2) CHECK(number_is(value_at(&l, all, x), 1));
  VECTOR_FREE(formulas);
  fixedpoint_free(f);
  lab_close(&l);
}

/* What is known spares Spacer the search: that x is even, which it does not find by itself in this time. */
static term is_odd(terms *ts, term x) {
  return term_and(ts, term_gt(ts, x, term_int(ts, 1000)),
                  term_eq(ts, term_mod(ts, x, term_int(ts, 2)), term_int(ts, 1)));
}

TEST(covers_are_used) {
  lab l;
  lab_open(&l, is_odd);
  fixedpoint *f = fixedpoint_new(l.ts, &l.problem, &l.budget);
  term x = term_of_variable(l.ts, l.x);
  horn_cover even = {.relation = 0, .level = HORN_ALWAYS};
  even.formula = term_eq(l.ts, term_mod(l.ts, x, term_int(l.ts, 2)), term_int(l.ts, 0));
  fixedpoint_add_cover(f, &even);
  CHECK(answer_is_no(fixedpoint_query(f, NULL, NULL)));
  CHECK(fixedpoint_counts_of(f).levels <= 2);
  fixedpoint_free(f);
  lab_close(&l);
}

typedef struct watching {
  fixedpoint *f;
  unsigned calls, end_after;
  horn_covers covers;
} watching;

static bool watch(void *context) {
  watching *w = context;
  const char *reason = NULL;
  if (++w->calls < w->end_after) return false;
  fixedpoint_covers(w->f, true, &w->covers, &reason);
  return true;
}

TEST(an_observer_ends_the_query) {
  lab l;
  lab_open(&l, is_odd);
  watching w = {.end_after = 30, .f = fixedpoint_new(l.ts, &l.problem, &l.budget)};
  answer a = fixedpoint_query(w.f, watch, &w);
  CHECK(answer_is_unsure(a) && fixedpoint_was_ended(w.f));
  CHECK_TEXT(a.reason, "ended by its observer");
  CHECK(w.covers.count > 0);
  fixedpoint *next = fixedpoint_new(l.ts, &l.problem, &l.budget);
  for (size_t i = 0; i < w.covers.count; i++) fixedpoint_add_cover(next, &w.covers.at[i]);
  w.calls = 0;
  fixedpoint_free(w.f);
  w.f = next;
  CHECK(answer_is_unsure(fixedpoint_query(w.f, watch, &w)) && fixedpoint_was_ended(w.f));
  VECTOR_FREE(w.covers);
  fixedpoint_free(w.f);
  lab_close(&l);
}

TEST(time_is_kept) {
  lab l;
  lab_open(&l, is_odd);
  l.budget.deadline = clock_seconds() + 0.3;
  fixedpoint *f = fixedpoint_new(l.ts, &l.problem, &l.budget);
  answer a = fixedpoint_query(f, NULL, NULL);
  CHECK(answer_is_unsure(a) && !fixedpoint_was_ended(f));
  CHECK_TEXT(a.reason, "time limit reached");
  CHECK(clock_seconds() < l.budget.deadline + 10);
  fixedpoint_free(f);
  lab_close(&l);
}

/* Eleven things in ten places, no two in one: the first check takes long, and Spacer calls nobody during it. */
enum { THINGS = 11, PLACES = 10 };

static term sits(lab *l, size_t thing, size_t place) {
  static const type truth = {.sort = SORT_BOOL};
  char name[40];
  variable v;
  snprintf(name, sizeof name, "sits%zu_%zu", thing, place);
  return term_of_variable(l->ts, variable_find(l->ts, name, &v) ? v : variable_new(l->ts, name, &truth));
}

static term all_sit(lab *l) {
  term result = TERM_TRUE;
  for (size_t i = 0; i < THINGS; i++) {
    term somewhere = TERM_FALSE;
    for (size_t j = 0; j < PLACES; j++) {
      somewhere = term_or(l->ts, somewhere, sits(l, i, j));
      for (size_t k = 0; k < i; k++)
        result = term_and(l->ts, result, term_not(term_and(l->ts, sits(l, i, j), sits(l, k, j))));
    }
    result = term_and(l->ts, result, somewhere);
  }
  return result;
}

TEST(work_is_kept_inside_a_check) {
  lab l;
  lab_open(&l, is_six);
  horn_rule *first = &l.problem.rules.at[0];
  first->constraint = term_and(l.ts, first->constraint, all_sit(&l));
  for (size_t i = 0; i < THINGS; i++)
    for (size_t j = 0; j < PLACES; j++) VECTOR_PUSH(first->variables, term_variable(l.ts, sits(&l, i, j)));
  l.budget = work_budget(WORK_OF_QUERY);
  l.budget.deadline += 60;
  uint64_t before = work_done();
  watching w = {.end_after = UINT_MAX, .f = fixedpoint_new(l.ts, &l.problem, &l.budget)};
  answer a = fixedpoint_query(w.f, watch, &w);
  CHECK(answer_is_unsure(a) && !fixedpoint_was_ended(w.f));
  CHECK_TEXT(a.reason, "work limit reached");
  CHECK(work_done() - before < 2 * WORK_OF_QUERY, "%zu", (size_t)(work_done() - before));
  CHECK(w.calls < 10, "%u", w.calls);
  fixedpoint_free(w.f);
  lab_close(&l);
}

/* ---- the engine ---- */

TEST(one_relation) {
  expect("var x, y : int = 0\naction up: true -> x := x + 1, y := y + 2\nsafe s: y >= x\n", VERDICT_SAFE, 0);
  expect("var x, y : int = 0\naction up: true -> x := x + 1, y := y + 2\nsafe s: y <= x + 4\n", VERDICT_UNSAFE, 5);
  expect("var x : int = 0\naction set(i : int): i > x -> x := i\nsafe s: x != 17\n", VERDICT_UNSAFE, 1);
  expect("var x : int = 3\nsafe s: x != 3\n", VERDICT_UNSAFE, 0);
}

static const char looping[] = "var x : int = 0\nprogram p {\n  while (x < 5) { x := x + 1; }\n  assert x = %s;\n}\n";

TEST(a_relation_for_each_place) {
  char *right = text_format(looping, "5"), *wrong = text_format(looping, "4");
  model *m = model_of_text(right);
  spacer s = {.env = &(engine_environment){.model = m, .budget = &(budget){0}}, .ts = m->terms};
  CHECK(!problem_of_model(&s) && s.has_places && problem_relations(&s) > 2);
  horn_problem_clear(&s.problem);
  model_free(m);
  expect(right, VERDICT_SAFE, 0);
  engine_result r = engine_run_text(&engine_spacer, wrong, 20000000, 0, NULL);
  CHECK(r.verdict == VERDICT_UNSAFE && r.checked, "%s", r.reason ? r.reason : "");
  engine_result_free(&r);
  memory_free(right);
  memory_free(wrong);
}

TEST(deadlocks_and_faults) {
  expect("var x : 0..9 = 0\naction up: x < 5 -> x := x + 1\ndeadlockfree\n", VERDICT_UNSAFE, 5);
  expect("var x : 0..9 = 0\naction up: x < 5 -> x := x + 1\naction down: x = 5 -> x := 0\ndeadlockfree\n", VERDICT_SAFE,
         0);
  expect("var x : 0..4 = 0\naction add(i : 0..3): i != 2 -> x := x + i\n", VERDICT_UNSAFE, 1);
  expect("var x : 0..9 = 0\naction add(i : 0..3): x + i < 9 -> x := x + i\nsafe s: x < 9\n", VERDICT_SAFE, 0);
}

/* With what is known its proof is sure to be found, and rests on it. */
TEST(facts_are_used) {
  engine_run_lemmas_as_facts = true;
  expect("var x : int = 0\naction up: true -> x := x + 2\nlemma x % 2 = 0\nsafe s: x != 1001\n", VERDICT_SAFE, 0);
  engine_run_lemmas_as_facts = false;
}

/* ---- facts and lemmas ---- */

/* What the engine says with one cover, of the first relation; "" if it sends nothing. */
static GIVE char *sent_with(model *m, const char *formula) {
  int ends[2];
  term_vector read = {0};
  text out = {0};
  diagnostics d = {0};
  budget b = budget_unlimited();
  REQUIRE(!pipe2(ends, O_NONBLOCK) && input_read_expressions(m, "test", formula, strlen(formula), &read, &d),
          "formulas");
  engine_environment env = {.model = m, .budget = &b, .events = events_new(ends[1])};
  spacer s = {.env = &env, .ts = m->terms, .own = names_new()};
  CHECK(!problem_of_model(&s));
  horn_cover cover = {.relation = 0, .level = HORN_ALWAYS, .formula = term_and_all(m->terms, read.count, read.at)};
  horn_covers covers = {.at = &cover, .count = 1};
  spacer_lemmas_send(&s, &covers);
  spacer_lemmas_send(&s, &covers); /* the second time there is nothing new */
  close(ends[1]);
  channel c = {.descriptor = ends[0]};
  while (channel_fill(&c))
    ;
  for (message one; channel_next(&c, &one);)
    if (one.kind == MESSAGE_LEMMAS) text_add(&out, "%s", one.bytes);
  channel_clear(&c);
  events_free(env.events);
  horn_problem_clear(&s.problem);
  names_free(s.own);
  VECTOR_FREE(s.sent);
  VECTOR_FREE(read);
  return text_give(&out);
}

static void expect_sent(const char *formula, const char *wanted) {
  model *m = model_of_text(
      "var k : int = 0\nprocess P[i : 0..1] {\n  states a, b, c\n  go: a -> b when k < 9 : k := k + 1\n"
      "  back: b -> a\n}\nsafe s: k < 100\n");
  char *sent = sent_with(m, formula);
  CHECK_TEXT(sent, wanted);
  memory_free(sent);
  model_free(m);
}

TEST(lemmas_are_checked_and_sent) {
  expect_sent("k >= 0", "(>= |k| 0)\n");
  expect_sent("k >= 0, k <= 9", "(>= |k| 0)\n(<= |k| 9)\n");
  expect_sent("k <= 5", "");
  expect_sent("k >= 1", "");
  expect_sent("!(P[1] at c)", "(not (= |P[1]| 2))\n");
}

static const char stepping[] =
    "(set-logic HORN)\n(declare-fun P (Int Int) Bool)\n(assert (forall ((x Int) (y Int)) (=> (= x 0) (P x y))))\n"
    "(assert (forall ((x Int) (y Int) (z Int)) (=> (P x y) (P (+ x 2) z))))\n"
    "(assert (forall ((x Int) (y Int)) (=> (and (P x y) (= x 1001)) false)))\n(check-sat)\n";

TEST(facts_about_states_are_used_on_clauses) {
  model *m = clauses_of_text(stepping);
  statistics counted = {0};
  budget b = budget_unlimited();
  b.deadline = clock_seconds() + 60;
  engine_environment env = {.model = m, .budget = &b, .statistics = &counted};
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    bool is_x = m->variables.at[i].role == ROLE_STATE && variable_type(m->terms, v)->sort == SORT_INT;
    term rest = is_x ? term_mod(m->terms, term_of_variable(m->terms, v), term_int(m->terms, 2)) : TERM_TRUE;
    if (is_x && !env.facts.count) VECTOR_PUSH(env.facts, term_eq(m->terms, rest, term_int(m->terms, 0)));
  }
  claim c = {0};
  void *state = engine_spacer.open(&env);
  CHECK(engine_spacer.step(state, &c) == ENGINE_DONE);
  CHECK(c.verdict == VERDICT_SAFE && c.evidence.kind == EVIDENCE_INTERPRETATION && env.used_facts, "%s",
        c.reason ? c.reason : "");
  check_result checked = check_evidence(m, 0, &c.evidence, &b, NULL);
  CHECK(checked.kind == CHECK_ACCEPTED, "%s", checked.what);
  engine_spacer.close(state);
  memory_free(checked.what);
  claim_clear(&c);
  VECTOR_FREE(env.facts);
  model_free(m);
}

TEST_MAIN
