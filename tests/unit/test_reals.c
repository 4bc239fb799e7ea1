/* Fractions, terms with reals, what simplifies them, the prover and projection, against exact evaluation and Z3. */
#include "base/random.h"
#include "engine/project.h"
#include "proof/check/literal_facts.h"
#include "proof/smtlib_term.h"
#include "proof/type_and_input_conditions.h"
#include "solver/prover.h"
#include "term/bounds.h"
#include "term/evaluate.h"
#include "term/print.h"
#include "term/substitute.h"
#include "unit/test.h"

enum { REALS = 3, INTS = 2, VARIABLES = REALS + INTS, ROUNDS = 3000, FEWER = 300 };

static terms *ts;
static variable all[VARIABLES]; /* reals first */
static random_source r;

static void start(uint64_t seed) {
  r.state = seed;
  ts = terms_new();
  char name[] = "v0";
  for (int i = 0; i < VARIABLES; i++, name[1]++)
    all[i] = variable_new(ts, name, &(type){.sort = i < REALS ? SORT_REAL : SORT_INT});
}

static int below(int n) { return (int)random_below(&r, (uint64_t)n); }

static number fraction(void) {
  return number_quotient(number_of(random_between(&r, -6, 6)), number_of(random_between(&r, 1, 4)));
}

static void random_values(number *out) {
  for (int i = 0; i < VARIABLES; i++) out[all[i].x] = i < REALS ? fraction() : number_of(random_between(&r, -3, 3));
}

/* ---- numbers ---- */

static number read_number(const char *words) {
  number n = number_of(12345);
  CHECK(number_parse_fraction(words, strlen(words), &n), "%s", words);
  return n;
}

static void expect_number(number n, const char *wanted) {
  char *got = number_string(n);
  CHECK_TEXT(got, wanted);
  memory_free(got);
}

TEST(fractions) {
  expect_number(read_number("7/2"), "7/2");
  expect_number(read_number("-14/4"), "-7/2");
  expect_number(read_number("3.50"), "7/2");
  expect_number(read_number("-0.125"), "-1/8");
  expect_number(read_number("6/3"), "2");
  expect_number(number_add(read_number("1/2"), read_number("1/3")), "5/6");
  expect_number(number_sub(read_number("1/2"), read_number("1/2")), "0");
  expect_number(number_mul(read_number("2/3"), read_number("3/2")), "1");
  expect_number(number_quotient(number_of(1), read_number("-2/3")), "-3/2");
  expect_number(number_floor(read_number("-7/2")), "-4");
  expect_number(number_floor(read_number("7/2")), "3");
  expect_number(read_number("100000000000000000000000/3"), "100000000000000000000000/3");
  CHECK(number_equal(read_number("1/3"), read_number("2/6")));
  CHECK(number_compare(read_number("1/3"), read_number("0.34")) < 0 && number_sign(read_number("-1/9")) < 0);
  CHECK(!number_is_integer(read_number("1/3")) && number_is_integer(read_number("100000000000000000000000")));
  int64_t word;
  CHECK(!number_to_int64(read_number("1/3"), &word));
  static const char *const wrong[] = {"",   "/",     "1/",    "/2",    "1/0", "1/-2", "1/+2", "1.",
                                      ".5", "1.2.3", "1/2/3", "1.5/2", "-",   "-.5",  "x"};
  for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
    number n;
    CHECK(!number_parse_fraction(wrong[i], strlen(wrong[i]), &n), "%s", wrong[i]);
  }
}

/* ---- terms ---- */

typedef struct sum {
  term term;
  number value;
} sum;

static sum random_sum(const number *values) {
  sum s = {.value = fraction()};
  s.term = term_number(ts, s.value);
  for (int i = below(3); i >= 0; i--) {
    variable v = all[below(VARIABLES)];
    number c = below(2) ? number_of(random_between(&r, -2, 2)) : fraction();
    s.term = term_add(ts, s.term, term_scale(ts, c, term_of_variable(ts, v)));
    s.value = number_add(s.value, number_mul(c, values[v.x]));
  }
  return s;
}

