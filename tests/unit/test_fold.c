/* Folds, walks and scans over random terms against plain recursion; how much work they do, counted; numbers that would never end. */
#include "base/escape.h"
#include "random/random_expression.h"
#include "term/bounds.h"
#include "term/evaluate.h"
#include "term/fold.h"
#include "term/print.h"
#include "term/ranges.h"
#include "unit/test.h"

enum { INTS = 4, BOOLS = 2 };

static terms *ts;
static variable ints[INTS], bools[BOOLS];

static void start(void) {
  static const type integer = {.sort = SORT_INT}, boolean = {.sort = SORT_BOOL};
  ts = terms_new();
  char name[] = "i0";
  for (int i = 0; i < INTS; i++, name[1]++) ints[i] = variable_new(ts, name, &integer);
  strcpy(name, "b0");
  for (int i = 0; i < BOOLS; i++, name[1]++) bools[i] = variable_new(ts, name, &boolean);
}

/* ---- plain recursion ---- */

static uint32_t slow_depth(term t) {
  uint32_t deepest = 0;
  for (size_t i = 0; i < term_arguments(ts, t); i++) {
    uint32_t below = slow_depth(term_argument(ts, t, i)) + 1;
    if (below > deepest) deepest = below;
  }
  return deepest;
}

static void slow_mark(term t, bool *seen) {
  seen[term_index(t)] = true;
  for (size_t i = 0; i < term_arguments(ts, t); i++) slow_mark(term_argument(ts, t, i), seen);
}

static bool slow_mentions(term t, variable v) {
  term_kind kind = term_kind_of(ts, t);
  if (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE) return variable_same(term_variable(ts, t), v);
  for (size_t i = 0; i < term_arguments(ts, t); i++)
    if (slow_mentions(term_argument(ts, t, i), v)) return true;
  return false;
}

/* ---- rules ---- */

static size_t rule_calls;

static void depth_rule(const term_fold *f, term t, void *out) {
  uint32_t *depth = out;
  rule_calls++;
  for (size_t i = 0; i < term_arguments(f->ts, t); i++) {
    uint32_t below = FOLD_VALUE(uint32_t, f, term_argument(f->ts, t, i)) + 1;
    if (below > *depth) *depth = below;
  }
}

/* The same term, built again. */
static void copy_rule(const term_fold *f, term t, void *out) { *(term *)out = fold_rebuilt(f, f->context, t); }

static void check_scans(term t) {
  bool *seen = MEMORY_ARRAY(bool, terms_count(ts));
  size_t size = 0;
  slow_mark(t, seen);
  for (size_t i = 0; i < terms_count(ts); i++) size += seen[i];
  CHECK(term_size(ts, t) == size);
  bool has_product = false;
  for (uint32_t i = 0; i < terms_count(ts); i++)
    has_product |= seen[i] && term_kind_of(ts, (term){2 * i}) == TERM_PRODUCT;
  CHECK(term_has_kind(ts, t, TERM_PRODUCT) == has_product);
  variable_vector all = {0};
  term_variables(ts, 1, &t, &all);
  size_t found = 0;
  for (int i = 0; i < INTS + BOOLS; i++) {
    variable v = i < INTS ? ints[i] : bools[i - INTS];
    bool is_listed = false;
    for (size_t j = 0; j < all.count; j++) is_listed |= variable_same(all.at[j], v);
    CHECK(is_listed == slow_mentions(t, v));
    CHECK(is_listed == term_mentions(ts, t, v));
    found += is_listed;
  }
  CHECK(found == all.count, "each once");
  VECTOR_FREE(all);
  memory_free(seen);
}

