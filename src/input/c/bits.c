/* Shifts and operations on bits, exact: by division and remainder for what is constant, else bit by bit.
 * Values are integers in two's complement with as many bits as they need, so identities such as
 * a | b = a + b - (a & b) hold for negative ones too. */
#include "input/c/lower.h"

/* So few bits one by one are no trouble to a solver. */
enum { FEW_BITS = 4 };

/* How many bits there are before all others are that of the sign. */
static size_t width(const c_operand *o) {
  size_t low = number_sign(o->low) < 0 ? number_bits(number_sub(number_of(-1), o->low)) : 0;
  size_t high = number_sign(o->high) > 0 ? number_bits(o->high) : 0;
  return low > high ? low : high;
}

/* A value that a | b or a ^ b could have by the signs of both; for | it is not less than both, if they have one sign. */
static term one_of_the_sign(c_lowering *l, bool is_or, const c_operand *a, const c_operand *b) {
  terms *ts = l->ts;
  term zero = term_int(ts, 0), is_less = term_lt(ts, a->value, b->value);
  term differ = term_not(term_iff(ts, term_lt(ts, a->value, zero), term_lt(ts, b->value, zero)));
  if (!is_or) return term_ite(ts, differ, term_int(ts, -1), zero);
  return term_ite(ts, term_and(ts, term_not(differ), is_less), b->value,
                  term_ite(ts, term_and(ts, differ, term_not(is_less)), b->value, a->value));
}

/* What an operation on the bits of both gives. */
static c_operand fitted(c_lowering *l, c_path *p, char opcode, term value, const c_operand *a, const c_operand *b,
                        const c_type *t) {
  size_t bits_a = width(a), bits_b = width(b);
  number above = number_power_of_two((unsigned)(bits_a > bits_b ? bits_a : bits_b));
  bool has_sign = number_sign(a->low) < 0 || number_sign(b->low) < 0;
  bool is_wide =
      bits_a > FEW_BITS && bits_b > FEW_BITS && !number_equal(a->low, a->high) && !number_equal(b->low, b->high);
  c_operand o = {.type = t, .value = value};
  o.low = has_sign ? number_negate(above) : number_of(0);
  o.high = number_sub(above, number_of(1));
  if (is_wide && opcode != '&') { /* it is inside, as is the sum in `guarded` */
    term low = term_number(l->ts, o.low), high = term_number(l->ts, o.high);
    term is_inside = term_and(l->ts, term_le(l->ts, low, value), term_le(l->ts, value, high));
    o.value = term_ite(l->ts, is_inside, value, one_of_the_sign(l, opcode == '|', a, b));
  }
  c_path_bounds(l, p, o.value, &o.low, &o.high);
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

/* Bit by bit. Where one of the two has nothing but zeros, so has the result; where both may have ones, as negative values
 * have, all of these are ones if both are negative. */
static term and_bits(c_lowering *l, const c_operand *a, const c_operand *b) {
  terms *ts = l->ts;
  bool has_sign_a = number_sign(a->low) < 0, has_sign_b = number_sign(b->low) < 0;
  size_t bits_a = width(a), bits_b = width(b), bits = bits_a > bits_b ? bits_a : bits_b;
  if (!has_sign_a && bits_a < bits) bits = bits_a;
  if (!has_sign_b && bits_b < bits) bits = bits_b;
  bool is_single = bits_a == 1 && bits_b == 1 && !has_sign_a && !has_sign_b;
  term zero = term_int(ts, 0), sum = zero;
  for (unsigned i = 0; i < bits; i++) {
    term both = is_single ? term_and(ts, c_value_condition(l, a), c_value_condition(l, b))
                          : term_and(ts, bit(l, a->value, i), bit(l, b->value, i));
    sum = term_add(ts, sum, term_ite(ts, both, term_number(ts, number_power_of_two(i)), zero));
  }
  if (!has_sign_a || !has_sign_b) return sum;
  term negative = term_and(ts, term_lt(ts, a->value, zero), term_lt(ts, b->value, zero));
  return term_sub(ts, sum, term_ite(ts, negative, term_number(ts, number_power_of_two((unsigned)bits)), zero));
}

/* What is true of c = a & b anyway, and hard to see bit by bit: b takes nothing but ones from a, and if b is not negative,
 * neither is c. */
static term is_part(c_lowering *l, term a, const c_operand *b, term c) {
  terms *ts = l->ts;
  term zero = term_int(ts, 0);
  term inside = term_and(ts, term_le(ts, zero, c), term_le(ts, c, b->value));
  return term_and(ts, term_or(ts, term_lt(ts, b->value, zero), inside),
                  term_or(ts, term_ge(ts, b->value, zero), term_le(ts, c, a)));
}

/* `sum`, with a condition around it that always holds: solvers see by it what they would need all bits for. (As an
 * assumption of the path it would keep these variables in models that have no use for them.) */
static term guarded(c_lowering *l, const c_operand *a, const c_operand *b, term sum) {
  terms *ts = l->ts;
  size_t bits_a = width(a), bits_b = width(b);
  if (bits_a <= FEW_BITS || bits_b <= FEW_BITS) return sum;
  term zero = term_int(ts, 0);
  term is_fine = term_and(ts, is_part(l, a->value, b, sum), is_part(l, b->value, a, sum));
  term both_negative = term_and(ts, term_lt(ts, a->value, zero), term_lt(ts, b->value, zero));
  number least = number_negate(number_power_of_two((unsigned)(bits_a > bits_b ? bits_a : bits_b)));
  return term_ite(ts, is_fine, sum, term_ite(ts, both_negative, term_number(ts, least), zero));
}

c_operand c_value_bits(c_lowering *l, c_path *p, const char *opcode, const c_operand *a, const c_operand *b,
                       const c_type *t) {
  terms *ts = l->ts;
  number mask;
  term both;
  if (term_is_number(ts, b->value, &mask)) {
    both = and_constant(l, a->value, mask);
  } else if (term_is_number(ts, a->value, &mask)) {
    both = and_constant(l, b->value, mask);
  } else if (term_same(a->value, b->value)) {
    both = a->value;
  } else {
    both = guarded(l, a, b, and_bits(l, a, b));
  }
  if (*opcode == '&') return fitted(l, p, *opcode, both, a, b, t);
  term sum = term_add(ts, a->value, b->value);
  return fitted(l, p, *opcode, term_sub(ts, sum, *opcode == '|' ? both : term_scale(ts, number_of(2), both)), a, b, t);
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