/* A comparison, and whether it holds, found out without terms. */
static term random_atom(const number *values, bool *holds) {
  sum a = random_sum(values), b = random_sum(values);
  int order = number_compare(a.value, b.value);
  switch (below(6)) {
    case 0: *holds = order < 0; return term_lt(ts, a.term, b.term);
    case 1: *holds = order <= 0; return term_le(ts, a.term, b.term);
    case 2: *holds = order > 0; return term_gt(ts, a.term, b.term);
    case 3: *holds = order >= 0; return term_ge(ts, a.term, b.term);
    case 4: *holds = order == 0; return term_eq(ts, a.term, b.term);
    default: *holds = order != 0; return term_not(term_eq(ts, a.term, b.term));
  }
}

static bool is_true(term t, const number *values) { return number_is(term_evaluate(ts, t, values), 1); }

TEST(atoms_mean_what_they_say) {
  start(1);
  number values[VARIABLES];
  for (int i = 0; i < ROUNDS; i++) {
    bool holds, other;
    random_values(values);
    term t = random_atom(values, &holds), fact = random_atom(values, &other);
    if (!other) fact = term_not(fact);
    char *shown = term_string(ts, t);
    CHECK(is_true(t, values) == holds, "%s", shown);
    CHECK(is_true(term_not(t), values) == !holds, "%s", shown);
    CHECK(is_true(term_simplify_in_types(ts, t), values) == holds, "%s", shown);
    CHECK(is_true(term_simplify_under(ts, t, 1, &fact), values) == holds, "%s", shown);
    memory_free(shown);
  }
  CHECK(!terms_check(ts), "%s", terms_check(ts));
  terms_free(ts);
}

TEST(integers_take_the_place_of_reals) {
  start(2);
  number values[VARIABLES];
  for (int i = 0; i < ROUNDS; i++) {
    bool holds;
    random_values(values);
    values[all[0].x] = values[all[REALS].x]; /* what is put in its place */
    term t = random_atom(values, &holds);
    term replaced = term_replace(ts, t, all[0], term_of_variable(ts, all[REALS]));
    CHECK(is_true(replaced, values) == holds && !term_mentions(ts, replaced, all[0]));
  }
  terms_free(ts);
}

TEST(the_same_is_one_term) {
  start(3);
  term x = term_of_variable(ts, all[0]), y = term_of_variable(ts, all[1]), k = term_of_variable(ts, all[REALS]);
  term half = term_number(ts, read_number("1/2")), one = term_int(ts, 1);
  CHECK(term_same(term_lt(ts, x, y), term_not(term_le(ts, y, x))));
  CHECK(term_same(term_le(ts, term_scale(ts, read_number("2/3"), x), half),
                  term_le(ts, term_scale(ts, number_of(4), x), term_int(ts, 3))));
  CHECK(!term_same(term_lt(ts, x, one), term_le(ts, x, term_int(ts, 0))));
  CHECK(term_same(term_lt(ts, k, one), term_le(ts, k, term_int(ts, 0))));
  CHECK(term_same(term_le(ts, k, half), term_le(ts, k, term_int(ts, 0))));
  CHECK(term_is_false(term_eq(ts, k, half)) && !term_is_false(term_eq(ts, x, half)));
  CHECK(term_sort(ts, term_sub(ts, term_add(ts, x, k), x)) == SORT_INT &&
        term_sort(ts, term_add(ts, k, half)) == SORT_REAL);
  CHECK(term_is_real_atom(ts, term_lt(ts, x, one)) && !term_is_real_atom(ts, term_le(ts, k, half)));
  char *shown = term_string(ts, term_lt(ts, x, half));
  CHECK_TEXT(shown, "2 * v0 < 1");
  memory_free(shown);
  terms_free(ts);
}

