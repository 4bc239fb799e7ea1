/* The literals that make a formula true, and the elimination of variables from them. */
#include "engine/project.h"

#include "base/map.h"
#include "model/model.h"
#include "term/substitute.h"

typedef struct projection {
  terms *ts;
  const number *assigned; /* by variable */
  map *values;            /* term index -> index of `known` */
  VECTOR(number) known;   /* of the positive terms in the cone */
  map *seen;              /* literals (and integer terms) that were treated */
  map *plain;             /* integer term -> the same without if-then-else */
  term_vector pending;    /* true terms whose reasons are still to be found */
  term_vector literals;
} projection;

/* ---- values of all terms below a root ---- */

static number value_of(const projection *p, term t) {
  uint64_t at;
  bool found = map_get(p->values, term_index(t), &at);
  assert(found);
  number n = found ? p->known.at[at] : number_of(0);
  return term_is_negated(t) ? number_of(number_is(n, 0)) : n;
}

static bool is_true(const projection *p, term t) { return !number_is(value_of(p, t), 0); }

static number sum_value(const projection *p, term t) {
  number sum = term_constant(p->ts, t);
  for (size_t i = 0; i < term_arguments(p->ts, t); i++)
    sum = number_add(sum, number_mul(term_coefficient(p->ts, t, i), value_of(p, term_argument(p->ts, t, i))));
  return sum;
}

static number product_value(const projection *p, term t) {
  number product = number_of(1);
  for (size_t i = 0; i < term_arguments(p->ts, t); i++)
    product = number_mul(product, value_of(p, term_argument(p->ts, t, i)));
  return product;
}

static bool all_true(const projection *p, term t) {
  for (size_t i = 0; i < term_arguments(p->ts, t); i++)
    if (!is_true(p, term_argument(p->ts, t, i))) return false;
  return true;
}

static number division_value(const projection *p, term t, bool remainder) {
  number above = value_of(p, term_argument(p->ts, t, 0)), below = value_of(p, term_argument(p->ts, t, 1));
  if (number_is(below, 0)) return remainder ? above : number_of(0);
  return remainder ? number_mod(above, below) : number_div(above, below);
}

/* The arguments have their values. */
static number compute(const projection *p, term t) {
  const terms *ts = p->ts;
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return number_of(1);
    case TERM_BOOL_VARIABLE:
    case TERM_INT_VARIABLE:
    case TERM_REAL_VARIABLE: return p->assigned[term_variable(ts, t).x];
    case TERM_LE: return number_of(number_sign(value_of(p, term_argument(ts, t, 0))) <= 0);
    case TERM_EQ: return number_of(number_sign(value_of(p, term_argument(ts, t, 0))) == 0);
    case TERM_AND: return number_of(all_true(p, t));
    case TERM_IFF: return number_of(is_true(p, term_argument(ts, t, 0)) == is_true(p, term_argument(ts, t, 1)));
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: return value_of(p, term_argument(ts, t, is_true(p, term_argument(ts, t, 0)) ? 1 : 2));
    case TERM_SUM: return sum_value(p, t);
    case TERM_PRODUCT: return product_value(p, t);
    case TERM_DIV: return division_value(p, t, false);
    case TERM_MOD: return division_value(p, t, true);
    case TERM_HEAP_NULL:
    case TERM_HEAP_SAME:
    case TERM_HEAP_DATA:
    case TERM_NODE_VARIABLE:
    case TERM_ARRAY_SAME:
    case TERM_BOOL_SELECT:
    case TERM_SELECT:
    case TERM_ARRAY_VARIABLE:
    case TERM_STORE:
    case TERM_CONSTANT_ARRAY:
    case TERM_ARRAY_SELECT:
    case TERM_ARRAY_ITE: break;
  }
  REQUIRE(false, "a formula without heap tests and arrays");
  return number_of(0);
}

static void compute_all(projection *p, term root) {
  index_vector cone = {0};
  terms_cone(p->ts, 1, &root, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    number value = compute(p, (term){cone.at[i] << 1});
    map_set(p->values, cone.at[i], p->known.count);
    VECTOR_PUSH(p->known, value);
  }
  VECTOR_FREE(cone);
}

/* ---- the literals that make a formula true ---- */

static void because(projection *p, term t) {
  if (!is_true(p, t)) t = term_not(t);
  if (map_get(p->seen, t.x, NULL)) return;
  map_set(p->seen, t.x, 1);
  VECTOR_PUSH(p->pending, t);
}

