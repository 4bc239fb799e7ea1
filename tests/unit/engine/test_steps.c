/* kind and pdr on models with known answers; projection against evaluation; k-inductive certificates, right and
 * damaged; questions with assumptions. */
#include "base/random.h"
#include "engine/pdr/share.h"
#include "engine/project.h"
#include "input/input.h"
#include "model/unroll.h"
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "term/evaluate.h"
#include "term/substitute.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "unit/work_budget.h"

extern const engine engine_kind, engine_pdr;

static const char SWAP[] = "var x : int = 0\nvar y : int = 1\naction swap: true -> x := y, y := x\nsafe s: x != 5\n";
/* A cycle that is not reached leads to the bad state after any number of rounds. */
static const char AWAY[] =
    "var x : 0..9 = 0\naction go: x < 3 -> x := x + 1\naction back: x = 3 -> x := 0\n"
    "action turn: x >= 5 && x < 7 -> x := x + 1\naction return: x = 7 -> x := 5\n"
    "action out: x = 6 -> x := 9\nsafe s: x != 9\n";
static const char COUNT[] =
    "var x : int = 0\nvar y : int = 0\naction add(i : int): i >= 2 && i <= 3 -> x := x + i, y := y + 1\n"
    "safe s: x != 11\n";
static const char FAULT[] = "var x : 0..9 = 0\naction add(i : 1..4): x < 7 -> x := x + i\n";
static const char STUCK[] = "var x : 0..9 = 0\naction add(i : 1..4): x + i < 9 -> x := x + i\ndeadlockfree\n";
static const char BOUND[] =
    "var x : int = 0\nvar b : bool = false\naction up: x < 10 && !b -> x := x + 1\n"
    "action turn: x = 10 -> b := true\naction down: b && x > 0 -> x := x - 1\nsafe s: x <= 10 && x >= 0\n";