TEST(what_is_printed_is_read_again) {
  start(4);
  number values[VARIABLES];
  named_terms names = {0};
  for (int i = 0; i < VARIABLES; i++) named_terms_add_variable(&names, ts, all[i]);
  for (int i = 0; i < FEWER; i++) {
    bool holds;
    random_values(values);
    term a = random_atom(values, &holds), b = random_atom(values, &holds), t = term_and(ts, a, term_not(b));
    term choice = term_ite(ts, a, term_of_variable(ts, all[0]), term_of_variable(ts, all[REALS]));
    if (below(2)) t = term_or(ts, b, term_le(ts, choice, term_int(ts, 1)));
    text printed = {0};
    term_vector read = {0};
    char *error = NULL;
    size_t place;
    term_print_smtlib(ts, t, &printed);
    token_reader from = tokens_open(text_string(&printed), printed.count);
    bool fine = smtlib_read_formula(ts, &from, &names, NULL, &read, &error, &place);
    CHECK(fine && term_same(term_or_all(ts, read.count, read.at), t), "%s: %s", text_string(&printed),
          fine ? "another" : error);
    memory_free(error);
    text_clear(&printed);
    VECTOR_FREE(read);
  }
  named_terms_clear(&names);
  terms_free(ts);
}

/* ---- solvers ---- */

TEST(the_prover_agrees_with_the_solver) {
  start(5);
  budget unlimited = budget_unlimited();
  solver *s = solver_new(ts, &unlimited), *oracle = solver_new(ts, &unlimited);
  prover *p = prover_new(ts, s);
  number values[VARIABLES];
  for (int i = 0; i < FEWER; i++) {
    term left[3];
    bool holds;
    random_values(values);
    for (int j = 0; j < 3; j++) left[j] = random_atom(values, &holds);
    term right = random_atom(values, &holds);
    answer got = prover_implies(p, 3, left, right);
    answer wanted = solver_valid(oracle, term_implies(ts, term_and_all(ts, 3, left), right));
    CHECK(!answer_is_unsure(got) && got.kind == wanted.kind);
  }
  prover_free(p);
  solver_free(s);
  solver_free(oracle);
  terms_free(ts);
}

/* Whatever satisfies the result, there are values of what is gone that satisfy the formula. */
TEST(projection_is_sound) {
  start(6);
  budget unlimited = budget_unlimited();
  solver *s = solver_new(ts, &unlimited);
  variable gone[2] = {all[0], all[REALS]};
  number values[VARIABLES];
  for (int i = 0; i < FEWER; i++) {
    term parts[4];
    random_values(values);
    for (int j = 0; j < 4; j++) {
      bool holds;
      term t = random_atom(values, &holds);
      parts[j] = holds ? t : term_not(t);
    }
    term f = term_and_all(ts, 4, parts);
    term_vector out = {0};
    CHECK(project(ts, f, 2, gone, values, &out));
    term left = term_and_all(ts, out.count, out.at);
    CHECK(is_true(left, values) && !term_mentions(ts, left, gone[0]) && !term_mentions(ts, left, gone[1]));
    for (int j = 0; j < 3; j++) { /* some that satisfy it, each away from the one before */
      solver_push(s);
      solver_assert(s, left);
      answer a = solver_check(s, 0);
      term_vector fixed = {0};
      for (int v = 0; v < VARIABLES && answer_is_yes(a); v++)
        if (v != 0 && v != REALS)
          VECTOR_PUSH(fixed, term_eq(ts, term_of_variable(ts, all[v]), term_number(ts, solver_value(s, all[v]))));
      solver_pop(s);
      if (answer_is_no(a)) j = 3;
      term here = term_and_all(ts, fixed.count, fixed.at);
      CHECK(!answer_is_yes(a) || answer_is_yes(solver_satisfiable(s, term_and(ts, f, here))));
      left = term_and(ts, left, term_not(here));
      VECTOR_FREE(fixed);
    }
    VECTOR_FREE(out);
  }
  solver_free(s);
  terms_free(ts);
}

