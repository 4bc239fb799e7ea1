/* The prover, layer by layer and as a whole, against Z3 asked directly (test_solver.c compares that one with counting).
 * A layer may pass a question on, but what it says must be right; and on the questions it is made for it must not pass.
 */
#include "base/random.h"
#include "base/work.h"
#include "solver/layers.h"
#include "term/evaluate.h"
#include "term/print.h"
#include "unit/test.h"

enum { INTS = 5, BOOLS = 2, VARIABLES = INTS + BOOLS };

static terms *ts;
static variable ints[INTS], bools[BOOLS];
static budget unlimited;
static solver *oracle;
static random_source r;

static const type kinds_of_int[] = {
    {.sort = SORT_INT},
    {.sort = SORT_INT},
    {.sort = SORT_INT, .has_low = true, .low = {0, NULL}},
    {.sort = SORT_INT, .has_low = true, .has_high = true, .low = {0, NULL}, .high = {3, NULL}},
    {.sort = SORT_INT, .has_low = true, .has_high = true, .low = {-2, NULL}, .high = {2, NULL}},
    {.sort = SORT_INT, .has_high = true, .high = {1, NULL}},
};

static void start(uint64_t seed, bool typed) {
  r.state = seed;
  ts = terms_new();
  unlimited = budget_unlimited();
  char name[] = "i0";
  for (int i = 0; i < INTS; i++, name[1]++)
    ints[i] = variable_new(ts, name, &kinds_of_int[typed ? random_below(&r, ARRAY_LENGTH(kinds_of_int)) : 0]);
  strcpy(name, "b0");
  for (int i = 0; i < BOOLS; i++, name[1]++) bools[i] = variable_new(ts, name, &(type){.sort = SORT_BOOL});
  oracle = solver_new(ts, &unlimited);
}

static void finish(void) {
  solver_free(oracle);
  terms_free(ts);
}

static int below(int n) { return (int)random_below(&r, (uint64_t)n); }
static term x(int i) { return term_of_variable(ts, ints[i]); }
static term any_int(void) { return x(below(INTS)); }
static term k(int64_t n) { return term_int(ts, n); }

static term any_constant(bool large) {
  number huge;
  if (!large || below(3)) return k(random_between(&r, -4, 4));
  number_parse("1000000000000000000000000000000", 31, &huge);
  return term_number(ts, number_add(below(2) ? huge : number_negate(huge), number_of(random_between(&r, -2, 2))));
}

static term compare(term a, term b) {
  switch (below(5)) {
    case 0: return term_eq(ts, a, b);
    case 1: return term_not(term_eq(ts, a, b));
    case 2: return term_lt(ts, a, b);
    default: return term_le(ts, a, b);
  }
}

typedef struct flavour {
  const char *name;
  bool typed, large, linear, booleans, formulas;
} flavour;

static term any_linear(void) {
  number c[3];
  term leaves[3];
  for (int i = 0; i < 3; i++) c[i] = number_of(random_between(&r, -3, 3)), leaves[i] = any_int();
  return term_sum(ts, number_of(0), 3, leaves, c);
}

static term any_atom(const flavour *f) {
  if (f->booleans && below(4) == 0) {
    term b = term_of_variable(ts, bools[below(BOOLS)]);
    return below(2) ? b : term_not(b);
  }
  if (f->linear && below(2)) {
    if (below(4) == 0) return compare(term_mod(ts, any_int(), k(3)), k(below(3)));
    return compare(any_linear(), any_constant(f->large));
  }
  if (below(3) == 0) return compare(any_int(), any_constant(f->large));
  return compare(term_sub(ts, any_int(), any_int()), any_constant(f->large));
}

static term any_formula(const flavour *f) {
  if (!f->formulas || below(3)) return any_atom(f);
  term parts[3];
  int count = 2 + below(2);
  for (int i = 0; i < count; i++) parts[i] = any_atom(f);
  switch (below(4)) {
    case 0: return term_iff(ts, parts[0], parts[1]);
    case 1: return term_and_all(ts, (size_t)count, parts);
    default: return term_or_all(ts, (size_t)count, parts);
  }
}

