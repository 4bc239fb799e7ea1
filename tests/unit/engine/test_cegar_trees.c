/* cegar on clauses: verdicts whose evidence is checked, and its parts: formulas between two others, abstract facts, a tree
 * that is refined. */
#include "base/random.h"
#include "engine/cegar/trees/counterexample.h"
#include "engine/separate.h"
#include "unit/engine/tree_clauses.h"

extern const engine engine_cegar;

enum { WORK = 3000000 };

static void expect_of(const char *content, bool are_trees, verdict wanted) {
  statistics counted = expect_on_trees(&engine_cegar, content, are_trees, WORK, NULL, wanted);
  CHECK(counted.queries > 0 && counted.iterations > 0);
  CHECK(wanted != VERDICT_SAFE || counted.abstract_states > 0);
}

static void expect(const char *content, verdict wanted) { expect_of(content, true, wanted); }

TEST(recursion_with_two_calls) {
  expect(FIBONACCI("(< r (- n 1))"), VERDICT_SAFE);
  expect(FIBONACCI("(and (= n 5) (= r 5))"), VERDICT_UNSAFE);
}

/* Both subtrees are of the same abstract fact, but must not be the same atom: "false" is derived from two different ones. */
TEST(a_fact_stands_for_many_atoms) {
  const char *head = "(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 1)) (p x))))\n";
  char *two = text_format("%s(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (distinct x y)) false)))\n", head);
  char *three = text_format(
      "%s(assert (forall ((x Int)) (=> (p x) (p x))))\n"
      "(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x) (p y) (p z) (distinct x y z)) false)))\n",
      head);
  expect_of(two, false, VERDICT_UNSAFE);
  expect(three, VERDICT_SAFE);
  memory_free(two);
  memory_free(three);
}

/* Neither atom is a bound of the other's arguments: x <= y is in no clause. */
TEST(a_relation_that_no_clause_has) {
  expect(
      "(declare-fun p (Int Int) Bool)\n(assert (p 0 0))\n"
      "(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (p a b) (p c d)) (p (+ a c 1) (+ b d 2)))))\n"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 100) (< y 100)) false)))\n",
      VERDICT_SAFE);
}

TEST(booleans_and_enumerations) {
  const char *head =
      "(declare-datatype T ((leaf) (node)))\n(declare-fun h (T Int Bool) Bool)\n(assert (h leaf 0 true))\n"
      "(assert (forall ((a T) (b T) (m Int) (n Int) (p Bool) (q Bool)) (=> (and (h a m p) (h b n q) (<= n m)) (h node "
      "(+ m 1) (and p q)))))\n";
  char *safe =
      text_format("%s(assert (forall ((t T) (n Int) (p Bool)) (=> (h t n p) (and p (= (= t leaf) (= n 0))))))\n", head);
  char *wrong =
      text_format("%s(assert (forall ((t T) (n Int) (p Bool)) (=> (h t n p) (or (= t leaf) (< n 3)))))\n", head);
  expect(safe, VERDICT_SAFE);
  expect(wrong, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

TEST(reals) {
  const char *head =
      "(declare-fun mean (Real) Bool)\n(assert (mean 0.0))\n(assert (mean 1.0))\n"
      "(assert (forall ((a Real) (b Real)) (=> (and (mean a) (mean b)) (mean (/ (+ a b) 2.0)))))\n";
  char *safe = text_format("%s(assert (forall ((a Real)) (=> (and (mean a) (> a 1.0)) false)))\n", head);
  char *wrong = text_format("%s(assert (=> (mean (/ 1.0 4.0)) false))\n", head);
  expect(safe, VERDICT_SAFE);
  expect(wrong, VERDICT_UNSAFE);
  expect_of(
      "(declare-fun p (Real) Bool)\n(assert (forall ((x Real)) (=> (< x 1.0) (p x))))\n"
      "(assert (forall ((x Real)) (=> (p x) (p (/ x 2.0)))))\n(assert (forall ((x Real)) (=> (p x) (< x 1.0))))\n",
      false, VERDICT_SAFE);
  memory_free(safe);
  memory_free(wrong);
}

TEST(spent_work_is_unknown) { expect_spent_on_trees(&engine_cegar); }

/* ---- abstract facts ---- */

typedef struct setting {
  model *model;
  statistics statistics;
  budget budget;
  engine_environment env;
  clause_abstraction abstraction;
  term x;
} setting;

/* p(0); p(x + y + 1) from p(x), p(y); never p(-2). */
static void open_setting(setting *s) {
  *s = (setting){.budget = budget_unlimited()};
  s->model = clauses_of_text(
      "(declare-fun p (Int) Bool)\n(assert (p 0))\n"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y 1)))))\n"
      "(assert (forall ((x Int)) (=> (and (p x) (< x (- 1))) false)))\n");
  s->env = (engine_environment){.model = s->model, .statistics = &s->statistics, .budget = &s->budget};
  clause_abstraction_open(&s->abstraction, &s->env, s->model->clauses);
  s->x = term_of_variable(s->model->terms, s->model->clauses->predicates.at[0].parameters.at[0]);
}