/* ---- what the checker knows without a solver ---- */

/* Facts that hold for some values decide nothing that is otherwise there. */
TEST(facts_decide_what_is_so) {
  start(7);
  number values[VARIABLES];
  unsigned decided = 0;
  for (int i = 0; i < ROUNDS; i++) {
    facts *known = literal_facts_new(ts, NULL);
    bool holds;
    random_values(values);
    for (int j = 0; j < 6; j++) {
      term t = random_atom(values, &holds);
      literal_facts_add(known, holds ? t : term_not(t));
    }
    term asked = random_atom(values, &holds);
    decision d = literal_facts_decide(known, asked);
    char *shown = term_string(ts, asked);
    CHECK(d == UNDECIDED || (d == DECIDED_TRUE) == holds, "%s", shown);
    decided += d != UNDECIDED;
    memory_free(shown);
    literal_facts_free(known);
  }
  CHECK(decided > 0);
  terms_free(ts);
}

TEST(strict_bounds_of_reals_are_not_rounded) {
  start(8);
  term x = term_of_variable(ts, all[0]), k = term_of_variable(ts, all[REALS]), two = term_int(ts, 2);
  facts *known = literal_facts_new(ts, NULL);
  literal_facts_add(known, term_gt(ts, x, two));
  literal_facts_add(known, term_gt(ts, k, two));
  CHECK(literal_facts_decide(known, term_ge(ts, x, term_int(ts, 3))) == UNDECIDED);
  CHECK(literal_facts_decide(known, term_ge(ts, k, term_int(ts, 3))) == DECIDED_TRUE);
  CHECK(literal_facts_decide(known, term_le(ts, x, two)) == DECIDED_FALSE);
  CHECK(literal_facts_decide(known, term_le(ts, x, term_int(ts, 1))) == DECIDED_FALSE);
  literal_facts_free(known);
  terms_free(ts);
}

/* A condition of up to four atoms over all variables. */
static term random_condition(const number *values) {
  bool unused;
  term t = random_atom(values, &unused);
  for (int i = below(4); i > 0; i--) {
    term other = random_atom(values, &unused);
    t = below(2) ? term_and(ts, t, other) : term_or(ts, t, other);
  }
  return t;
}

/* `t` with the values of all variables but the first so many reals and integers. */
static term in_values(term t, int reals, int integers, const number *values) {
  for (int v = 0; v < VARIABLES; v++)
    if (v < REALS ? v >= reals : v - REALS >= integers)
      t = term_replace(ts, t, all[v], term_number(ts, values[all[v].x]));
  return t;
}

static void eliminate(int reals, int integers) {
  budget unlimited = budget_unlimited();
  solver *s = solver_new(ts, &unlimited);
  variable gone[2] = {all[0], reals > 1 ? all[1] : all[REALS]};
  number values[VARIABLES];
  unsigned exact_ones = 0;
  for (int i = 0; i < FEWER; i++) {
    random_values(values);
    term t = random_condition(values);
    bool exact = true;
    term left = condition_for_some(ts, t, (size_t)(reals + integers), gone, &exact);
    for (int v = 0; v < reals + integers; v++) CHECK(!exact || !term_mentions(ts, left, gone[v]));
    answer a = solver_satisfiable(s, in_values(t, reals, integers, values));
    bool some = is_true(in_values(left, reals, integers, values), values);
    char *shown = term_string(ts, t);
    CHECK(!answer_is_unsure(a) && (!some || answer_is_yes(a)) && (!exact || some == answer_is_yes(a)), "%s", shown);
    exact_ones += exact;
    memory_free(shown);
  }
  CHECK(integers || exact_ones > FEWER / 2, "%u", exact_ones);
  solver_free(s);
}

TEST(inputs_are_eliminated) {
  start(9);
  eliminate(1, 0);
  eliminate(2, 0);
  eliminate(1, 1); /* an integer beside reals is not always */
  terms_free(ts);
}

TEST_MAIN