/* A state within the types. */
static void any_state(number *values) {
  for (int i = 0; i < INTS; i++) {
    const type *t = variable_type(ts, ints[i]);
    int64_t low = t->has_low    ? t->low.small
                  : t->has_high ? t->high.small - 6
                                : -4,
            high = t->has_high ? t->high.small : low + 8;
    values[ints[i].x] = number_of(random_between(&r, low, high));
  }
  for (int i = 0; i < BOOLS; i++) values[bools[i].x] = number_of(below(2));
}

static answer_kind truth(size_t count, const term *left, term right) {
  solver_push(oracle);
  for (size_t i = 0; i < count; i++) solver_assert(oracle, left[i]);
  solver_assert(oracle, term_not(right));
  answer a = solver_check(oracle, 0);
  solver_pop(oracle);
  return answer_is_yes(a) ? ANSWER_NO : answer_is_no(a) ? ANSWER_YES : ANSWER_UNSURE;
}

static char *describe(size_t count, const term *left, term right) {
  text out = {0};
  for (size_t i = 0; i < count; i++) {
    term_print(ts, left[i], &out);
    text_add(&out, "; ");
  }
  text_add(&out, "|= ");
  term_print(ts, right, &out);
  return text_give(&out);
}

typedef struct tested_layer {
  const char *name;
  answer (*ask)(prover *p, const question *q);
  unsigned yes, no, passed;
} tested_layer;

static tested_layer tested[] = {
    {"fold", layer_fold, 0, 0, 0},         {"literals", layer_literals, 0, 0, 0},
    {"interval", layer_interval, 0, 0, 0}, {"difference", layer_difference, 0, 0, 0},
    {"cache", layer_cache, 0, 0, 0},       {"witness", layer_witness, 0, 0, 0},
};

static unsigned undecided; /* questions that every layer has passed on */

static void check_layers(prover *p, size_t count, const term *left, term right, answer_kind wanted) {
  term_vector denial = {0};
  term_conjuncts(ts, term_not(right), &denial);
  question q = {right, denial.count, denial.at};
  bool decided = false;
  for (size_t i = 0; i < ARRAY_LENGTH(tested); i++) {
    answer a = tested[i].ask(p, &q);
    decided |= !answer_is_unsure(a);
    if (answer_is_yes(a)) tested[i].yes++;
    if (answer_is_no(a)) tested[i].no++;
    if (answer_is_unsure(a)) tested[i].passed++;
    if (answer_is_unsure(a) || a.kind == wanted) continue;
    char *what = describe(count, left, right);
    CHECK(false, "%s says %s: %s", tested[i].name, answer_is_yes(a) ? "yes" : "no", what);
    memory_free(what);
  }
  undecided += !decided;
  VECTOR_FREE(denial);
}

static void forget_counts(void) {
  undecided = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(tested); i++) tested[i].yes = tested[i].no = tested[i].passed = 0;
}

