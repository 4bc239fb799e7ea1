/* Exact evaluation, one value for each term of the cone. */
#include "term/evaluate.h"

#include "term/table.h"

typedef VECTOR(number) number_vector;

static number truth(bool b) { return number_of(b); }

/* The position of `index` in the ascending `cone`. */
static size_t cone_position(const index_vector *cone, uint32_t index) {
  size_t low = 0, high = cone->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (cone->at[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct evaluation {
  const terms *ts;
  index_vector cone;
  number_vector results;
} evaluation;

static number value_of(const evaluation *e, term t) {
  number v = e->results.at[cone_position(&e->cone, term_index(t))];
  return term_is_negated(t) ? truth(number_is(v, 0)) : v;
}

static number evaluate_sum(const evaluation *e, term t) {
  linear l = term_linear(e->ts, t);
  number sum = l.constant;
  for (size_t i = 0; i < l.count; i++) sum = number_add(sum, number_mul(l.coefficients[i], value_of(e, l.leaves[i])));
  return sum;
}

static number evaluate_one(const evaluation *e, term t, const number *values) {
  const terms *ts = e->ts;
  size_t count = term_arguments(ts, t);
  number a = count > 0 ? value_of(e, term_argument(ts, t, 0)) : number_of(0);
  number b = count > 1 ? value_of(e, term_argument(ts, t, 1)) : number_of(0);
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return truth(true);
    case TERM_BOOL_VARIABLE: return truth(!number_is(values[term_variable(ts, t).x], 0));
    case TERM_INT_VARIABLE: return values[term_variable(ts, t).x];
    case TERM_LE: return truth(number_sign(a) <= 0);
    case TERM_EQ: return truth(number_is(a, 0));
    case TERM_AND:
      for (size_t i = 0; i < count; i++)
        if (number_is(value_of(e, term_argument(ts, t, i)), 0)) return truth(false);
      return truth(true);
    case TERM_IFF: return truth(number_equal(a, b));
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: return number_is(a, 0) ? value_of(e, term_argument(ts, t, 2)) : b;
    case TERM_SUM: return evaluate_sum(e, t);
    case TERM_PRODUCT:
      for (size_t i = 1; i < count; i++) a = number_mul(a, value_of(e, term_argument(ts, t, i)));
      return a;
    case TERM_DIV: return number_is(b, 0) ? number_of(0) : number_div(a, b);
    case TERM_MOD: return number_is(b, 0) ? a : number_mod(a, b);
    case TERM_NODE_VARIABLE: return values[term_variable(ts, t).x];
    case TERM_HEAP_NULL: return truth(number_is(a, 0));
    case TERM_HEAP_SAME: return truth(number_equal(a, b));
    case TERM_HEAP_DATA: return number_mod(a, number_of(2));
  }
  return a;
}

number term_evaluate(const terms *ts, term t, const number *values) {
  evaluation e = {.ts = ts};
  terms_cone(ts, 1, &t, &e.cone);
  VECTOR_RESERVE(e.results, e.cone.count);
  for (size_t i = 0; i < e.cone.count; i++) {
    number v = evaluate_one(&e, (term){2 * e.cone.at[i]}, values);
    VECTOR_PUSH(e.results, v);
  }
  number result = value_of(&e, t);
  VECTOR_FREE(e.cone);
  VECTOR_FREE(e.results);
  return result;
}
