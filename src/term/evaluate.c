/* Exact evaluation, one value for each term of the cone. */
#include "term/evaluate.h"

#include "term/array_value.h"
#include "term/fold.h"
#include "term/heap/node_layout.h"

static number truth(bool b) { return number_of(b); }

static number value_of(const term_fold *f, term t) {
  number v = FOLD_VALUE(number, f, t);
  return term_is_negated(t) ? truth(number_is(v, 0)) : v;
}

static number evaluate_sum(const term_fold *f, term t) {
  linear l = term_linear(f->ts, t);
  number sum = l.constant;
  for (size_t i = 0; i < l.count; i++) sum = number_add(sum, number_mul(l.coefficients[i], value_of(f, l.leaves[i])));
  return sum;
}

static number evaluate_one(const term_fold *f, term t, const number *values) {
  const terms *ts = f->ts;
  size_t count = term_arguments(ts, t);
  number a = count > 0 ? value_of(f, term_argument(ts, t, 0)) : number_of(0);
  number b = count > 1 ? value_of(f, term_argument(ts, t, 1)) : number_of(0);
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return truth(true);
    case TERM_BOOL_VARIABLE: return truth(!number_is(values[term_variable(ts, t).x], 0));
    case TERM_INT_VARIABLE:
    case TERM_REAL_VARIABLE: return values[term_variable(ts, t).x];
    case TERM_LE: return truth(number_sign(a) <= 0);
    case TERM_EQ: return truth(number_is(a, 0));
    case TERM_AND:
      for (size_t i = 0; i < count; i++)
        if (number_is(value_of(f, term_argument(ts, t, i)), 0)) return truth(false);
      return truth(true);
    case TERM_IFF: return truth(number_equal(a, b));
    case TERM_ARRAY_VARIABLE: return values[term_variable(ts, t).x];
    case TERM_ARRAY_SAME: return truth(number_equal(a, b));
    case TERM_BOOL_SELECT:
    case TERM_ARRAY_SELECT:
    case TERM_SELECT: return array_value_at(ts, a, b);
    case TERM_STORE: return array_value_with(ts, a, b, value_of(f, term_argument(ts, t, 2)));
    case TERM_CONSTANT_ARRAY: return array_value_of(ts, a, 0, NULL);
    case TERM_BOOL_ITE:
    case TERM_ARRAY_ITE:
    case TERM_INT_ITE: return number_is(a, 0) ? value_of(f, term_argument(ts, t, 2)) : b;
    case TERM_SUM: return evaluate_sum(f, t);
    case TERM_PRODUCT:
      for (size_t i = 1; i < count; i++) a = number_mul(a, value_of(f, term_argument(ts, t, i)));
      return a;
    case TERM_DIV: return number_is(b, 0) ? number_of(0) : number_div(a, b);
    case TERM_MOD: return number_is(b, 0) ? a : number_mod(a, b);
    case TERM_NODE_VARIABLE: return values[term_variable(ts, t).x];
    case TERM_HEAP_NULL: return truth(number_is(a, 0));
    case TERM_HEAP_SAME: return truth(number_equal(a, b));
    case TERM_HEAP_DATA: return truth(node_value_is_among(a, b));
  }
  return a;
}

static void evaluate(const term_fold *f, term t, void *out) { *(number *)out = evaluate_one(f, t, f->context); }

number term_evaluate(const terms *ts, term t, const number *values) {
  term_fold f = {.ts = ts, .size = sizeof(number), .rule = evaluate, .context = (void *)values};
  term_fold_value(&f, t);
  number result = value_of(&f, t);
  term_fold_close(&f);
  return result;
}