/* Random left sides, each with several right sides; half of them are true in a known state. */
static void compare_with_z3(const flavour *f, uint64_t seed, int contexts) {
  unsigned yes = 0, no = 0;
  start(seed, f->typed);
  solver *s = solver_new(ts, &unlimited);
  prover *p = prover_new(ts, s), *alone = prover_new(ts, NULL);
  for (int round = 0; round < contexts; round++) {
    term left[8];
    size_t count = random_below(&r, ARRAY_LENGTH(left));
    bool satisfiable = below(2);
    number values[VARIABLES];
    any_state(values);
    for (size_t i = 0; i < count; i++) {
      left[i] = any_formula(f);
      if (satisfiable && number_is(term_evaluate(ts, left[i], values), 0)) left[i] = term_not(left[i]);
    }
    prover_context(p, count, left, satisfiable);
    prover_context(alone, count, left, satisfiable);
    for (int again = 0; again < 4; again++) {
      term right = any_formula(f);
      answer_kind wanted = truth(count, left, right);
      if (wanted == ANSWER_UNSURE) continue;
      wanted == ANSWER_YES ? yes++ : no++;
      bool constant = term_is_true(right) || term_is_false(right);
      if (!constant && (term_kind_of(ts, right) != TERM_AND || term_is_negated(right)))
        check_layers(alone, count, left, right, wanted);
      answer a = prover_ask(p, right), b = prover_ask(alone, right);
      char *what = a.kind == wanted ? NULL : describe(count, left, right);
      CHECK(a.kind == wanted, "%s", what ? what : "");
      CHECK(answer_is_unsure(b) || b.kind == wanted);
      memory_free(what);
    }
  }
  const prover_statistics *all = prover_statistics_of(p);
  CHECK(all->questions == all->folding + all->same_atom + all->interval + all->difference + all->witness + all->cache +
                              all->solver + all->unsure);
  CHECK(yes > 100 && no > 100);
  prover_free(p);
  prover_free(alone);
  solver_free(s);
  finish();
}

static void say_counts(const char *flavour_name) {
  for (size_t i = 0; i < ARRAY_LENGTH(tested); i++)
    printf("# %s, %s: %u yes, %u no, %u passed on\n", flavour_name, tested[i].name, tested[i].yes, tested[i].no,
           tested[i].passed);
}

static void compare_flavour(const flavour *f, uint64_t first_seed, int seeds, int contexts) {
  forget_counts();
  for (int i = 0; i < seeds; i++) compare_with_z3(f, first_seed + (uint64_t)i, contexts);
  say_counts(f->name);
}

TEST(every_layer_is_right_about_differences) {
  compare_flavour(&(flavour){.name = "differences"}, 1, 2, 800);
  CHECK(undecided == 0, "%u", undecided);
}

TEST(every_layer_is_right_about_differences_of_typed_variables) {
  compare_flavour(&(flavour){.name = "typed differences", .typed = true, .booleans = true}, 100, 6, 300);
  CHECK(undecided == 0, "%u", undecided);
}

TEST(every_layer_is_right_about_large_numbers) {
  compare_flavour(&(flavour){.name = "large numbers", .typed = true, .large = true, .linear = true}, 200, 5, 220);
}

TEST(every_layer_is_right_about_linear_atoms) {
  compare_flavour(&(flavour){.name = "linear atoms", .typed = true, .linear = true, .booleans = true}, 300, 6, 220);
}

TEST(every_layer_is_right_about_formulas) {
  compare_flavour(&(flavour){.name = "formulas", .typed = true, .linear = true, .booleans = true, .formulas = true},
                  400, 6, 220);
}

/* Small questions with known answers. */