TEST(folds_and_scans_agree_with_recursion) {
  start();
  raw_source s = {{31}, arena_new(), INTS, BOOLS, true, true};
  term_fold kept = {.ts = ts, .size = sizeof(uint32_t), .rule = depth_rule};
  for (int round = 0; round < 500; round++) {
    term t = raw_term(ts, round & 1 ? raw_boolean(&s, 5) : raw_integer(&s, 5), ints, bools);
    term_fold once = {.ts = ts, .size = sizeof(uint32_t), .rule = depth_rule};
    term_fold copy = {.ts = ts, .size = sizeof(term), .rule = copy_rule, .context = ts};
    uint32_t depth = slow_depth(t);
    CHECK(*(uint32_t *)term_fold_value(&once, t) == depth);
    CHECK(*(uint32_t *)term_fold_value(&kept, t) == depth, "with what earlier rounds have left");
    term_fold_value(&copy, t);
    CHECK(term_same(fold_term(&copy, t), t));
    CHECK(term_fold_count(&once) == term_size(ts, t));
    term_fold_close(&once);
    term_fold_close(&copy);
    check_scans(t);
    if (round % 50 == 49) term_fold_clear(&kept);
  }
  term_fold_close(&kept);
  arena_free(s.arena);
  terms_free(ts);
}

TEST(a_fold_may_outlive_the_terms) {
  start();
  term_fold f = {.ts = ts, .size = sizeof(uint32_t), .rule = depth_rule};
  term_fold_value(&f, term_of_variable(ts, ints[0]));
  terms_free(ts);
  term_fold_close(&f);
}

/* if i0 = 1 then i1 else if i0 = 2 then .. */
static term chain(size_t length) {
  term t = term_of_variable(ts, ints[1]);
  for (size_t i = 0; i < length; i++) {
    term is = term_eq(ts, term_of_variable(ts, ints[0]), term_int(ts, (int64_t)i));
    t = term_ite(ts, is, term_add(ts, term_of_variable(ts, ints[2]), term_int(ts, (int64_t)(i * i + 1))), t);
  }
  return t;
}

TEST(what_many_roots_share_is_visited_once) {
  enum { LENGTH = 2000, ROOTS = 2000 };
  start();
  term shared = chain(LENGTH);
  term_fold f = {.ts = ts, .size = sizeof(uint32_t), .rule = depth_rule};
  term_walk *w = term_walk_new(ts);
  variable_vector all = {0};
  rule_calls = 0;
  for (int i = 0; i < ROOTS; i++) {
    term root = term_le(ts, shared, term_int(ts, i));
    term_fold_value(&f, root);
    term_walk_variables(w, root, &all);
  }
  CHECK(rule_calls <= terms_count(ts), "%zu calls for %zu terms", rule_calls, terms_count(ts));
  CHECK(all.count == 3, "%zu variables", all.count);
  VECTOR_FREE(all);
  term_walk_free(w);
  term_fold_close(&f);
  terms_free(ts);
}

/* ---- numbers ---- */

TEST(squares_of_squares_are_not_computed) {
  start();
  term t = term_int(ts, 3);
  for (int i = 0; i < 200; i++) t = term_add(ts, t, term_mul(ts, t, t));
  CHECK(!term_is_number(ts, t, NULL));
  CHECK(terms_count(ts) < 2000, "%zu terms", terms_count(ts));
  interval i = term_interval(ts, t);
  CHECK(i.has_low && number_sign(i.low) >= 0 && (!i.has_high || number_bits(i.high) < 20000));
  terms_free(ts);
}

TEST(products_that_are_not_too_large_are_numbers) {
  start();
  number n = number_of(1), wanted = number_of(1);
  term t = term_int(ts, 1);
  for (int i = 0; i < 300; i++) {
    t = term_mul(ts, t, term_int(ts, 1000003));
    wanted = number_mul(wanted, number_of(1000003));
  }
  CHECK(term_is_number(ts, t, &n) && number_equal(n, wanted), "factors that are small are no reason to stop");
  CHECK(number_bits(n) > 4096);
  number all[INTS + BOOLS] = {{0}};
  term large = term_mul(ts, t, t);
  CHECK(!term_is_number(ts, large, NULL));
  CHECK(number_equal(term_evaluate(ts, large, all), number_mul(wanted, wanted)));
  terms_free(ts);
}