static void expect(const engine *e, const char *content, verdict wanted, size_t steps) {
  engine_result r = engine_run_text(e, content, 200000000, 0, NULL);
  CHECK(r.verdict == wanted, "%s: verdict %d, %s", e->name, (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.checked, "%s: %s", e->name, r.reason ? r.reason : "not checked");
  bool is_shortest = e == &engine_kind;
  CHECK(wanted != VERDICT_UNSAFE || (is_shortest ? r.steps == steps : r.steps >= steps), "%s: %zu", e->name, r.steps);
  engine_result_free(&r);
}

TEST(kind_proves_by_induction) {
  expect(&engine_kind, SWAP, VERDICT_SAFE, 0);
  expect(&engine_kind, AWAY, VERDICT_SAFE, 0);
  expect(&engine_kind, BOUND, VERDICT_SAFE, 0);
}

TEST(kind_finds_shortest_runs) {
  expect(&engine_kind, COUNT, VERDICT_UNSAFE, 4);
  expect(&engine_kind, FAULT, VERDICT_UNSAFE, 2);
  expect(&engine_kind, STUCK, VERDICT_UNSAFE, 2);
}

TEST(pdr_proves) {
  expect(&engine_pdr, SWAP, VERDICT_SAFE, 0);
  expect(&engine_pdr, AWAY, VERDICT_SAFE, 0);
  expect(&engine_pdr, BOUND, VERDICT_SAFE, 0);
}

/* Two counters that go up together, from 0 or from 1. */
static const char TOGETHER[] =
    "var x : int\nvar y : int\ninit x = y && x >= 0 && x <= 1\naction up: true -> x := x + 1, y := y + 1\n"
    "action turn: x > 3 -> x := -y, y := -x\nsafe s: x < 20 || y >= 20\n";

/* How many steps pdr takes with this predicate of others; 0 if it decides nothing in 12. */
static size_t steps_with(const char *predicate) {
  model *m = model_of_text(TOGETHER);
  diagnostics d = {0};
  statistics counted = {0};
  budget b = work_budget(200000000);
  engine_environment env = {.model = m, .budget = &b, .statistics = &counted};
  bool read = input_read_expressions(m, "test", predicate, strlen(predicate), &env.offers, &d);
  CHECK(read, "%s", predicate);
  claim c = {0};
  size_t steps = 1;
  void *state = engine_pdr.open(&env);
  while (steps <= 12 && engine_pdr.step(state, &c) == ENGINE_GOES_ON) steps++;
  CHECK(c.verdict != VERDICT_UNSAFE);
  if (c.verdict == VERDICT_SAFE) CHECK(check_evidence(m, 0, &c.evidence, &b, NULL).kind == CHECK_ACCEPTED);
  engine_pdr.close(state);
  steps = c.verdict == VERDICT_SAFE ? steps : 0;
  claim_clear(&c);
  VECTOR_FREE(env.offers);
  model_free(m);
  return steps;
}

TEST(pdr_uses_predicates_of_others) {
  CHECK(!steps_with("x = 7"));
  CHECK(steps_with("x = y"));
}

/* What is told of these lemmas, with all that is known: the largest part that is inductive. */
TEST(pdr_tells_lemmas_that_are_inductive) {
  model *m = model_of_text(TOGETHER);
  budget b = work_budget(200000000);
  engine_environment env = {.model = m, .budget = &b};
  bounded_violation v = violation_of(m, 0);
  unrolling *u = unrolling_new(m);
  frames *f = frames_new(&env, u, &v);
  static const char *const excluded[] = {"x < y", "x > y", "x > 1000"};
  for (size_t i = 0; i < ARRAY_LENGTH(excluded); i++) {
    diagnostics d = {0};
    cube c = {0};
    CHECK(input_read_expressions(m, "test", excluded[i], strlen(excluded[i]), &c, &d));
    frames_add(f, c, 1);
  }
  sharing s;
  term_vector told = {0};
  sharing_init(&s, &env, u, f);
  frames_extend(f);
  sharing_find(&s, &told);
  CHECK(told.count == 2, "%zu", told.count);
  VECTOR_FREE(told);
  sharing_clear(&s);
  frames_free(f);
  unrolling_free(u);
  model_free(m);
}

TEST(pdr_finds_runs) {
  expect(&engine_pdr, COUNT, VERDICT_UNSAFE, 4);
  expect(&engine_pdr, FAULT, VERDICT_UNSAFE, 2);
  expect(&engine_pdr, STUCK, VERDICT_UNSAFE, 2);
}

/* A value goes through four places of a queue; the first is 4-inductive, and 3-inductive with what is known of the
 * last. */
static const char QUEUE[] =
    "(set-logic HORN)(declare-fun P (Int Int Int Int) Bool)\n"
    "(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (= a 0) (= b 0) (= c 0) (= d 0)) (P a b c d))))\n"
    "(assert (forall ((a Int) (b Int) (c Int) (d Int) (i Int)) (=> (and (P a b c d) (>= i (- 5))) (P b c d i))))\n"
    "(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (P a b c d) (= a (- 7))) false)))\n(check-sat)\n";
/* The same with cycles that are not reached: without bound, unless states of a path differ. */
static const char LOOP[] =
    "(set-logic HORN)(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (P x))))\n"
    "(assert (forall ((x Int) (y Int)) (=> (and (P x) (or (and (= x 0) (= y 0)) (and (= x 5) (= y 6)) (and (= x 6) "
    "(= y 5)) (and (= x 6) (= y 9)))) (P y))))\n"
    "(assert (forall ((x Int)) (=> (and (P x) (= x 9)) false)))\n(check-sat)\n";

static void expect_on_clauses(const char *content, size_t depth) {
  model *m = clauses_of_text(content);
  engine_result r = engine_run_model(&engine_kind, m, NULL, 200000000, 0, NULL);
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "verdict %d, %s", (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.statistics.depth >= depth, "%zu", (size_t)r.statistics.depth);
  engine_result_free(&r);
  model_free(m);
}

TEST(a_k_inductive_property_of_clauses_becomes_an_interpretation) {
  expect_on_clauses(QUEUE, 3);
  expect_on_clauses(LOOP, 1);
}

/* A number of bits is even from the first step on. Which bits they are is forgotten only if the induction is over several steps: as an
 * invariant of literals it is as long as there are ways to be even. */
static GIVE model *even_bits(int count) {
  text t = {0}, parity = {0};
  text_add(&parity, "true");
  text_add(&t, "(set-logic HORN)(declare-fun P (Int");
  for (int i = 0; i < count; i++) text_add(&t, " Bool");
  text_add(&t, ") Bool)\n(define-fun even (");
  for (int i = 0; i < count; i++) {
    text_add(&t, "(b%d Bool)", i);
    char *before = text_give(&parity);
    text_add(&parity, "(= b%d %s)", i, before);
    memory_free(before);
  }
  text_add(&t, ") Bool %s)\n", text_string(&parity));
  text_clear(&parity);
  text bits = {0}, declared = {0};
  for (int i = 0; i < count; i++) text_add(&bits, " b%d", i), text_add(&declared, "(b%d Bool)", i);
  const char *b = text_string(&bits), *d = text_string(&declared);
  text_add(&t, "(assert (forall (%s) (P 0 %s)))\n", d, b);
  text_add(&t, "(assert (forall (%s (c Bool)) (=> (and (P 0 %s) (even %s)) (P 1 %s))))\n", d, b, b, b);
  text_add(&t, "(assert (forall (%s) (=> (P 1 %s) (P 2 %s))))\n", d, b, b);
  text_add(&t, "(assert (forall (%s) (=> (and (P 2 %s) (not (even %s))) false)))\n(check-sat)\n", d, b, b);
  model *m = clauses_of_text(text_string(&t));
  text_clear(&t);
  text_clear(&bits);
  text_clear(&declared);
  return m;
}

TEST(a_k_inductive_property_of_clauses_is_evidence_if_an_invariant_is_too_long) {
  model *m = even_bits(14);
  engine_result r = engine_run_model(&engine_kind, m, NULL, 200000000, 0, NULL);
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "verdict %d, %s", (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.claimed == EVIDENCE_K_INDUCTIVE);
  engine_result_free(&r);
  model_free(m);
}

/* ---- certificates ---- */

/* What the checker says of the evidence, written and read back. Takes both. */
static check_kind checked_again(TAKE model *m, TAKE evidence *e) {
  budget b = budget_unlimited();
  evidence read = {0};
  text written = {0};
  size_t property;
  char *error = NULL;
  certificate_write(m, 0, e, &written);
  bool fine = certificate_read(m, text_string(&written), written.count, &property, &read, &error);
  CHECK(fine, "%s", error ? error : "");
  CHECK(read.kind == e->kind && read.depth == e->depth && read.states_differ == e->states_differ);
  check_result r = check_evidence(m, 0, &read, &b, NULL);
  check_kind kind = r.kind;
  memory_free(r.what);
  evidence_clear(e);
  evidence_clear(&read);
  text_clear(&written);
  model_free(m);
  return kind;
}

/* Of `x != bad` in this depth. */
static check_kind checked(const char *content, size_t depth, bool differ, int64_t bad) {
  model *m = model_of_text(content);
  evidence e = {.kind = EVIDENCE_K_INDUCTIVE, .depth = depth, .states_differ = differ};
  term x = term_of_variable(m->terms, m->variables.at[0].var);
  evidence_add_part(m->terms, &e, term_not(term_eq(m->terms, x, term_int(m->terms, bad))));
  return checked_again(m, &e);
}

TEST(k_inductive_evidence_is_judged) {
  CHECK(checked(SWAP, 2, false, 5) == CHECK_ACCEPTED);
  CHECK(checked(SWAP, 1, false, 5) == CHECK_REJECTED); /* too small a depth */
  CHECK(checked(SWAP, 3, false, 5) == CHECK_ACCEPTED);
  CHECK(checked(SWAP, 2, false, 4) == CHECK_REJECTED); /* does not exclude what is bad */
  CHECK(checked(AWAY, 4, true, 9) == CHECK_ACCEPTED);
  CHECK(checked(AWAY, 4, false, 9) == CHECK_REJECTED); /* needs that the states differ */
  CHECK(checked(AWAY, 2, true, 9) == CHECK_REJECTED);
  CHECK(checked(COUNT, 5, false, 11) == CHECK_REJECTED); /* not so after some steps */
}

/* x goes from P to Q and back and grows by 1 from P on; in P it is even. */
static const char TWO[] =
    "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun Q (Int Bool) Bool)\n(assert (forall ((x Int)) (=> (= x 0) "
    "(P x))))\n"
    "(assert (forall ((x Int)) (=> (P x) (Q (+ x 1) true))))\n(assert (forall ((y Int)) (=> (Q (- y 1) true) (P y))))\n"
    "(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) (= x 5) (not b)) false)))\n"
    "(assert (forall ((x Int)) (=> (and (P x) (= x (- 1))) false)))\n(check-sat)\n";

/* Of `x >= least` for P and of true or `b` for Q. */
static check_kind checked_on_clauses(const char *content, size_t depth, int64_t least, bool says_b) {
  model *m = clauses_of_text(content);
  evidence e = {.kind = EVIDENCE_K_INTERPRETATION, .depth = depth};
  const clause_predicate *predicates = m->clauses->predicates.at;
  term x = term_of_variable(m->terms, predicates[0].parameters.at[0]);
  term of_q = term_of_variable(m->terms, predicates[1].parameters.at[1]);
  VECTOR_PUSH(e.interpretation, term_le(m->terms, term_int(m->terms, least), x));
  VECTOR_PUSH(e.interpretation, says_b ? of_q : TERM_TRUE);
  return checked_again(m, &e);
}

TEST(k_inductive_interpretations_are_judged) {
  CHECK(checked_on_clauses(TWO, 2, 0, true) == CHECK_ACCEPTED);
  CHECK(checked_on_clauses(TWO, 3, 0, true) == CHECK_ACCEPTED);
  CHECK(checked_on_clauses(TWO, 1, 0, true) == CHECK_REJECTED);  /* what P is after Q takes two */
  CHECK(checked_on_clauses(TWO, 2, 0, false) == CHECK_REJECTED); /* does not exclude a query */
  CHECK(checked_on_clauses(TWO, 2, -1, true) == CHECK_REJECTED); /* nor the other one */
  CHECK(checked_on_clauses(TWO, 2, 1, true) == CHECK_REJECTED);  /* not so of a fact */
  CHECK(checked_on_clauses(TWO, 5000, 0, true) == CHECK_REJECTED);
}

static const char *const damaged_interpretations[] = {
    "; whet k-inductive interpretation 1\n(define-fun P ((x Int)) Bool true)(define-fun Q ((x Int) (b Bool)) Bool b)",
    "; whet k-inductive interpretation 1\n(set-info :whet-depth 0)(define-fun P ((x Int)) Bool true)",
    "; whet k-inductive interpretation 1\n(set-info :whet-depth 2)(define-fun P ((x Int)) Bool true)",
    "; whet k-inductive interpretation 1\n(set-info :whet-depth 2)(define-fun P ((x Bool)) Bool true)",
    "; whet k-inductive interpretation 1\n(set-info :whet-depth 2)(assert true)",
    "; whet k-inductive interpretation 1\n(set-info :whet-depth 99999999999)",
    "; whet k-inductive interpretation 2\n(set-info :whet-depth 2)(define-fun P ((x Int)) Bool true)",
};

TEST(damaged_k_inductive_interpretations_are_refused) {
  model *m = clauses_of_text(TWO);
  for (size_t i = 0; i < ARRAY_LENGTH(damaged_interpretations); i++) {
    evidence e;
    size_t property;
    char *error = NULL;
    const char *content = damaged_interpretations[i];
    CHECK(!certificate_read(m, content, strlen(content), &property, &e, &error) && error, "number %zu", i);
    memory_free(error);
  }
  model_free(m);
}

/* Trees, and clauses about constants, have no chains. */
TEST(k_inductive_interpretations_of_trees_are_unsure) {
  static const char tree[] =
      "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun Q (Int Bool) Bool)\n(assert (forall ((x Int)) (=> (= x "
      "0) (P x))))\n"
      "(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))\n(assert (forall ((x Int)) (=> (P x) (Q "
      "x true))))\n"
      "(assert (forall ((x Int) (b Bool)) (=> (and (Q x b) (Q (+ x 1) b) (< x 0)) false)))\n(check-sat)\n";
  CHECK(checked_on_clauses(tree, 2, 0, true) == CHECK_UNSURE);
}

TEST(damaged_k_inductive_certificates_are_refused) {
  static const char *const damaged[] = {
      "; whet k-induction 2\n(set-info :whet-property \"s\")(set-info :whet-depth 2)(define-fun inv ((|x| Int)) Bool "
      "true)",
      "; whet k-induction 1\n(set-info :whet-property \"s\")(define-fun inv ((|x| Int)) Bool true)",
      "; whet k-induction 1\n(set-info :whet-property \"s\")(set-info :whet-depth 0)(define-fun inv ((|x| Int)) Bool "
      "true)",
      "; whet k-induction 1\n(set-info :whet-property \"s\")(set-info :whet-depth 99999999999999999999)(define-fun inv "
      "() Bool true)",
      "; whet k-induction 1\n(set-info :whet-property \"s\")(set-info :whet-depth 2)(set-info :whet-states-differ 1)",
      "; whet k-induction 1\n(set-info :whet-property \"s\")(set-info :whet-depth 2)(set-info :whet-states-differ "
      "some)",
      "; whet k-induction 1\n(set-info :whet-depth 2)(define-fun inv ((|x| Int)) Bool true)",
      "; whet k-induction 1\n(set-info :whet-property \"s\")(set-info :whet-depth 2)(define-fun inv ((|z| Int)) Bool "
      "true)",
  };
  model *m = model_of_text(SWAP);
  for (size_t i = 0; i < ARRAY_LENGTH(damaged); i++) {
    evidence e = {0};
    size_t property;
    char *error = NULL;
    CHECK(!certificate_read(m, damaged[i], strlen(damaged[i]), &property, &e, &error), "number %zu", i);
    CHECK(error && strchr(error, ':'), "number %zu", i);
    memory_free(error);
  }
  model_free(m);
}

/* ---- projection ---- */

static term random_sum(terms *ts, random_source *r, const variable *vars, size_t count) {
  term sum = term_int(ts, (int64_t)random_below(r, 9) - 4);
  for (size_t i = 0; i < 3; i++) {
    term leaf = term_of_variable(ts, vars[random_below(r, count)]);
    sum = term_add(ts, sum, term_scale(ts, number_of((int64_t)random_below(r, 5) - 2), leaf));
  }
  return sum;
}

static term random_formula(terms *ts, random_source *r, const variable *vars, size_t count, unsigned depth) {
  if (!depth) {
    term a = random_sum(ts, r, vars, count), b = random_sum(ts, r, vars, count);
    if (random_below(r, 3) == 0) a = term_ite(ts, term_le(ts, b, term_int(ts, 0)), a, term_mod(ts, b, term_int(ts, 3)));
    return random_below(r, 2) ? term_le(ts, a, b) : term_eq(ts, a, term_int(ts, (int64_t)random_below(r, 3)));
  }
  term a = random_formula(ts, r, vars, count, depth - 1), b = random_formula(ts, r, vars, count, depth - 1);
  switch (random_below(r, 4)) {
    case 0: return term_and(ts, a, b);
    case 1: return term_or(ts, a, b);
    case 2: return term_iff(ts, a, b);
    default: return term_ite(ts, a, b, term_not(b));
  }
}

/* The literals hold under the values, do not speak of what is gone, and imply the formula for some value of it. */
static void expect_projection(terms *ts, term f, const variable *vars, const number *values) {
  budget b = budget_unlimited();
  term_vector literals = {0};
  CHECK(project(ts, f, 1, &vars[0], values, &literals));
  term cube = term_and_all(ts, literals.count, literals.at);
  CHECK(number_is(term_evaluate(ts, cube, values), 1));
  CHECK(!term_mentions(ts, cube, vars[0]));
  /* vars[0] is from -2 to 2: all its values can be tried. */
  term some = TERM_FALSE;
  for (int64_t v = -2; v <= 2; v++) {
    substitution *s = substitution_new(ts);
    substitution_set(s, vars[0], term_int(ts, v));
    some = term_or(ts, some, substitution_apply(s, f));
    substitution_free(s);
  }
  solver *z = solver_new(ts, &b);
  CHECK(answer_is_yes(solver_valid(z, term_implies(ts, cube, some))));
  solver_free(z);
  VECTOR_FREE(literals);
}

TEST(projections_imply_the_formula) {
  terms *ts = terms_new();
  type whole = {.sort = SORT_INT},
       small = {.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(-2), .high = number_of(2)};
  variable vars[3] = {variable_new(ts, "g", &small), variable_new(ts, "x", &whole), variable_new(ts, "y", &whole)};
  random_source r = {7};
  size_t tried = 0;
  for (unsigned i = 0; i < 400; i++) {
    term f = random_formula(ts, &r, vars, 3, 2);
    number values[3];
    for (size_t j = 0; j < 3; j++) values[j] = number_of((int64_t)random_below(&r, 5) - 2);
    if (!number_is(term_evaluate(ts, f, values), 1)) continue;
    expect_projection(ts, f, vars, values);
    tried++;
  }
  CHECK(tried > 100, "%zu", tried);
  terms_free(ts);
}

/* ---- assumptions ---- */

TEST(assumptions_have_cores_and_values) {
  terms *ts = terms_new();
  type truth = {.sort = SORT_BOOL}, small = {.sort = SORT_INT, .has_low = true, .low = number_of(3)};
  variable x = variable_new(ts, "x", &small), unused = variable_new(ts, "u", &small);
  term a = term_of_variable(ts, variable_new(ts, "a", &truth)), b = term_of_variable(ts, variable_new(ts, "b", &truth)),
       c = term_of_variable(ts, variable_new(ts, "c", &truth)), X = term_of_variable(ts, x);
  budget all = budget_unlimited();
  solver *s = solver_new_for_assumptions(ts, &all);
  solver_assert(s, term_implies(ts, a, term_ge(ts, X, term_int(ts, 5))));
  solver_assert(s, term_implies(ts, b, term_le(ts, X, term_int(ts, 4))));
  solver_assert(s, term_implies(ts, c, term_le(ts, X, term_int(ts, 9))));
  core_names core = {0};
  CHECK(answer_is_no(solver_check_assuming(s, 3, (term[]){c, a, b}, 0)));
  solver_core_assumed(s, &core);
  CHECK(core.count == 2 && core.at[0] == 1 && core.at[1] == 2);
  CHECK(answer_is_yes(solver_check_assuming(s, 3, (term[]){c, a, term_not(b)}, 0)));
  variable both[2] = {x, unused};
  number values[2];
  CHECK(solver_values(s, 2, both, values));
  CHECK(number_compare(values[0], number_of(5)) >= 0 && number_compare(values[0], number_of(9)) <= 0);
  CHECK(number_is(values[1], 3));
  VECTOR_FREE(core);
  solver_free(s);
  terms_free(ts);
}

TEST_MAIN