TEST(known_answers) {
  start(1, false);
  prover *p = prover_new(ts, NULL);
  term difference = term_sub(ts, x(0), x(1)), opposite = term_sub(ts, x(1), x(0));
  term at_most_3 = term_le(ts, difference, k(3)), at_most_5 = term_le(ts, difference, k(5));
  CHECK(answer_is_yes(prover_implies(p, 1, &at_most_3, at_most_5)));
  CHECK(answer_is_no(prover_implies(p, 1, &at_most_5, at_most_3)));
  CHECK(answer_is_yes(prover_implies(p, 1, &at_most_3, term_ge(ts, opposite, k(-7)))));
  CHECK(answer_is_yes(prover_valid(p, TERM_TRUE)));
  CHECK(answer_is_no(prover_valid(p, TERM_FALSE)));
  CHECK(answer_is_no(prover_valid(p, at_most_3)));
  CHECK(answer_is_yes(prover_valid(p, term_or(ts, at_most_3, term_gt(ts, difference, k(2))))));
  CHECK(answer_is_yes(prover_implies(p, 1, &(term){TERM_FALSE.x}, TERM_FALSE)));
  term chain[] = {term_le(ts, x(0), x(1)), term_lt(ts, x(1), x(2)), term_lt(ts, x(2), x(3))};
  CHECK(answer_is_yes(prover_implies(p, 3, chain, term_le(ts, x(0), term_sub(ts, x(3), k(2))))));
  CHECK(answer_is_no(prover_implies(p, 3, chain, term_le(ts, x(0), term_sub(ts, x(3), k(3))))));
  CHECK(answer_is_yes(prover_implies(p, 3, chain, term_and(ts, term_lt(ts, x(0), x(2)), term_lt(ts, x(1), x(3))))));
  CHECK(answer_is_no(prover_implies(p, 3, chain, term_and(ts, term_lt(ts, x(0), x(2)), term_lt(ts, x(0), x(1))))));
  CHECK(answer_is_yes(prover_consistent(p, 3, chain)));
  term cycle[] = {chain[0], chain[1], term_lt(ts, x(2), x(0))};
  CHECK(answer_is_no(prover_consistent(p, 3, cycle)));
  CHECK(answer_is_yes(prover_implies(p, 3, cycle, term_of_variable(ts, bools[0]))));
  term form = term_add(ts, term_scale(ts, number_of(2), x(0)), term_scale(ts, number_of(3), x(1)));
  term positive[] = {term_ge(ts, form, k(0)), term_not(term_eq(ts, form, k(0))), term_not(term_eq(ts, form, k(1)))};
  CHECK(answer_is_yes(prover_implies(p, 3, positive, term_ge(ts, form, k(2)))));
  CHECK(!answer_is_yes(prover_implies(p, 3, positive, term_ge(ts, form, k(3)))));
  term pigeons[] = {term_ge(ts, x(0), k(0)), term_le(ts, x(0), k(1)), term_ge(ts, x(1), k(0)), term_le(ts, x(1), k(1)),
                    term_not(term_eq(ts, x(0), x(1)))};
  CHECK(answer_is_yes(prover_implies(p, 5, pigeons, term_or(ts, term_eq(ts, x(0), k(0)), term_eq(ts, x(1), k(0))))));
  CHECK(answer_is_no(prover_implies(p, 5, pigeons, term_eq(ts, x(0), k(0)))));
  prover_free(p);
  finish();
}

/* v0 <= v1 <= .. <= v199: that the first is not above the last needs one look at each edge, not one for each pair. */
TEST(a_long_cycle_of_differences_is_seen_at_once) {
  enum { LONG = 200, FEW_UNITS = 20 };
  start(1, false);
  prover *p = prover_new(ts, NULL);
  term v[LONG];
  term_vector chain = {0};
  for (int i = 0; i < LONG; i++) v[i] = term_of_variable(ts, variable_fresh(ts, "v", &(type){.sort = SORT_INT}));
  for (int i = LONG - 1; i > 0; i--) VECTOR_PUSH(chain, term_le(ts, v[i - 1], v[i]));
  CHECK(answer_is_no(prover_implies(p, chain.count, chain.at, term_lt(ts, v[0], v[LONG - 1]))));
  uint64_t before = work_done();
  CHECK(answer_is_yes(prover_implies(p, chain.count, chain.at, term_le(ts, v[0], v[LONG - 1]))));
  CHECK(work_done() - before <= FEW_UNITS, "%llu units", (unsigned long long)(work_done() - before));
  CHECK(answer_is_no(prover_implies(p, chain.count, chain.at, term_le(ts, v[LONG - 1], v[0]))));
  VECTOR_FREE(chain);
  prover_free(p);
  finish();
}

TEST(without_a_solver_the_hard_ones_are_unsure) {
  start(1, false);
  prover *p = prover_new(ts, NULL);
  term left[] = {term_eq(ts, term_mul(ts, x(0), x(0)), k(4)), term_ge(ts, x(0), k(0))};
  answer a = prover_implies(p, 2, left, term_eq(ts, x(0), k(2)));
  CHECK(answer_is_unsure(a) && a.reason);
  CHECK(prover_statistics_of(p)->unsure == 1);
  prover_free(p);
  finish();
}

