/* Terms against trees that were never normalised (random_expression.h), by evaluation and by Z3 as a process of its
 * own. */
#include <unistd.h>

#include "random/random_expression.h"
#include "term/bounds.h"
#include "term/evaluate.h"
#include "term/print.h"
#include "term/substitute.h"
#include "unit/test.h"

enum { INTS = 4, BOOLS = 2 };

static const type integer = {.sort = SORT_INT}, boolean = {.sort = SORT_BOOL};
static terms *ts;
static variable ints[INTS], bools[BOOLS];

static void start(const type *int_type) {
  ts = terms_new();
  char name[] = "i0";
  for (int i = 0; i < INTS; i++, name[1]++) ints[i] = variable_new(ts, name, int_type);
  strcpy(name, "b0");
  for (int i = 0; i < BOOLS; i++, name[1]++) bools[i] = variable_new(ts, name, &boolean);
}

static term x(int i) { return term_of_variable(ts, ints[i]); }
static term k(int64_t n) { return term_int(ts, n); }

static void check_printed(term t, const char *wanted) {
  char *got = term_string(ts, t);
  CHECK_TEXT(got, wanted);
  memory_free(got);
}

TEST(atoms_that_mean_the_same_are_one_entry) {
  start(&integer);
  term left = term_gt(ts, term_add(ts, term_scale(ts, number_of(2), x(0)), k(2)),
                      term_add(ts, term_scale(ts, number_of(4), x(1)), k(3)));
  term right = term_not(term_le(ts, x(0), term_scale(ts, number_of(2), x(1))));
  CHECK(term_same(left, right));
  CHECK(term_same(term_lt(ts, x(0), x(1)), term_le(ts, term_add(ts, x(0), k(1)), x(1))));
  CHECK(term_same(term_eq(ts, x(0), x(1)),
                  term_eq(ts, term_scale(ts, number_of(-3), x(1)), term_scale(ts, number_of(-3), x(0)))));
  CHECK(term_same(term_eq(ts, term_scale(ts, number_of(2), x(0)), k(3)), TERM_FALSE));
  CHECK(term_same(term_le(ts, term_scale(ts, number_of(2), x(0)), k(3)), term_le(ts, x(0), k(1))));
  CHECK(term_same(term_mod(ts, term_add(ts, x(0), k(4)), k(2)), term_mod(ts, x(0), k(2))));
  CHECK(
      term_same(term_div(ts, term_add(ts, term_scale(ts, number_of(3), x(0)), k(5)), k(3)), term_add(ts, x(0), k(1))));
  terms_free(ts);
}

TEST(scaling_shifting_and_negating_an_atom_keeps_its_entry) {
  start(&integer);
  random_source r = {11};
  for (int round = 0; round < 20000; round++) {
    number c[INTS], constant = number_of(random_between(&r, -9, 9)), factor = number_of(random_between(&r, 1, 5));
    term leaves[INTS];
    for (int i = 0; i < INTS; i++) c[i] = number_of(random_between(&r, -3, 3)), leaves[i] = x(i);
    term sum = term_sum(ts, constant, INTS, leaves, c), scaled = term_scale(ts, factor, sum), zero = k(0);
    CHECK(term_same(term_eq(ts, sum, zero), term_eq(ts, term_negate(ts, scaled), zero)));
    CHECK(term_same(term_le(ts, sum, zero), term_ge(ts, zero, scaled)));
    CHECK(term_same(term_le(ts, sum, zero), term_not(term_gt(ts, scaled, zero))));
    CHECK(term_same(term_lt(ts, sum, zero), term_not(term_ge(ts, scaled, zero))));
    CHECK(term_same(term_le(ts, sum, zero), term_lt(ts, sum, k(1))));
  }
  terms_free(ts);
}

static void random_values(random_source *r, number *int_values, bool *bool_values, number *all) {
  for (int i = 0; i < INTS; i++) all[ints[i].x] = int_values[i] = number_of(random_between(r, -8, 8));
  for (int i = 0; i < BOOLS; i++) {
    bool_values[i] = random_below(r, 2);
    all[bools[i].x] = number_of(bool_values[i]);
  }
}

