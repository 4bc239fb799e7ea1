/* Building terms of numbers and atoms: linear sums in one order, products spread over sums, division and remainder by
 * constants reduced, and the normal form of atoms that term.h describes. */
#include <stdlib.h>

#include "term/table.h"

/* Products of sums are multiplied out up to this many pieces; larger ones stay products. */
enum { MULTIPLY_OUT_LIMIT = 64 };

/* A sum under construction. */
typedef struct builder {
  number constant;
  monomials all;
} builder;

/* Takes the room that the last sum has left, if no other sum is under construction. */
static builder builder_start(terms *ts, number constant) {
  builder b = {constant, ts->spare};
  ts->spare = (monomials){0};
  return b;
}

static void builder_end(builder *b, terms *ts) {
  VECTOR_CLEAR(b->all);
  monomials smaller = b->all.room < ts->spare.room ? b->all : ts->spare;
  if (b->all.room >= ts->spare.room) ts->spare = b->all;
  VECTOR_FREE(smaller);
}

static void builder_add(builder *b, const terms *ts, number factor, term t) {
  linear l = term_linear(ts, t);
  b->constant = number_add(b->constant, number_mul(factor, l.constant));
  for (size_t i = 0; i < l.count; i++)
    VECTOR_PUSH(b->all, (monomial){l.leaves[i], number_mul(factor, l.coefficients[i])});
}

static int compare_monomials(const void *a, const void *b) {
  uint32_t x = ((const monomial *)a)->leaf.x, y = ((const monomial *)b)->leaf.x;
  return (x > y) - (x < y);
}

static void builder_merge(builder *b) {
  bool sorted = true;
  for (size_t i = 1; i < b->all.count && sorted; i++) sorted = b->all.at[i - 1].leaf.x < b->all.at[i].leaf.x;
  if (!sorted) qsort(b->all.at, b->all.count, sizeof(monomial), compare_monomials);
  size_t kept = 0;
  for (size_t i = 0; i < b->all.count; i++) {
    if (kept && term_same(b->all.at[kept - 1].leaf, b->all.at[i].leaf))
      b->all.at[kept - 1].coefficient = number_add(b->all.at[kept - 1].coefficient, b->all.at[i].coefficient);
    else
      b->all.at[kept++] = b->all.at[i];
    if (number_is(b->all.at[kept - 1].coefficient, 0)) kept--;
  }
  b->all.count = kept;
}

/* The sum as a term; merges first and ends the builder. */
static term builder_finish(builder *b, terms *ts) {
  builder_merge(b);
  size_t count = b->all.count;
  term result;
  if (count == 1 && number_is(b->constant, 0) && number_is(b->all.at[0].coefficient, 1)) {
    result = b->all.at[0].leaf;
  } else {
    enum { FEW = 16 };
    term few_leaves[FEW], *leaves = count <= FEW ? few_leaves : MEMORY_ARRAY(term, count);
    number few_numbers[FEW + 1], *numbers = count <= FEW ? few_numbers : MEMORY_ARRAY(number, count + 1);
    numbers[0] = b->constant;
    for (size_t i = 0; i < count; i++) leaves[i] = b->all.at[i].leaf, numbers[i + 1] = b->all.at[i].coefficient;
    result = terms_intern(ts, &(node_key){.kind = TERM_SUM, .count = count, .arguments = leaves, .numbers = numbers});
    if (leaves != few_leaves) memory_free(leaves);
    if (numbers != few_numbers) memory_free(numbers);
  }
  builder_end(b, ts);
  return result;
}

term term_number(terms *ts, number n) { return terms_intern(ts, &(node_key){.kind = TERM_SUM, .numbers = &n}); }

term term_int(terms *ts, int64_t n) { return term_number(ts, number_of(n)); }

term term_of_value(terms *ts, variable v, int64_t value) {
  return variable_type(ts, v)->sort == SORT_BOOL ? term_of_bool(value) : term_int(ts, value);
}

