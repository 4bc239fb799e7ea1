/* Integers: conversions and arithmetic, exact for every width. A value is a mathematical integer with bounds; it is
 * wrapped only if the bounds do not show that it fits. */
#include "input/c/lower.h"

static number smaller(number a, number b) { return number_compare(a, b) < 0 ? a : b; }
static number larger(number a, number b) { return number_compare(a, b) > 0 ? a : b; }

static bool is_within(number low, number high, const c_type *t) {
  return number_compare(low, t->low) >= 0 && number_compare(high, t->high) <= 0;
}

static c_operand value_of(const c_type *t, term value, number low, number high) {
  return (c_operand){.type = t, .value = value, .low = larger(low, t->low), .high = smaller(high, t->high)};
}

c_operand c_value_number(c_lowering *l, const c_type *t, number n) { return value_of(t, term_number(l->ts, n), n, n); }

c_operand c_value_truth(c_lowering *l, const c_type *t, term truth) {
  if (term_is_true(truth) || term_is_false(truth)) return c_value_number(l, t, number_of(term_is_true(truth)));
  term value = term_ite(l->ts, truth, term_int(l->ts, 1), term_int(l->ts, 0));
  return value_of(t, value, number_of(0), number_of(1));
}

/* (if c then a else b) != 0, with numbers a and b, is c, its negation, or a constant. */
static bool is_choice_of_numbers(c_lowering *l, term t, term *condition, bool *then, bool *otherwise) {
  number a, b;
  linear sum = term_linear(l->ts, t);
  if (sum.count != 1 || !number_is(sum.constant, 0) || !number_is(sum.coefficients[0], 1)) return false;
  term leaf = sum.leaves[0];
  if (term_kind_of(l->ts, leaf) != TERM_INT_ITE) return false;
  if (!term_is_number(l->ts, term_argument(l->ts, leaf, 1), &a) ||
      !term_is_number(l->ts, term_argument(l->ts, leaf, 2), &b))
    return false;
  *condition = term_argument(l->ts, leaf, 0);
  *then = !number_is(a, 0);
  *otherwise = !number_is(b, 0);
  return true;
}

term c_value_condition(c_lowering *l, const c_operand *o) {
  term condition;
  bool then, otherwise;
  if (!c_type_is_integer(o->type)) { /* pointers are to objects, or null */
    bool is_sure = !o->object || !o->may_be_null;
    return is_sure ? term_of_bool(o->object != NULL) : term_not(term_eq(l->ts, o->value, c_pointer_null(l)));
  }
  if (number_sign(o->low) > 0 || number_sign(o->high) < 0) return TERM_TRUE;
  if (is_choice_of_numbers(l, o->value, &condition, &then, &otherwise))
    return then == otherwise ? term_of_bool(then) : then ? condition : term_not(condition);
  return term_not(term_eq(l->ts, o->value, term_int(l->ts, 0)));
}

/* ---- wrapping ---- */

/* `value`, between low and high, as the number of type `t` that is equal to it modulo 2^bits. */
static term wrap(c_lowering *l, term value, number low, number high, const c_type *t) {
  number modulus = number_power_of_two(t->bits);
  number first = number_floor_div(number_sub(low, t->low), modulus),
         last = number_floor_div(number_sub(high, t->low), modulus);
  if (number_equal(first, last)) return term_sub(l->ts, value, term_number(l->ts, number_mul(first, modulus)));
  if (number_equal(number_add(first, number_of(1)), last)) {
    number limit = number_add(t->low, number_mul(last, modulus)); /* from here on `last` times too much */
    return term_ite(l->ts, term_lt(l->ts, value, term_number(l->ts, limit)),
                    term_sub(l->ts, value, term_number(l->ts, number_mul(first, modulus))),
                    term_sub(l->ts, value, term_number(l->ts, number_mul(last, modulus))));
  }
  term shifted = term_sub(l->ts, value, term_number(l->ts, t->low));
  return term_add(l->ts, term_mod(l->ts, shifted, term_number(l->ts, modulus)), term_number(l->ts, t->low));
}