TEST(bits_are_counted) {
  static const struct {
    const char *number;
    size_t bits;
  } cases[] = {{"0", 0},
               {"1", 1},
               {"-1", 1},
               {"255", 8},
               {"256", 9},
               {"-9223372036854775808", 64},
               {"18446744073709551616", 65}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    number n;
    CHECK(number_parse(cases[i].number, strlen(cases[i].number), &n) && number_bits(n) == cases[i].bits, "%s",
          cases[i].number);
  }
}

/* ---- names ---- */

static void check_shown(const char *name, const char *wanted) {
  text out = {0};
  text_add_shown(&out, name);
  CHECK_TEXT(text_string(&out), wanted);
  text_clear(&out);
}

/* ---- ranges ---- */

enum { LISTED = 9, ROUNDS = 300 };

/* Values of two variables, in any order, some twice, and another atom; perhaps with a conjunct beside it. */
static term any_list(random_source *r) {
  term_vector all = {0};
  for (int i = 0; i < LISTED; i++) {
    term x = term_of_variable(ts, ints[random_below(r, 2)]);
    VECTOR_PUSH(all, term_eq(ts, x, term_int(ts, random_between(r, 0, 7))));
  }
  if (random_below(r, 2)) VECTOR_PUSH(all, term_of_variable(ts, bools[0]));
  term list = term_or_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  term beside = term_le(ts, term_of_variable(ts, ints[0]), term_of_variable(ts, ints[1]));
  return random_below(r, 2) ? term_and(ts, list, beside) : list;
}

TEST(ranges_have_the_values_that_were_listed) {
  start();
  random_source r = {.state = 1};
  number values[INTS + BOOLS + 1] = {0};
  size_t changed = 0;
  for (int round = 0; round < ROUNDS; round++) {
    term list = any_list(&r), ranges = term_with_ranges(ts, list);
    changed += !term_same(list, ranges);
    for (int i = 0; i < 10 * 10 * 2; i++) {
      values[ints[0].x] = number_of(i % 10 - 1);
      values[ints[1].x] = number_of(i / 10 % 10 - 1);
      values[bools[0].x] = number_of(i / 100);
      CHECK(number_equal(term_evaluate(ts, list, values), term_evaluate(ts, ranges, values)), "round %d", round);
    }
  }
  CHECK(changed > ROUNDS / 4 && changed < ROUNDS, "%zu", changed);
  terms_free(ts);
}

TEST(control_characters_are_escaped) {
  check_shown("plain |name| \\ é", "plain |name| \\ é");
  check_shown("x\ninvar1: SAFE\ny", "x\\ninvar1: SAFE\\ny");
  check_shown("\x1b[31m\\ \x7f\r", "\\x1b[31m\\\\ \\x7f\\r");
  check_shown(
      "\xc2\x9b"
      "31m",
      "\\x9b31m");
  text out = {0};
  text_add_quoted(&out, "a\"b\\c\nd");
  CHECK_TEXT(text_string(&out), "\"a\\\"b\\\\c\\nd\"");
  text_clear(&out);
}

TEST(terms_show_names_in_one_line) {
  start();
  static const type integer = {.sort = SORT_INT};
  variable v = variable_new(ts, "x\ny: SAFE", &integer);
  CHECK_TEXT(variable_shown(ts, v), "x\\ny: SAFE");
  CHECK_TEXT(variable_name(ts, v), "x\ny: SAFE");
  char *got = term_string(ts, term_le(ts, term_of_variable(ts, v), term_int(ts, 2)));
  CHECK_TEXT(got, "|x\\ny: SAFE| <= 2");
  memory_free(got);
  terms_free(ts);
}

TEST_MAIN