static term plain_of(const projection *p, term t) {
  uint64_t known;
  return map_get(p->plain, t.x, &known) ? (term){(uint32_t)known} : t;
}

/* An integer term without the if-then-else in it, whose arguments are plain already. */
static term make_plain(projection *p, term t) {
  terms *ts = p->ts;
  switch (term_kind_of(ts, t)) {
    case TERM_INT_ITE: {
      term condition = term_argument(ts, t, 0);
      because(p, condition);
      return plain_of(p, term_argument(ts, t, is_true(p, condition) ? 1 : 2));
    }
    case TERM_SUM: {
      term sum = term_number(ts, term_constant(ts, t));
      for (size_t i = 0; i < term_arguments(ts, t); i++)
        sum = term_add(ts, sum, term_scale(ts, term_coefficient(ts, t, i), plain_of(p, term_argument(ts, t, i))));
      return sum;
    }
    case TERM_PRODUCT: {
      term product = plain_of(p, term_argument(ts, t, 0));
      for (size_t i = 1; i < term_arguments(ts, t); i++)
        product = term_mul(ts, product, plain_of(p, term_argument(ts, t, i)));
      return product;
    }
    case TERM_DIV: return term_div(ts, plain_of(p, term_argument(ts, t, 0)), plain_of(p, term_argument(ts, t, 1)));
    case TERM_MOD: return term_mod(ts, plain_of(p, term_argument(ts, t, 0)), plain_of(p, term_argument(ts, t, 1)));
    default: return t;
  }
}

/* The integer arguments that matter under the values: of an if-then-else, one branch. */
static void push_arguments(const projection *p, term t, term_vector *stack) {
  const terms *ts = p->ts;
  bool is_choice = term_kind_of(ts, t) == TERM_INT_ITE;
  size_t chosen = is_choice ? (is_true(p, term_argument(ts, t, 0)) ? 1 : 2) : 0;
  for (size_t i = 0; i < term_arguments(ts, t); i++) {
    term a = term_argument(ts, t, i);
    if ((is_choice && i != chosen) || map_get(p->plain, a.x, NULL)) continue;
    VECTOR_PUSH(*stack, a);
  }
}

static term without_choices(projection *p, term root) {
  term_vector stack = {0};
  VECTOR_PUSH(stack, root);
  while (stack.count) {
    term t = VECTOR_LAST(stack);
    size_t before = stack.count;
    if (!map_get(p->plain, t.x, NULL)) push_arguments(p, t, &stack);
    if (stack.count > before) continue;
    stack.count--;
    if (!map_get(p->plain, t.x, NULL)) map_set(p->plain, t.x, make_plain(p, t).x);
  }
  VECTOR_FREE(stack);
  return plain_of(p, root);
}

static void add_literal(projection *p, term t) {
  if (term_is_true(t)) return;
  for (size_t i = 0; i < p->literals.count; i++)
    if (term_same(p->literals.at[i], t)) return;
  VECTOR_PUSH(p->literals, t);
}

/* sum = 0 is two bounds, sum /= 0 the one that the value satisfies. */
static void add_comparison(projection *p, term t) {
  terms *ts = p->ts;
  term source = term_argument(ts, t, 0), sum = without_choices(p, source), zero = term_int(ts, 0);
  int sign = number_sign(value_of(p, source));
  if (term_kind_of(ts, t) == TERM_LE) {
    add_literal(p, sign <= 0 ? term_le(ts, sum, zero) : term_gt(ts, sum, zero));
    return;
  }
  if (sign <= 0) add_literal(p, sign ? term_lt(ts, sum, zero) : term_le(ts, sum, zero));
  if (sign >= 0) add_literal(p, sign ? term_gt(ts, sum, zero) : term_ge(ts, sum, zero));
}

/* Of a conjunction that is false one argument is reason enough: one that is already there, else the first. */
static void blame_argument(projection *p, term t) {
  const terms *ts = p->ts;
  term chosen = TERM_TRUE;
  for (size_t i = 0; i < term_arguments(ts, t); i++) {
    term a = term_argument(ts, t, i);
    if (is_true(p, a)) continue;
    if (map_get(p->seen, term_not(a).x, NULL)) return;
    bool is_simpler = term_is_true(chosen) || (term_is_atom(ts, a) && !term_is_atom(ts, chosen));
    if (is_simpler) chosen = a;
  }
  because(p, chosen);
}