static void close_setting(setting *s) {
  clause_abstraction_close(&s->abstraction);
  model_free(s->model);
}

static explore_end explore(clause_abstraction *a) {
  explore_end end = EXPLORE_GOES_ON;
  while (end == EXPLORE_GOES_ON) end = clause_abstraction_explore(a);
  return end;
}

TEST(facts_of_few_predicates_cover_those_of_more) {
  setting s;
  open_setting(&s);
  terms *ts = s.model->terms;
  term zero = term_int(ts, 0), good = term_ge(ts, s.x, zero), small = term_le(ts, s.x, zero);
  CHECK(explore(&s.abstraction) == EXPLORE_QUERY, "without predicates every atom is possible");
  clause_abstraction_restart(&s.abstraction);
  CHECK(clause_abstraction_add(&s.abstraction, 0, good) && !clause_abstraction_add(&s.abstraction, 0, good));
  CHECK(!clause_abstraction_add(&s.abstraction, 0, TERM_TRUE));
  CHECK(clause_abstraction_add(&s.abstraction, 0, small) && clause_abstraction_predicates(&s.abstraction) == 2);
  CHECK(explore(&s.abstraction) == EXPLORE_CLOSED);
  CHECK(s.abstraction.facts.count == 2 && s.abstraction.facts.at[0].is_covered &&
        !s.abstraction.facts.at[1].is_covered);
  CHECK(term_same(clause_abstraction_formula(&s.abstraction, 0), good));
  uint64_t checks = s.abstraction.checks;
  clause_abstraction_restart(&s.abstraction);
  CHECK(explore(&s.abstraction) == EXPLORE_CLOSED && s.abstraction.checks == checks, "nothing is asked twice");
  close_setting(&s);
}

TEST(a_tree_is_not_found_again) {
  setting s;
  open_setting(&s);
  counterexample tree;
  evidence unused = {0};
  counterexample_open(&tree, &s.abstraction);
  size_t refinements = 0;
  for (; explore(&s.abstraction) == EXPLORE_QUERY && refinements < 4; refinements++) {
    CHECK(counterexample_unfold(&tree) && tree.nodes.at[0].parent == NO_NODE);
    CHECK(answer_is_no(counterexample_check(&tree, &unused)));
    CHECK(counterexample_refine(&tree) > 0);
    clause_abstraction_restart(&s.abstraction);
  }
  CHECK(refinements > 0 && refinements < 4, "%zu refinements", refinements);
  CHECK(s.abstraction.relations.at[0].points.count > 0, "atoms that can be derived were found");
  counterexample_close(&tree);
  evidence_clear(&unused);
  close_setting(&s);
}

/* ---- formulas between two others ---- */

typedef struct between {
  terms *ts;
  budget budget;
  variable x, y, z;
  separation s;
} between;

static void open_between(between *b, sort of) {
  type number = {.sort = of}, whole = {.sort = SORT_INT};
  *b = (between){.ts = terms_new(), .budget = budget_unlimited()};
  b->x = variable_new(b->ts, "x", &number);
  b->y = variable_new(b->ts, "y", &number);
  b->z = variable_new(b->ts, "z", &whole);
  b->s = (separation){.ts = b->ts, .budget = &b->budget};
  VECTOR_PUSH(b->s.shared, b->x);
  VECTOR_PUSH(b->s.shared, b->y);
  VECTOR_PUSH(b->s.inside.others, b->z);
  VECTOR_PUSH(b->s.outside.others, b->z);
}

static void close_between(between *b) {
  VECTOR_FREE(b->s.shared);
  VECTOR_FREE(b->s.inside.others);
  VECTOR_FREE(b->s.outside.others);
  terms_free(b->ts);
}

/* It follows from one, contradicts the other, and has only what both share. */
static void check_between(between *b, term found) {
  solver *s = solver_new(b->ts, &b->budget);
  CHECK(answer_is_no(solver_satisfiable(s, term_and(b->ts, b->s.inside.formula, term_not(found)))));
  CHECK(answer_is_no(solver_satisfiable(s, term_and(b->ts, b->s.outside.formula, found))));
  CHECK(!term_mentions(b->ts, found, b->z));
  solver_free(s);
}

static term v(between *b, variable x) { return term_of_variable(b->ts, x); }