TEST(normalisation_keeps_the_value_under_every_assignment) {
  for (int mode = 0; mode < 4; mode++) {
    start(&integer);
    raw_source s = {{100 + (uint64_t)mode}, arena_new(), INTS, BOOLS, mode & 1, mode & 2};
    uint32_t slots[INTS + BOOLS];
    for (uint32_t i = 0; i < INTS + BOOLS; i++) slots[i] = i;
    for (int round = 0; round < 4000; round++) {
      raw *b = raw_boolean(&s, 4), *n = raw_integer(&s, 4);
      term roots[2] = {raw_term(ts, b, ints, bools), raw_term(ts, n, ints, bools)};
      code *c = code_compile(ts, 2, roots, slots);
      condition *test = condition_compile(ts, roots[0], slots);
      term lifted = term_lift_ite(ts, roots[0]);
      for (int try = 0; try < 4; try++) {
        number iv[INTS], all[INTS + BOOLS];
        bool bv[BOOLS];
        random_values(&s.random, iv, bv, all);
        number wanted[2] = {raw_evaluate(b, iv, bv), raw_evaluate(n, iv, bv)};
        CHECK(number_equal(term_evaluate(ts, roots[0], all), wanted[0]));
        CHECK(number_equal(term_evaluate(ts, roots[1], all), wanted[1]));
        CHECK(number_equal(term_evaluate(ts, lifted, all), wanted[0]));
        int64_t state[INTS + BOOLS], got[2];
        for (int i = 0; i < INTS + BOOLS; i++) number_to_int64(all[i], &state[i]);
        if (code_run(c, state, got) == CODE_FINE) {
          CHECK(number_is(wanted[0], got[0]) && number_is(wanted[1], got[1]));
        } else {
          CHECK(s.large || s.nonlinear, "overflow without large numbers");
        }
        int holds = condition_holds(test, state);
        CHECK(holds == -1 ? s.large || s.nonlinear : number_is(wanted[0], holds));
      }
      code_free(c);
      condition_free(test);
    }
    arena_free(s.arena);
    terms_free(ts);
  }
}

TEST(simplification_within_types_and_facts_keeps_the_value_there) {
  type range = {.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(-1), .high = number_of(3)};
  start(&range);
  raw_source s = {{5}, arena_new(), INTS, BOOLS, false, false};
  size_t decided = 0;
  for (int round = 0; round < 6000; round++) {
    term t = raw_term(ts, raw_boolean(&s, 3), ints, bools);
    term facts[2] = {raw_term(ts, raw_boolean(&s, 2), ints, bools), raw_term(ts, raw_boolean(&s, 1), ints, bools)};
    term simple = term_simplify_in_types(ts, t), under = term_simplify_under(ts, t, 2, facts);
    decided += term_index(simple) == 0 && term_index(t) != 0;
    for (int try = 0; try < 8; try++) {
      number iv[INTS], all[INTS + BOOLS];
      bool bv[BOOLS];
      random_values(&s.random, iv, bv, all);
      for (int i = 0; i < INTS; i++) all[ints[i].x] = number_of(random_between(&s.random, -1, 3));
      number wanted = term_evaluate(ts, t, all);
      CHECK(number_equal(term_evaluate(ts, simple, all), wanted));
      if (number_is(term_evaluate(ts, facts[0], all), 1) && number_is(term_evaluate(ts, facts[1], all), 1))
        CHECK(number_equal(term_evaluate(ts, under, all), wanted));
    }
  }
  CHECK(decided > 100, "bounds decided only %zu formulas", decided);
  arena_free(s.arena);
  terms_free(ts);
}

TEST(substitution_is_simultaneous) {
  start(&integer);
  substitution *s = substitution_new(ts);
  substitution_set(s, ints[0], x(1));
  substitution_set(s, ints[1], x(0));
  term t = term_le(ts, x(0), term_add(ts, x(1), k(3)));
  CHECK(term_same(substitution_apply(s, t), term_le(ts, x(1), term_add(ts, x(0), k(3)))));
  substitution_free(s);
  terms_free(ts);
}