/* `t` is true; why? */
static void explain(projection *p, term t) {
  const terms *ts = p->ts;
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return;
    case TERM_BOOL_VARIABLE: add_literal(p, t); return;
    case TERM_LE:
    case TERM_EQ: add_comparison(p, t); return;
    case TERM_AND:
      if (term_is_negated(t)) {
        blame_argument(p, t);
        return;
      }
      for (size_t i = 0; i < term_arguments(ts, t); i++) because(p, term_argument(ts, t, i));
      return;
    case TERM_IFF:
      because(p, term_argument(ts, t, 0));
      because(p, term_argument(ts, t, 1));
      return;
    case TERM_BOOL_ITE:
      because(p, term_argument(ts, t, 0));
      because(p, term_argument(ts, t, is_true(p, term_argument(ts, t, 0)) ? 1 : 2));
      return;
    default: REQUIRE(false, "a boolean term without heap tests");
  }
}

/* ---- elimination ---- */

/* A literal as c*v + rest <= 0, or < 0 if it is strict, which only real ones are. */
typedef struct bound {
  number c;
  term rest;
  bool is_strict;
} bound;

typedef VECTOR(bound) bounds_vector;

static bool as_bound(terms *ts, term literal, variable v, bound *out) {
  bool is_real = term_is_real_atom(ts, literal);
  if (term_kind_of(ts, literal) != TERM_LE || is_real != (variable_type(ts, v)->sort == SORT_REAL)) return false;
  term sum = term_argument(ts, literal, 0), leaf = term_of_variable(ts, v);
  out->is_strict = is_real && term_is_negated(literal);
  if (term_is_negated(literal)) sum = is_real ? term_negate(ts, sum) : term_sub(ts, term_int(ts, 1), sum);
  linear l = term_linear(ts, sum);
  out->c = number_of(0);
  for (size_t i = 0; i < l.count; i++)
    if (term_same(l.leaves[i], leaf)) out->c = l.coefficients[i];
  out->rest = term_sub(ts, sum, term_scale(ts, out->c, leaf));
  return !number_is(out->c, 0) && !term_mentions(ts, out->rest, v);
}

static number value_under(projection *p, term t) {
  compute_all(p, t);
  return value_of(p, t);
}

/* Takes the literals that mention `v` away; those that are not linear in it go to `odd`. */
static void take_bounds(projection *p, variable v, bounds_vector *bounds, term_vector *odd) {
  size_t kept = 0;
  for (size_t i = 0; i < p->literals.count; i++) {
    term t = p->literals.at[i];
    bound b;
    if (!term_mentions(p->ts, t, v))
      p->literals.at[kept++] = t;
    else if (as_bound(p->ts, t, v, &b))
      VECTOR_PUSH(*bounds, b);
    else
      VECTOR_PUSH(*odd, t);
  }
  p->literals.count = kept;
}

/* The bound with the given sign of its factor that the values make the tightest; SIZE_MAX if there is none, or if a
 * factor other than 1 makes it inexact. */
static size_t tightest(projection *p, const bounds_vector *bounds, int sign) {
  size_t best = SIZE_MAX;
  number best_value = number_of(0);
  for (size_t i = 0; i < bounds->count; i++) {
    const bound *b = &bounds->at[i];
    if (number_sign(b->c) != sign) continue;
    if (!number_is(number_abs(b->c), 1)) return SIZE_MAX;
    number value = value_under(p, b->rest);
    if (best == SIZE_MAX || number_compare(value, best_value) > 0) {
      best = i;
      best_value = value;
    }
  }
  return best;
}

static bool has_sign(const bounds_vector *bounds, int sign) {
  for (size_t i = 0; i < bounds->count; i++)
    if (number_sign(bounds->at[i].c) == sign) return true;
  return false;
}

/* `by` in the place of v, in every bound. */
static void substitute(projection *p, const bounds_vector *bounds, term by) {
  terms *ts = p->ts;
  for (size_t i = 0; i < bounds->count; i++) {
    const bound *b = &bounds->at[i];
    add_literal(p, term_le(ts, term_add(ts, term_scale(ts, b->c, by), b->rest), term_int(ts, 0)));
  }
}

static void eliminate_integer(projection *p, variable v) {
  terms *ts = p->ts;
  bounds_vector bounds = {0};
  term_vector odd = {0};
  take_bounds(p, v, &bounds, &odd);
  size_t low = tightest(p, &bounds, -1), high = tightest(p, &bounds, 1);
  if (odd.count || (has_sign(&bounds, -1) && has_sign(&bounds, 1) && low == SIZE_MAX && high == SIZE_MAX)) {
    term value = term_number(ts, p->assigned[v.x]);
    substitute(p, &bounds, value);
    for (size_t i = 0; i < odd.count; i++) add_literal(p, term_replace(ts, odd.at[i], v, value));
  } else if (has_sign(&bounds, -1) && has_sign(&bounds, 1)) {
    /* -v + rest <= 0: v is at least rest; v + rest <= 0: at most -rest. */
    term by = low != SIZE_MAX ? bounds.at[low].rest : term_negate(ts, bounds.at[high].rest);
    substitute(p, &bounds, by);
  }
  VECTOR_FREE(bounds);
  VECTOR_FREE(odd);
}