static term combine(terms *ts, number fa, term a, number fb, term b) {
  builder sum = builder_start(ts, number_of(0));
  builder_add(&sum, ts, fa, a);
  builder_add(&sum, ts, fb, b);
  return builder_finish(&sum, ts);
}

term term_add(terms *ts, term a, term b) { return combine(ts, number_of(1), a, number_of(1), b); }
term term_sub(terms *ts, term a, term b) { return combine(ts, number_of(1), a, number_of(-1), b); }
term term_negate(terms *ts, term a) { return term_scale(ts, number_of(-1), a); }

term term_scale(terms *ts, number factor, term a) {
  builder sum = builder_start(ts, number_of(0));
  if (!number_is(factor, 0)) builder_add(&sum, ts, factor, a);
  return builder_finish(&sum, ts);
}

term term_sum(terms *ts, number constant, size_t count, const term *leaves, const number *coefficients) {
  builder sum = builder_start(ts, constant);
  for (size_t i = 0; i < count; i++)
    if (!number_is(coefficients[i], 0)) builder_add(&sum, ts, coefficients[i], leaves[i]);
  return builder_finish(&sum, ts);
}

/* ---- products ---- */

static int compare_terms(const void *a, const void *b) {
  uint32_t x = ((const term *)a)->x, y = ((const term *)b)->x;
  return (x > y) - (x < y);
}

static void collect_factors(const terms *ts, term t, term_vector *out) {
  if (term_kind_of(ts, t) == TERM_PRODUCT)
    for (size_t i = 0; i < term_arguments(ts, t); i++) VECTOR_PUSH(*out, term_argument(ts, t, i));
  else
    VECTOR_PUSH(*out, t);
}

/* The product of two terms that are not constants, or too large ones, neither to be multiplied out. */
static term product_of_leaves(terms *ts, term a, term b) {
  term_vector factors = {0};
  collect_factors(ts, a, &factors);
  collect_factors(ts, b, &factors);
  qsort(factors.at, factors.count, sizeof(term), compare_terms);
  term result = terms_intern(ts, &(node_key){.kind = TERM_PRODUCT, .count = factors.count, .arguments = factors.at});
  VECTOR_FREE(factors);
  return result;
}

static term multiply_out(terms *ts, term a, term b) {
  size_t na = term_linear(ts, a).count, nb = term_linear(ts, b).count;
  number ca = term_linear(ts, a).constant, cb = term_linear(ts, b).constant;
  builder sum = builder_start(ts, number_mul(ca, cb));
  for (size_t i = 0; i < na; i++) {
    linear l = term_linear(ts, a);
    term x = l.leaves[i];
    number k = l.coefficients[i];
    VECTOR_PUSH(sum.all, (monomial){x, number_mul(k, cb)});
    for (size_t j = 0; j < nb; j++) {
      linear r = term_linear(ts, b);
      term y = r.leaves[j];
      number f = number_mul(k, r.coefficients[j]);
      VECTOR_PUSH(sum.all, (monomial){product_of_leaves(ts, x, y), f});
    }
  }
  for (size_t j = 0; j < nb; j++) {
    linear r = term_linear(ts, b);
    VECTOR_PUSH(sum.all, (monomial){r.leaves[j], number_mul(ca, r.coefficients[j])});
  }
  return builder_finish(&sum, ts);
}

/* Of the largest number in a sum. */
static size_t most_bits(const terms *ts, term t) {
  linear l = term_linear(ts, t);
  size_t most = number_bits(l.constant);
  for (size_t i = 0; i < l.count; i++)
    if (number_bits(l.coefficients[i]) > most) most = number_bits(l.coefficients[i]);
  return most;
}