TEST(substitution_commutes_with_evaluation) {
  start(&integer);
  raw_source s = {{77}, arena_new(), INTS, BOOLS, true, false};
  for (int round = 0; round < 3000; round++) {
    term t = raw_term(ts, raw_boolean(&s, 4), ints, bools);
    substitution *sub = substitution_new(ts);
    term by[INTS];
    for (int i = 0; i < INTS; i++)
      substitution_set(sub, ints[i], by[i] = raw_term(ts, raw_integer(&s, 2), ints, bools));
    term after = substitution_apply(sub, t);
    number iv[INTS], all[INTS + BOOLS], moved[INTS + BOOLS];
    bool bv[BOOLS];
    random_values(&s.random, iv, bv, all);
    memcpy(moved, all, sizeof all);
    for (int i = 0; i < INTS; i++) moved[ints[i].x] = term_evaluate(ts, by[i], all);
    CHECK(number_equal(term_evaluate(ts, after, all), term_evaluate(ts, t, moved)));
    substitution_free(sub);
  }
  arena_free(s.arena);
  terms_free(ts);
}

TEST(printing_is_what_a_person_would_write) {
  start(&integer);
  check_printed(term_lt(ts, x(0), x(1)), "i0 < i1");
  check_printed(term_gt(ts, x(0), k(3)), "i0 > 3");
  check_printed(term_not(term_eq(ts, x(0), k(0))), "i0 != 0");
  check_printed(
      term_or(ts, term_le(ts, x(0), k(-2)), term_and(ts, term_eq(ts, x(1), k(0)), term_of_variable(ts, bools[0]))),
      "b0 && i1 = 0 || i0 <= -2");
  check_printed(term_mul(ts, x(0), x(1)), "i0 * i1");
  check_printed(term_sub(ts, term_scale(ts, number_of(-2), x(0)), k(7)), "-2 * i0 - 7");
  terms_free(ts);
}

TEST(deep_terms_cost_no_stack) {
  start(&integer);
  term t = x(0);
  for (int i = 0; i < 300000; i++) t = term_ite(ts, term_le(ts, t, k(i)), term_add(ts, t, k(1)), x(1));
  term t2 = term_replace(ts, term_le(ts, t, k(5)), ints[1], k(3));
  number values[INTS + BOOLS] = {{0}};
  for (int i = 0; i < INTS + BOOLS; i++) values[i] = number_of(0);
  term_evaluate(ts, t2, values);
  text out = {0};
  term_print_smtlib(ts, t2, &out);
  CHECK(out.count > 300000);
  text_clear(&out);
  terms_free(ts);
}

/* Z3 gets both forms of many expressions and must find no difference. */
TEST(z3_finds_no_difference_between_a_term_and_its_tree) {
  if (system("z3 --version >/dev/null 2>&1")) {
    printf("# z3 is not installed\n");
    CHECK(false);
    return;
  }
  start(&integer);
  raw_source s = {{4242}, arena_new(), INTS, BOOLS, false, true};
  text out = {0};
  for (int i = 0; i < INTS; i++) text_add(&out, "(declare-const |i%d| Int)", i);
  for (int i = 0; i < BOOLS; i++) text_add(&out, "(declare-const |b%d| Bool)", i);
  enum { ROUNDS = 400 };
  for (int round = 0; round < ROUNDS; round++) {
    raw *r = raw_boolean(&s, 3);
    text_add(&out, "(push)(assert (distinct ");
    raw_print_smtlib(r, &out);
    text_add(&out, " ");
    term_print_smtlib(ts, raw_term(ts, r, ints, bools), &out);
    text_add(&out, "))(check-sat)(pop)\n");
  }
  char path[] = "/tmp/whet-test-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0 && write(fd, out.at, out.count) == (ssize_t)out.count);
  close(fd);
  char command[100];
  snprintf(command, sizeof command, "z3 -smt2 -t:20000 %s", path);
  FILE *answers = popen(command, "r");
  char line[200];
  int unsat = 0;
  while (answers && fgets(line, sizeof line, answers)) {
    CHECK(!strcmp(line, "unsat\n"), "%s", line);
    unsat++;
  }
  if (answers) pclose(answers);
  CHECK(unsat == ROUNDS, "%d answers", unsat);
  unlink(path);
  text_clear(&out);
  arena_free(s.arena);
  terms_free(ts);
}

TEST_MAIN