/* What v is at least, or at most. */
static term end_of(terms *ts, const bound *b) { return term_scale(ts, number_quotient(number_of(-1), b->c), b->rest); }

/* The lower bound that the values make the tightest, a strict one if there are several. Some bound is one. */
static size_t highest_lower(projection *p, const bounds_vector *bounds) {
  size_t best = SIZE_MAX;
  number best_value = number_of(0);
  for (size_t i = 0; i < bounds->count; i++) {
    const bound *b = &bounds->at[i];
    if (number_sign(b->c) > 0) continue;
    number value = value_under(p, end_of(p->ts, b));
    int order = best == SIZE_MAX ? 1 : number_compare(value, best_value);
    if (order < 0 || (order == 0 && !b->is_strict)) continue;
    best = i;
    best_value = value;
  }
  return best;
}

/* v is the tightest of its lower bounds or, if that is strict, a little above it: then lower bounds need not be below
 * it, and upper bounds must be above. */
static void put_at_lower_bound(projection *p, const bounds_vector *bounds) {
  terms *ts = p->ts;
  const bound *least = &bounds->at[highest_lower(p, bounds)];
  term at = end_of(ts, least);
  for (size_t i = 0; i < bounds->count; i++) {
    const bound *b = &bounds->at[i];
    bool is_upper = number_sign(b->c) > 0;
    bool is_strict = least->is_strict ? is_upper : b->is_strict;
    term low = is_upper ? at : end_of(ts, b), high = is_upper ? end_of(ts, b) : at;
    if (b != least) add_literal(p, is_strict ? term_lt(ts, low, high) : term_le(ts, low, high));
  }
}

static void eliminate_real(projection *p, variable v) {
  terms *ts = p->ts;
  bounds_vector bounds = {0};
  term_vector odd = {0};
  term value = term_number(ts, p->assigned[v.x]);
  take_bounds(p, v, &bounds, &odd);
  if (!odd.count && has_sign(&bounds, -1) && has_sign(&bounds, 1)) put_at_lower_bound(p, &bounds);
  for (size_t i = 0; i < bounds.count && odd.count; i++) {
    const bound *b = &bounds.at[i];
    term sum = term_add(ts, term_scale(ts, b->c, value), b->rest), zero = term_int(ts, 0);
    add_literal(p, b->is_strict ? term_lt(ts, sum, zero) : term_le(ts, sum, zero));
  }
  for (size_t i = 0; i < odd.count; i++) add_literal(p, term_replace(ts, odd.at[i], v, value));
  VECTOR_FREE(bounds);
  VECTOR_FREE(odd);
}

static void eliminate(projection *p, variable v) {
  sort of = variable_type(p->ts, v)->sort;
  if (of != SORT_BOOL) {
    (of == SORT_REAL ? eliminate_real : eliminate_integer)(p, v);
    return;
  }
  size_t kept = 0;
  for (size_t i = 0; i < p->literals.count; i++)
    if (!term_mentions(p->ts, p->literals.at[i], v)) p->literals.at[kept++] = p->literals.at[i];
  p->literals.count = kept;
}

bool project(terms *ts, term f, size_t count, const variable *gone, const number *values, term_vector *out) {
  projection p = {.ts = ts, .assigned = values, .values = map_new(), .seen = map_new(), .plain = map_new()};
  for (size_t i = 0; i < count; i++) f = term_and(ts, f, variable_in_type(ts, gone[i]));
  compute_all(&p, f);
  bool holds = is_true(&p, f);
  if (holds) because(&p, f);
  while (p.pending.count) explain(&p, VECTOR_POP(p.pending));
  for (size_t i = 0; i < count; i++) eliminate(&p, gone[i]);
  for (size_t i = 0; i < p.literals.count; i++) VECTOR_PUSH(*out, p.literals.at[i]);
  VECTOR_FREE(p.literals);
  VECTOR_FREE(p.pending);
  VECTOR_FREE(p.known);
  map_free(p.values);
  map_free(p.seen);
  map_free(p.plain);
  return holds;
}