term term_mul(terms *ts, term a, term b) {
  number k;
  if (bits_are_too_many(most_bits(ts, a), most_bits(ts, b))) return product_of_leaves(ts, a, b);
  if (term_is_number(ts, a, &k)) return term_scale(ts, k, b);
  if (term_is_number(ts, b, &k)) return term_scale(ts, k, a);
  if (term_linear(ts, a).count * term_linear(ts, b).count <= MULTIPLY_OUT_LIMIT) return multiply_out(ts, a, b);
  return product_of_leaves(ts, a, b);
}

/* ---- division and remainder ---- */

/* Splits `a` for a divisor k > 0: a = k * quotient + rest, all coefficients of `rest` in 0..k-1. */
static void split_by(terms *ts, term a, number k, term *quotient, term *rest) {
  linear l = term_linear(ts, a);
  builder q = builder_start(ts, number_floor_div(l.constant, k));
  builder r = builder_start(ts, number_mod(l.constant, k));
  for (size_t i = 0; i < l.count; i++) {
    VECTOR_PUSH(q.all, (monomial){l.leaves[i], number_floor_div(l.coefficients[i], k)});
    VECTOR_PUSH(r.all, (monomial){l.leaves[i], number_mod(l.coefficients[i], k)});
  }
  *quotient = builder_finish(&q, ts);
  *rest = builder_finish(&r, ts);
}

static term division_node(terms *ts, term_kind kind, term a, term b) {
  return terms_intern(ts, &(node_key){.kind = kind, .count = 2, .arguments = (term[]){a, b}});
}

term term_div(terms *ts, term a, term b) {
  number k;
  REQUIRE(term_sort(ts, a) == SORT_INT && term_sort(ts, b) == SORT_INT, "integers");
  if (!term_is_number(ts, b, &k)) return division_node(ts, TERM_DIV, a, b);
  if (number_is(k, 0)) return term_int(ts, 0);
  if (number_sign(k) < 0) return term_negate(ts, term_div(ts, a, term_number(ts, number_negate(k))));
  if (number_is(k, 1)) return a;
  term quotient, rest;
  split_by(ts, a, k, &quotient, &rest);
  if (term_is_number(ts, rest, NULL)) return quotient; /* in 0..k-1 */
  return term_add(ts, quotient, division_node(ts, TERM_DIV, rest, b));
}

term term_mod(terms *ts, term a, term b) {
  number k;
  REQUIRE(term_sort(ts, a) == SORT_INT && term_sort(ts, b) == SORT_INT, "integers");
  if (!term_is_number(ts, b, &k)) return division_node(ts, TERM_MOD, a, b);
  if (number_is(k, 0)) return a;
  if (number_sign(k) < 0) return term_mod(ts, a, term_number(ts, number_negate(k)));
  term quotient, rest;
  split_by(ts, a, k, &quotient, &rest);
  if (term_is_number(ts, rest, NULL)) return rest;
  return division_node(ts, TERM_MOD, rest, b);
}

term term_min(terms *ts, term a, term b) { return term_ite(ts, term_le(ts, a, b), a, b); }
term term_max(terms *ts, term a, term b) { return term_ite(ts, term_le(ts, a, b), b, a); }
term term_abs(terms *ts, term a) { return term_ite(ts, term_ge(ts, a, term_int(ts, 0)), a, term_negate(ts, a)); }

/* ---- atoms ---- */

static number gcd_of_coefficients(const linear *l) {
  number g = number_of(0);
  for (size_t i = 0; i < l->count && !number_is(g, 1); i++) g = number_gcd(g, l->coefficients[i]);
  return g;
}

/* sign * (l / g) with `constant` instead of l's; every coefficient is a multiple of g. */
static term scaled_sum(terms *ts, const linear *l, number g, int sign, number constant) {
  builder b = builder_start(ts, constant);
  for (size_t i = 0; i < l->count; i++) {
    number c = number_is(g, 1) ? l->coefficients[i] : number_div(l->coefficients[i], g);
    VECTOR_PUSH(b.all, (monomial){l->leaves[i], sign < 0 ? number_negate(c) : c});
  }
  return builder_finish(&b, ts);
}