TEST(unsure_comes_in_time_and_is_remembered) {
  start(1, false);
  solver *s = solver_new(ts, &unlimited);
  prover *p = prover_new(ts, s);
  prover_set_seconds(p, 0.1);
  term cubes = k(0);
  for (int i = 0; i < 3; i++) cubes = term_add(ts, cubes, term_mul(ts, x(i), term_mul(ts, x(i), x(i))));
  term right = term_not(term_eq(ts, cubes, k(114)));
  CHECK(answer_is_unsure(prover_valid(p, right)));
  CHECK(solver_statistics_of(s)->checks == 1);
  CHECK(answer_is_unsure(prover_valid(p, right)));
  CHECK(solver_statistics_of(s)->checks == 1);
  prover_set_seconds(p, 0.2);
  CHECK(answer_is_unsure(prover_valid(p, right)));
  CHECK(solver_statistics_of(s)->checks == 2);
  CHECK(prover_statistics_of(p)->unsure == 3);
  prover_free(p);
  solver_free(s);
  finish();
}

TEST(assumed_facts_strengthen_every_left_side) {
  start(1, false);
  solver *s = solver_new(ts, &unlimited);
  prover *p = prover_new(ts, s);
  term right = term_ge(ts, term_add(ts, x(0), x(1)), k(0)), left = term_ge(ts, x(0), k(0));
  CHECK(answer_is_no(prover_implies(p, 1, &left, right)));
  prover_assume(p, term_and(ts, term_ge(ts, x(1), k(0)), term_ge(ts, x(2), k(7))));
  CHECK(answer_is_yes(prover_implies(p, 1, &left, right)));
  CHECK(answer_is_yes(prover_valid(p, term_gt(ts, x(2), k(6)))));
  CHECK(answer_is_no(prover_valid(p, term_gt(ts, x(2), k(7)))));
  prover_free(p);
  solver_free(s);
  finish();
}

TEST(the_heap_is_unsure_but_for_the_same_atom) {
  start(1, false);
  variable u = variable_new(ts, "u", &(type){.sort = SORT_NODE}), v = variable_new(ts, "v", &(type){.sort = SORT_NODE});
  solver *s = solver_new(ts, &unlimited);
  prover *p = prover_new(ts, s);
  term left[] = {term_heap_null(ts, u), term_heap_same(ts, u, v)};
  CHECK(answer_is_yes(prover_implies(p, 2, left, left[0])));
  CHECK(answer_is_unsure(prover_implies(p, 2, left, term_heap_null(ts, v))));
  CHECK(answer_is_unsure(prover_implies(p, 2, left, term_gt(ts, x(0), k(1)))));
  prover_context(p, 2, left, true);
  CHECK(answer_is_no(prover_ask(p, term_gt(ts, x(0), k(1)))));
  prover_free(p);
  solver_free(s);
  finish();
}

TEST(the_cache_and_the_witnesses_spare_the_solver) {
  start(1, false);
  solver *s = solver_new(ts, &unlimited);
  prover *p = prover_new(ts, s);
  term sum = term_add(ts, x(0), x(1)), left[] = {term_ge(ts, sum, k(10)), term_le(ts, term_add(ts, sum, x(2)), k(5))};
  term implied = term_lt(ts, x(2), k(0)), not_implied = term_gt(ts, x(0), k(3));
  CHECK(answer_is_yes(prover_implies(p, 2, left, implied)));
  CHECK(answer_is_yes(prover_implies(p, 2, (term[]){left[1], left[0]}, implied)));
  CHECK(prover_statistics_of(p)->cache == 1 && prover_statistics_of(p)->solver == 1);
  CHECK(answer_is_no(prover_implies(p, 2, left, not_implied)));
  uint64_t checks = solver_statistics_of(s)->checks;
  CHECK(answer_is_no(prover_implies(p, 2, left, not_implied)));
  CHECK(solver_statistics_of(s)->checks == checks);
  prover_free(p);
  solver_free(s);
  finish();
}