static c_operand wrapped(c_lowering *l, c_path *p, term value, number low, number high, const c_type *t) {
  c_path_bounds(l, p, value, &low, &high);
  if (is_within(low, high, t)) return value_of(t, value, low, high);
  return value_of(t, wrap(l, value, low, high, t), t->low, t->high);
}

c_operand c_value_convert(c_lowering *l, c_path *p, const c_operand *o, const c_type *to) {
  if (to->is_bool) return c_value_truth(l, to, c_value_condition(l, o));
  c_operand result = is_within(o->low, o->high, to) ? value_of(to, o->value, o->low, o->high)
                                                    : wrapped(l, p, o->value, o->low, o->high, to);
  return result;
}

c_operand c_value_fit(c_lowering *l, c_path *p, term value, number low, number high, const c_type *t,
                      const c_node *at) {
  if (!t->is_signed || l->settings->signed_wraps) return wrapped(l, p, value, low, high, t);
  c_path_bounds(l, p, value, &low, &high);
  if (!is_within(low, high, t)) {
    term below = number_compare(low, t->low) < 0 ? term_lt(l->ts, value, term_number(l->ts, t->low)) : TERM_FALSE;
    term above = number_compare(high, t->high) > 0 ? term_gt(l->ts, value, term_number(l->ts, t->high)) : TERM_FALSE;
    c_path_check(l, p, term_or(l->ts, below, above), ERROR_OVERFLOW, at);
  }
  return value_of(t, value, low, high);
}

/* ---- arithmetic ---- */

static void product_bounds(const c_operand *a, const c_operand *b, number *low, number *high) {
  number corners[] = {number_mul(a->low, b->low), number_mul(a->low, b->high), number_mul(a->high, b->low),
                      number_mul(a->high, b->high)};
  *low = *high = corners[0];
  for (size_t i = 1; i < ARRAY_LENGTH(corners); i++) {
    *low = smaller(*low, corners[i]);
    *high = larger(*high, corners[i]);
  }
}

/* Division and remainder round towards zero. Euclidean ones do so for dividends that are not negative. */
static term truncate(c_lowering *l, const c_operand *a, const c_operand *b, bool remainder) {
  term minus = term_negate(l->ts, a->value);
  term up = remainder ? term_mod(l->ts, a->value, b->value) : term_div(l->ts, a->value, b->value);
  term down = remainder ? term_mod(l->ts, minus, b->value) : term_div(l->ts, minus, b->value);
  if (number_sign(a->low) >= 0) return up;
  if (number_sign(a->high) <= 0) return term_negate(l->ts, down);
  return term_ite(l->ts, term_ge(l->ts, a->value, term_int(l->ts, 0)), up, term_negate(l->ts, down));
}

static c_operand divide(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b, const c_type *t,
                        bool remainder, const c_node *at) {
  c_path_check(l, p, term_eq(l->ts, b->value, term_int(l->ts, 0)), ERROR_DIVISION, at);
  number most = larger(number_abs(a->low), number_abs(a->high));
  bool may_overflow = t->is_signed && number_equal(a->low, t->low) && number_compare(b->low, number_of(-1)) <= 0 &&
                      number_compare(b->high, number_of(-1)) >= 0;
  if (may_overflow && !l->settings->signed_wraps) {
    term least = term_eq(l->ts, a->value, term_number(l->ts, t->low)),
         minus_one = term_eq(l->ts, b->value, term_int(l->ts, -1));
    c_path_check(l, p, term_and(l->ts, least, minus_one), ERROR_OVERFLOW, at);
  }
  number low = number_sign(a->low) >= 0 && (remainder || number_sign(b->low) >= 0) ? number_of(0) : number_negate(most);
  number high = number_sign(a->high) <= 0 && (remainder || number_sign(b->low) >= 0) ? number_of(0) : most;
  if (remainder) {
    number limit = larger(number_abs(b->low), number_abs(b->high));
    limit = number_sign(limit) > 0 ? number_sub(limit, number_of(1)) : limit;
    low = larger(low, number_negate(limit));
    high = smaller(high, limit);
    return value_of(t, truncate(l, a, b, true), low, high);
  }
  term quotient = truncate(l, a, b, false);
  return may_overflow ? wrapped(l, p, quotient, low, high, t) : value_of(t, quotient, low, high);
}