static bool has_real_leaf(const terms *ts, const linear *l) {
  for (size_t i = 0; i < l->count; i++)
    if (term_sort(ts, l->leaves[i]) == SORT_REAL) return true;
  return false;
}

static number common_multiple(number a, number b) { return number_mul(a, number_div(b, number_gcd(a, b))); }

/* The sum times the positive number that makes all its numbers integers with gcd 1. */
static term whole_sum(terms *ts, term sum) {
  linear l = term_linear(ts, sum);
  number multiple = number_denominator(l.constant);
  for (size_t i = 0; i < l.count; i++) multiple = common_multiple(multiple, number_denominator(l.coefficients[i]));
  if (!number_is(multiple, 1)) sum = term_scale(ts, multiple, sum);
  l = term_linear(ts, sum);
  number divisor = number_abs(l.constant);
  for (size_t i = 0; i < l.count; i++) divisor = number_gcd(divisor, l.coefficients[i]);
  return number_is(divisor, 1) ? sum : term_scale(ts, number_quotient(number_of(1), divisor), sum);
}

static term intern_atom(terms *ts, term_kind kind, term sum) {
  return terms_intern(ts, &(node_key){.kind = kind, .count = 1, .arguments = &sum});
}

/* An integer sum with fractions as numbers: multiplied, it is one without. */
static term without_fractions(terms *ts, term sum) {
  linear l = term_linear(ts, sum);
  return term_sort(ts, sum) == SORT_REAL && l.count && !has_real_leaf(ts, &l) ? whole_sum(ts, sum) : sum;
}

term term_at_most_zero(terms *ts, term sum) {
  sum = without_fractions(ts, sum);
  linear l = term_linear(ts, sum);
  if (!l.count) return term_of_bool(number_sign(l.constant) <= 0);
  if (term_sort(ts, sum) == SORT_REAL) return intern_atom(ts, TERM_LE, whole_sum(ts, sum));
  number g = gcd_of_coefficients(&l), c = number_ceil_div(l.constant, g);
  bool negated = number_sign(l.coefficients[0]) < 0;
  if (negated) c = number_sub(number_of(1), c);
  bool is_normal = !negated && number_is(g, 1);
  term form = is_normal ? sum : scaled_sum(ts, &l, g, negated ? -1 : 1, c);
  term atom = terms_intern(ts, &(node_key){.kind = TERM_LE, .count = 1, .arguments = &form});
  return negated ? term_not(atom) : atom;
}

term term_equals_zero(terms *ts, term sum) {
  sum = without_fractions(ts, sum);
  linear l = term_linear(ts, sum);
  if (!l.count) return term_of_bool(number_is(l.constant, 0));
  if (term_sort(ts, sum) == SORT_REAL) {
    term whole = whole_sum(ts, sum);
    bool is_negative = number_sign(term_linear(ts, whole).coefficients[0]) < 0;
    return intern_atom(ts, TERM_EQ, is_negative ? term_negate(ts, whole) : whole);
  }
  number g = gcd_of_coefficients(&l);
  if (!number_is(number_mod(l.constant, g), 0)) return TERM_FALSE;
  int sign = number_sign(l.coefficients[0]);
  number c = number_div(l.constant, g);
  bool is_normal = sign > 0 && number_is(g, 1);
  term form = is_normal ? sum : scaled_sum(ts, &l, g, sign, sign < 0 ? number_negate(c) : c);
  return terms_intern(ts, &(node_key){.kind = TERM_EQ, .count = 1, .arguments = &form});
}

term term_le(terms *ts, term a, term b) { return term_at_most_zero(ts, term_sub(ts, a, b)); }
term term_gt(terms *ts, term a, term b) { return term_not(term_le(ts, a, b)); }
term term_ge(terms *ts, term a, term b) { return term_le(ts, b, a); }
term term_lt(terms *ts, term a, term b) { return term_not(term_le(ts, b, a)); }