/* x = y = z >= 0 and x = y + z + 1, z >= 0: they differ by x <= y. */
TEST(one_half_space_is_found) {
  between b;
  open_between(&b, SORT_INT);
  terms *ts = b.ts;
  term zero = term_int(ts, 0), some = term_ge(ts, v(&b, b.z), zero), found;
  b.s.inside.formula =
      term_and(ts, some, term_and(ts, term_eq(ts, v(&b, b.x), v(&b, b.z)), term_eq(ts, v(&b, b.y), v(&b, b.z))));
  b.s.outside.formula = term_and(ts, some, term_gt(ts, v(&b, b.x), term_add(ts, v(&b, b.y), v(&b, b.z))));
  CHECK(separate(&b.s, &found));
  CHECK(term_same(found, term_le(ts, v(&b, b.x), v(&b, b.y))));
  check_between(&b, found);
  close_between(&b);
}

TEST(strict_bounds_of_reals) {
  between b;
  open_between(&b, SORT_REAL);
  terms *ts = b.ts;
  term one = term_int(ts, 1), found;
  b.s.inside.formula = term_lt(ts, v(&b, b.x), one);
  b.s.outside.formula = term_ge(ts, v(&b, b.x), one);
  CHECK(separate(&b.s, &found) && term_same(found, term_lt(ts, v(&b, b.x), one)));
  b.s.inside.formula = term_le(ts, v(&b, b.x), one);
  b.s.outside.formula = term_gt(ts, v(&b, b.x), one);
  CHECK(separate(&b.s, &found) && term_same(found, term_le(ts, v(&b, b.x), one)));
  close_between(&b);
}

/* Of points that are wanted, too: -5 is on the same side as 0. */
TEST(wanted_points_are_inside_if_they_can_be) {
  between b;
  open_between(&b, SORT_INT);
  terms *ts = b.ts;
  number_vector wanted = {0};
  VECTOR_PUSH(wanted, number_of(7));
  VECTOR_PUSH(wanted, number_of(-90));
  term found;
  b.s.inside.formula = term_and(ts, term_eq(ts, v(&b, b.x), term_int(ts, 0)), term_eq(ts, v(&b, b.y), term_int(ts, 0)));
  b.s.outside.formula =
      term_and(ts, term_eq(ts, v(&b, b.x), term_int(ts, 9)), term_eq(ts, v(&b, b.y), term_int(ts, 9)));
  b.s.wanted = &wanted;
  b.s.wanted_count = 1;
  CHECK(separate(&b.s, &found));
  check_between(&b, found);
  found = term_replace(ts, term_replace(ts, found, b.x, term_int(ts, 7)), b.y, term_int(ts, -90));
  CHECK(term_is_true(found));
  VECTOR_FREE(wanted);
  close_between(&b);
}

/* Random boxes on both sides, some with remainders: whatever is found is right, and most are found. */
TEST(random_unions_of_boxes) {
  unsigned found_count = 0, apart = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    between b;
    open_between(&b, seed % 3 ? SORT_INT : SORT_REAL);
    random_source g = {seed};
    terms *ts = b.ts;
    term sides[2] = {TERM_FALSE, TERM_FALSE};
    for (size_t i = 0; i < 4; i++) {
      term box = TERM_TRUE;
      const variable of[] = {b.x, b.y};
      for (size_t j = 0; j < 2; j++) {
        int64_t low = (int64_t)random_below(&g, 9) - 4;
        term at = term_add(ts, v(&b, of[j]), random_below(&g, 3) ? term_int(ts, 0) : v(&b, b.z));
        box = term_and(ts, box, term_ge(ts, at, term_int(ts, low)));
        box = term_and(ts, box, term_le(ts, at, term_int(ts, low + (int64_t)random_below(&g, 3))));
      }
      box = term_and(ts, box, term_le(ts, term_abs(ts, v(&b, b.z)), term_int(ts, 1)));
      if (seed % 5 == 0 && seed % 3)
        box = term_and(ts, box, term_eq(ts, term_mod(ts, v(&b, b.x), term_int(ts, 2)), term_int(ts, i % 2)));
      sides[i % 2] = term_or(ts, sides[i % 2], box);
    }
    b.s.inside.formula = sides[0];
    b.s.outside.formula = sides[1];
    term found;
    if (separate(&b.s, &found)) {
      found_count++;
      check_between(&b, found);
    }
    /* z is not shared: the other side has one of its own. */
    solver *s = solver_new(ts, &b.budget);
    type whole = {.sort = SORT_INT};
    term other = term_replace(ts, sides[1], b.z, term_of_variable(ts, variable_fresh(ts, "z", &whole)));
    apart += answer_is_no(solver_satisfiable(s, term_and(ts, sides[0], other)));
    solver_free(s);
    close_between(&b);
  }
  CHECK(apart > 5 && found_count <= apart && found_count * 10 >= apart * 9, "%u of %u", found_count, apart);
}

TEST_MAIN
