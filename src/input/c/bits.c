/* Shifts and operations on bits, exact: by division and remainder for what is constant, bit by bit for small values.
 * Values are integers in two's complement with as many bits as they need, so identities such as
 * a | b = a + b - (a & b) hold for negative ones too. */
#include "input/c/lower.h"

enum { MOST_BITS_ONE_BY_ONE = 8 };

static c_operand fitted(c_lowering *l, c_path *p, term value, const c_type *t) {
  number low = number_negate(number_power_of_two(t->bits)), high = number_power_of_two(t->bits);
  c_operand o = {.type = t, .value = value, .low = low, .high = high};
  c_path_bounds(l, p, value, &o.low, &o.high);
  return c_value_convert(l, p, &o, t);
}

static bool is_odd(number n) { return number_is(number_mod(n, number_of(2)), 1); }
static number half(number n) { return number_floor_div(n, number_of(2)); }

/* a & mask, mask >= 0: each run of ones in the mask is a remainder of a quotient. */
static term and_mask(c_lowering *l, term a, number mask) {
  terms *ts = l->ts;
  term sum = term_int(ts, 0);
  for (unsigned at = 0; number_sign(mask) > 0;) {
    unsigned zeros = 0, ones = 0;
    for (; !is_odd(mask); mask = half(mask)) zeros++;
    for (; is_odd(mask); mask = half(mask)) ones++;
    at += zeros;
    number low = number_power_of_two(at);
    term part =
        term_mod(ts, at ? term_div(ts, a, term_number(ts, low)) : a, term_number(ts, number_power_of_two(ones)));
    sum = term_add(ts, sum, term_scale(ts, low, part));
    at += ones;
  }
  return sum;
}

static term and_constant(c_lowering *l, term a, number mask) {
  if (number_sign(mask) >= 0) return and_mask(l, a, mask);
  return term_sub(l->ts, a, and_mask(l, a, number_sub(number_of(-1), mask)));
}

static term bit(c_lowering *l, term a, unsigned i) {
  terms *ts = l->ts;
  term shifted = i ? term_div(ts, a, term_number(ts, number_power_of_two(i))) : a;
  return term_eq(ts, term_mod(ts, shifted, term_int(ts, 2)), term_int(ts, 1));
}

/* Two values of few bits, not negative. */
static bool and_bits(c_lowering *l, const c_operand *a, const c_operand *b, term *out) {
  terms *ts = l->ts;
  size_t bits_a = number_bits(a->high), bits_b = number_bits(b->high), bits = bits_a < bits_b ? bits_a : bits_b;
  if (number_sign(a->low) < 0 || number_sign(b->low) < 0 || bits > MOST_BITS_ONE_BY_ONE) return false;
  *out = term_int(ts, 0);
  for (unsigned i = 0; i < bits; i++) {
    bool single = bits_a == 1 && bits_b == 1;
    term both = single ? term_and(ts, c_value_condition(l, a), c_value_condition(l, b))
                       : term_and(ts, bit(l, a->value, i), bit(l, b->value, i));
    *out = term_add(ts, *out, term_ite(ts, both, term_number(ts, number_power_of_two(i)), term_int(ts, 0)));
  }
  return true;
}

c_operand c_value_bits(c_lowering *l, c_path *p, const char *opcode, const c_operand *a, const c_operand *b,
                       const c_type *t, const c_node *at) {
  terms *ts = l->ts;
  number mask;
  term both;
  if (term_is_number(ts, b->value, &mask)) {
    both = and_constant(l, a->value, mask);
  } else if (term_is_number(ts, a->value, &mask)) {
    both = and_constant(l, b->value, mask);
  } else if (term_same(a->value, b->value)) {
    both = a->value;
  } else if (!and_bits(l, a, b, &both)) {
    c_refuse(l, at,
             "`%s` of two values of %u bits that are not constant is not read; with a constant mask, or values below "
             "256, it is",
             opcode, t->bits);
    return *a;
  }
  if (*opcode == '&') return fitted(l, p, both, t);
  term sum = term_add(ts, a->value, b->value);
  return fitted(l, p, term_sub(ts, sum, *opcode == '|' ? both : term_scale(ts, number_of(2), both)), t);
}

/* ---- shifts ---- */

static c_operand shift_by(c_lowering *l, c_path *p, bool left, const c_operand *a, unsigned by, const c_type *t) {
  term factor = term_number(l->ts, number_power_of_two(by));
  term value = left ? term_scale(l->ts, number_power_of_two(by), a->value) : term_div(l->ts, a->value, factor);
  c_operand o = {.type = t, .value = value};
  o.low = left ? number_mul(a->low, number_power_of_two(by)) : number_floor_div(a->low, number_power_of_two(by));
  o.high = left ? number_mul(a->high, number_power_of_two(by)) : number_floor_div(a->high, number_power_of_two(by));
  return c_value_convert(l, p, &o, t);
}

/* A negative value must not be shifted left, nor ones out of a signed value. */
static term overflows(c_lowering *l, const c_operand *a, unsigned by, const c_type *t) {
  number most = number_floor_div(t->high, number_power_of_two(by));
  return term_or(l->ts, term_lt(l->ts, a->value, term_int(l->ts, 0)),
                 term_gt(l->ts, a->value, term_number(l->ts, most)));
}

c_operand c_value_shift(c_lowering *l, c_path *p, bool left, const c_operand *a, const c_operand *b, const c_type *t,
                        const c_node *at) {
  terms *ts = l->ts;
  term outside = term_or(ts, term_lt(ts, b->value, term_int(ts, 0)), term_ge(ts, b->value, term_int(ts, t->bits)));
  c_path_check(l, p, outside, ERROR_OVERFLOW, at);
  number low = number_of(0), high = number_of(t->bits - 1);
  if (number_compare(b->low, low) > 0) low = b->low;
  if (number_compare(b->high, high) < 0) high = b->high;
  if (number_compare(low, high) > 0) return c_value_number(l, t, number_of(0)); /* always an error */
  bool checks = left && t->is_signed && !l->settings->signed_wraps;
  c_operand result = {0};
  for (int64_t by = high.small; by >= low.small; by--) {
    term is_it = term_eq(ts, b->value, term_int(ts, by));
    if (checks) c_path_check(l, p, term_and(ts, is_it, overflows(l, a, (unsigned)by, t)), ERROR_OVERFLOW, at);
    c_operand one = shift_by(l, p, left, a, (unsigned)by, t);
    if (!result.type) {
      result = one;
      continue;
    }
    result.value = term_ite(ts, is_it, one.value, result.value);
    if (number_compare(one.low, result.low) < 0) result.low = one.low;
    if (number_compare(one.high, result.high) > 0) result.high = one.high;
  }
  return result;
}