TEST(relevant_literals_are_the_connected_ones) {
  start(1, false);
  prover *p = prover_new(ts, NULL);
  term b = term_of_variable(ts, bools[0]);
  term left[] = {term_le(ts, x(0), x(1)), term_le(ts, x(2), k(3)), term_le(ts, x(1), x(3)), b,
                 term_or(ts, b, term_le(ts, x(4), k(1)))};
  term_vector out = {0};
  prover_relevant(p, 5, left, term_le(ts, x(0), k(0)), &out);
  CHECK(out.count == 2 && term_same(out.at[0], left[0]) && term_same(out.at[1], left[2]));
  VECTOR_CLEAR(out);
  prover_relevant(p, 5, left, term_le(ts, x(4), k(0)), &out);
  CHECK(out.count == 2 && term_same(out.at[0], left[3]) && term_same(out.at[1], left[4]));
  VECTOR_CLEAR(out);
  prover_relevant(p, 5, left, TERM_TRUE, &out);
  CHECK(out.count == 0);
  VECTOR_CLEAR(out);
  term both = term_and(ts, term_le(ts, x(0), k(1)), term_le(ts, x(2), k(1)));
  prover_relevant(p, 1, &both, term_le(ts, x(2), k(0)), &out);
  CHECK(out.count == 1);
  VECTOR_FREE(out);
  prover_free(p);
  finish();
}

/* The predicates that alpha meets on the ticket protocol, over states of that kind: no question may need a solver. */
TEST(questions_of_the_ticket_protocol_need_no_solver) {
  start(77, false);
  prover *p = prover_new(ts, NULL);
  term predicates[3 * 20];
  size_t count = 0;
  for (int64_t c = -2; c <= 2; c++) {
    for (int i = 2; i < INTS; i++) predicates[count++] = term_le(ts, x(i), term_add(ts, x(0), k(c)));
    for (int i = 2; i < INTS; i++) predicates[count++] = term_eq(ts, x(i), term_add(ts, x(1), k(c)));
    predicates[count++] = term_le(ts, x(1), term_add(ts, x(0), k(c)));
    predicates[count++] = term_eq(ts, x(1), k(c));
  }
  for (int round = 0; round < 600; round++) {
    number values[VARIABLES];
    any_state(values);
    term left[ARRAY_LENGTH(predicates)];
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
      if (below(3))
        left[used++] = number_is(term_evaluate(ts, predicates[i], values), 1) ? predicates[i] : term_not(predicates[i]);
    prover_context(p, used, left, true);
    for (int again = 0; again < 5; again++) {
      term right = term_le(ts, x(below(INTS)), term_add(ts, x(below(INTS)), k(random_between(&r, -3, 3))));
      answer a = prover_ask(p, right);
      CHECK(!answer_is_unsure(a));
      if (again == 0) CHECK(a.kind == truth(used, left, right));
    }
  }
  CHECK(prover_statistics_of(p)->unsure == 0);
  prover_free(p);
  finish();
}

TEST(the_cache_is_bounded_and_compares_whole_keys) {
  cache *c = cache_new(100, 1000);
  for (uint32_t i = 0; i < 1000; i++) {
    term key[3] = {{i}, {i * 7 % 13}, {i / 3}};
    cache_add(c, 3, key, i % 2 ? answer_yes() : answer_no());
    CHECK(cache_count(c) <= 100);
    answer a;
    CHECK(cache_find(c, 3, key, &a) && answer_is_yes(a) == (i % 2 == 1));
    CHECK(!cache_find(c, 2, key, &a));
    key[0].x += 1000;
    CHECK(!cache_find(c, 3, key, &a));
  }
  cache_free(c);
}

TEST_MAIN