c_operand c_value_negate(c_lowering *l, c_path *p, const c_operand *a, const c_type *t, const c_node *at) {
  return c_value_fit(l, p, term_negate(l->ts, a->value), number_negate(a->high), number_negate(a->low), t, at);
}

/* ~a is -a - 1, for unsigned types modulo 2^bits. */
c_operand c_value_complement(c_lowering *l, c_path *p, const c_operand *a, const c_type *t) {
  number minus_one = number_of(-1);
  term value = term_sub(l->ts, term_number(l->ts, minus_one), a->value);
  return wrapped(l, p, value, number_sub(minus_one, a->high), number_sub(minus_one, a->low), t);
}

/* ---- comparisons ---- */

static bool compare(c_lowering *l, const char *opcode, term a, term b, term *out) {
  if (!strcmp(opcode, "<")) return *out = term_lt(l->ts, a, b), true;
  if (!strcmp(opcode, "<=")) return *out = term_le(l->ts, a, b), true;
  if (!strcmp(opcode, ">")) return *out = term_gt(l->ts, a, b), true;
  if (!strcmp(opcode, ">=")) return *out = term_ge(l->ts, a, b), true;
  if (!strcmp(opcode, "==")) return *out = term_eq(l->ts, a, b), true;
  if (!strcmp(opcode, "!=")) return *out = term_not(term_eq(l->ts, a, b)), true;
  return false;
}

/* A truth value compared with a number is simply a truth value. */
static term compare_truth(c_lowering *l, const char *opcode, const c_operand *a, const c_operand *b, term plain) {
  number n;
  bool is_equality = !strcmp(opcode, "==") || !strcmp(opcode, "!=");
  bool is_truth = number_is(a->low, 0) && number_is(a->high, 1) && term_is_number(l->ts, b->value, &n);
  if (!is_equality || !is_truth || !(number_is(n, 0) || number_is(n, 1))) return plain;
  term condition = c_value_condition(l, a);
  return number_is(n, 1) == !strcmp(opcode, "==") ? condition : term_not(condition);
}

c_operand c_value_binary(c_lowering *l, c_path *p, const char *opcode, const c_operand *a, const c_operand *b,
                         const c_type *t, const c_node *at) {
  terms *ts = l->ts;
  term truth;
  if (compare(l, opcode, a->value, b->value, &truth)) return c_value_truth(l, t, compare_truth(l, opcode, a, b, truth));
  if (opcode[1]) return c_value_shift(l, p, *opcode == '<', a, b, t, at);
  number low, high;
  switch (*opcode) {
    case '+':
      return c_value_fit(l, p, term_add(ts, a->value, b->value), number_add(a->low, b->low),
                         number_add(a->high, b->high), t, at);
    case '-':
      return c_value_fit(l, p, term_sub(ts, a->value, b->value), number_sub(a->low, b->high),
                         number_sub(a->high, b->low), t, at);
    case '*':
      product_bounds(a, b, &low, &high);
      return c_value_fit(l, p, term_mul(ts, a->value, b->value), low, high, t, at);
    case '/': return divide(l, p, a, b, t, false, at);
    case '%': return divide(l, p, a, b, t, true, at);
    default: return c_value_bits(l, p, opcode, a, b, t);
  }
}
