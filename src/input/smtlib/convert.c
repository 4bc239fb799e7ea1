/* From the arguments upwards, each node once in a scope. */
#include "input/smtlib/convert.h"

/* Sums and conjunctions may be nested so that their normal forms are much longer than the text, numbers and products so
 * that they grow with each line. */
enum { MOST_WORK = 20000000, DIGITS = 1000, FACTORS = 64, DIFFERENT = 1000 };

void converter_open(converter *c, terms *ts, const nodes *n) {
  *c = (converter){.ts = ts, .nodes = n, .symbols = names_new(), .constructors = names_new(), .stamp = 1};
  VECTOR_RESERVE(c->values, n->nodes.count + 1);
  VECTOR_RESERVE(c->stamps, n->nodes.count + 1);
  c->values.count = c->stamps.count = n->nodes.count;
  memset(c->stamps.at, 0, (n->nodes.count + 1) * sizeof *c->stamps.at);
}

void converter_close(converter *c) {
  VECTOR_FREE(c->values);
  VECTOR_FREE(c->stamps);
  VECTOR_FREE(c->bound);
  VECTOR_FREE(c->by_zero);
  VECTOR_FREE(c->roundings);
  VECTOR_FREE(c->pending);
  names_free(c->symbols);
  names_free(c->constructors);
  memory_free(c->error);
}

void converter_rescope(converter *c) { c->stamp++; }

static bool fail(converter *c, GIVE char *why) {
  memory_free(c->error);
  c->error = why;
  return false;
}

static term value_at(const converter *c, const node *n, size_t i) {
  return c->values.at[node_argument(c->nodes, n, i)];
}

static bool number_is_large(number n) {
  if (!n.big) return false;
  char *digits = number_string(n);
  bool large = strlen(digits) > DIGITS;
  memory_free(digits);
  return large;
}

/* Counts what was made, and refuses what is far too large. */
static bool accept(converter *c, uint32_t at, term made) {
  const terms *ts = c->ts;
  c->work += 1 + term_arguments(ts, term_positive(made));
  bool fine = c->work < MOST_WORK;
  if (term_sort(ts, made) == SORT_INT || term_sort(ts, made) == SORT_REAL) {
    linear l = term_linear(ts, made);
    c->work += l.count;
    fine &= !number_is_large(l.constant);
    for (size_t i = 0; i < l.count; i++) {
      fine &= !number_is_large(l.coefficients[i]);
      fine &= term_kind_of(ts, l.leaves[i]) != TERM_PRODUCT || term_arguments(ts, l.leaves[i]) <= FACTORS;
    }
  }
  c->values.at[at] = made;
  c->stamps.at[at] = c->stamp;
  return fine || fail(c, text_format("this expression is too large"));
}

static bool convert_symbol(converter *c, const node *n, term *out) {
  const char *name = node_string(c->nodes, n->name);
  uint64_t at;
  if (n->count) return fail(c, text_format("`%s` stands inside of a constraint", name));
  if (!names_get(c->symbols, name, &at)) return fail(c, text_format("`%s` stands for nothing here", name));
  *out = term_of_variable(c->ts, (variable){(uint32_t)at});
  return true;
}

/* The number of an enumeration's value. */
static bool convert_constructor(converter *c, const node *n, term *out) {
  const char *name = node_string(c->nodes, n->name);
  uint64_t at;
  if (!names_get(c->constructors, name, &at)) return fail(c, text_format("`%s` is not supported", name));
  *out = term_int(c->ts, (int64_t)at);
  if (n->op == NODE_IS_VALUE) *out = term_eq(c->ts, value_at(c, n, 0), *out);
  return true;
}

static bool convert_bound(converter *c, const node *n, term *out) {
  if (n->name >= c->bound.count) return fail(c, text_format("a variable without a quantifier"));
  *out = term_of_variable(c->ts, c->bound.at[c->bound.count - 1 - n->name]);
  return true;
}

/* SMT-LIB leaves the value of a division by 0 open. Clauses must then hold whatever it is: it is a variable of its own.
 */
static bool convert_division(converter *c, const node *n, term *out) {
  terms *ts = c->ts;
  term above = value_at(c, n, 0), below = value_at(c, n, 1);
  number divisor;
  const char *word = n->op == NODE_DIV ? "div" : "mod";
  bool is_constant = term_is_number(ts, below, &divisor);
  if (is_constant && !number_sign(divisor))
    return fail(c, text_format("`%s` by 0 has no value that SMT-LIB fixes", word));
  *out = n->op == NODE_DIV ? term_div(ts, above, below) : term_mod(ts, above, below);
  if (is_constant) return true;
  type integer = {.sort = SORT_INT};
  VECTOR_PUSH(c->by_zero, variable_fresh(ts, "by-zero!", &integer));
  term any = term_of_variable(ts, VECTOR_LAST(c->by_zero));
  *out = term_ite(ts, term_eq(ts, below, term_int(ts, 0)), any, *out);
  return true;
}

/* Of reals, by a constant. */
static bool convert_quotient(converter *c, const node *n, term *out) {
  number divisor;
  if (!term_is_number(c->ts, value_at(c, n, 1), &divisor))
    return fail(c, text_format("`/` by a term that is no constant is not supported"));
  if (!number_sign(divisor)) return fail(c, text_format("`/` by 0 has no value that SMT-LIB fixes"));
  *out = term_scale(c->ts, number_quotient(number_of(1), divisor), value_at(c, n, 0));
  return true;
}

static term rounded_down(converter *c, term t) {
  terms *ts = c->ts;
  number n;
  if (term_is_number(ts, t, &n)) return term_number(ts, number_floor(n));
  if (term_sort(ts, t) == SORT_INT) return t;
  type integer = {.sort = SORT_INT};
  rounding made = {.value = variable_fresh(ts, "to_int!", &integer)};
  term value = term_of_variable(ts, made.value);
  made.is = term_and(ts, term_le(ts, value, t), term_lt(ts, t, term_add(ts, value, term_int(ts, 1))));
  VECTOR_PUSH(c->roundings, made);
  return value;
}

static term all_different(converter *c, const node *n) {
  term_vector parts = {0};
  for (size_t i = 0; i < n->count; i++)
    for (size_t j = 0; j < i; j++) VECTOR_PUSH(parts, term_not(term_eq(c->ts, value_at(c, n, i), value_at(c, n, j))));
  term result = term_and_all(c->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

static term sum(converter *c, const node *n) {
  term_vector leaves = {0};
  VECTOR(number) coefficients = {0};
  for (size_t i = 0; i < n->count; i++) {
    bool is_taken_off = n->op == NODE_NEGATE || (n->op == NODE_SUBTRACT && i);
    VECTOR_PUSH(leaves, value_at(c, n, i));
    VECTOR_PUSH(coefficients, number_of(is_taken_off ? -1 : 1));
  }
  term result = term_sum(c->ts, number_of(0), leaves.count, leaves.at, coefficients.at);
  VECTOR_FREE(leaves);
  VECTOR_FREE(coefficients);
  return result;
}

static term junction(converter *c, const node *n) {
  term_vector parts = {0};
  for (size_t i = 0; i < n->count; i++) VECTOR_PUSH(parts, value_at(c, n, i));
  term result =
      n->op == NODE_AND ? term_and_all(c->ts, parts.count, parts.at) : term_or_all(c->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

static bool product(converter *c, const node *n, term *out) {
  size_t factors = 0;
  number constant;
  *out = term_int(c->ts, 1);
  for (size_t i = 0; i < n->count; i++) {
    factors += !term_is_number(c->ts, value_at(c, n, i), &constant);
    if (factors > FACTORS) return fail(c, text_format("this expression is too large"));
    *out = term_mul(c->ts, *out, value_at(c, n, i));
  }
  return true;
}

/* Their sorts were looked at by Z3; those that whet does not know are refused before. */
static bool convert_array(converter *c, const node *n, term *out) {
  terms *ts = c->ts;
  if (n->op == NODE_CONSTANT_ARRAY) {
    *out = term_constant_array(ts, node_array_type(n->sort).element, value_at(c, n, 0));
    return true;
  }
  if (n->count != (n->op == NODE_SELECT ? 2 : 3))
    return fail(c, text_format("`%s` of an array with several indices", node_string(c->nodes, n->name)));
  *out = n->op == NODE_SELECT ? term_select(ts, value_at(c, n, 0), value_at(c, n, 1))
                              : term_store(ts, value_at(c, n, 0), value_at(c, n, 1), value_at(c, n, 2));
  return true;
}

static bool convert_operator(converter *c, const node *n, term *out) {
  terms *ts = c->ts;
  term a = n->count ? value_at(c, n, 0) : TERM_TRUE, b = n->count > 1 ? value_at(c, n, 1) : TERM_TRUE;
  switch ((node_operator)n->op) {
    case NODE_TRUE: *out = TERM_TRUE; return true;
    case NODE_FALSE: *out = TERM_FALSE; return true;
    case NODE_SYMBOL: return convert_symbol(c, n, out);
    case NODE_BOUND: return convert_bound(c, n, out);
    case NODE_NOT: *out = term_not(a); return true;
    case NODE_AND:
    case NODE_OR: *out = junction(c, n); return true;
    case NODE_XOR: *out = term_not(term_iff(ts, a, b)); return true;
    case NODE_IMPLIES: *out = term_implies(ts, a, b); return true;
    case NODE_EQUAL: *out = term_eq(ts, a, b); return true;
    case NODE_ITE: *out = term_ite(ts, a, b, value_at(c, n, 2)); return true;
    case NODE_LESS: *out = term_lt(ts, a, b); return true;
    case NODE_AT_MOST: *out = term_le(ts, a, b); return true;
    case NODE_GREATER: *out = term_gt(ts, a, b); return true;
    case NODE_AT_LEAST: *out = term_ge(ts, a, b); return true;
    case NODE_ADD:
    case NODE_SUBTRACT:
    case NODE_NEGATE: *out = sum(c, n); return true;
    case NODE_MULTIPLY: return product(c, n, out);
    case NODE_DIV:
    case NODE_MOD: return convert_division(c, n, out);
    case NODE_ABS: *out = term_abs(ts, a); return true;
    case NODE_DIVIDE: return convert_quotient(c, n, out);
    case NODE_TO_REAL: *out = a; return true;
    case NODE_TO_INT: *out = rounded_down(c, a); return true;
    case NODE_IS_INT: *out = term_eq(ts, a, rounded_down(c, a)); return true;
    case NODE_DISTINCT:
      if (n->count > DIFFERENT) return fail(c, text_format("`distinct` of more than %d", DIFFERENT));
      *out = all_different(c, n);
      return true;
    case NODE_NUMBER: {
      const char *digits = node_string(c->nodes, n->name);
      number value;
      if (strlen(digits) > DIGITS || !number_parse_fraction(digits, strlen(digits), &value))
        return fail(c, text_format("the number %.40s is too large", digits));
      *out = term_number(ts, value);
      return true;
    }
    case NODE_FORALL: return fail(c, text_format("`forall` inside of a constraint is not supported"));
    case NODE_EXISTS: return fail(c, text_format("`exists` inside of a constraint is not supported"));
    case NODE_SELECT:
    case NODE_STORE:
    case NODE_CONSTANT_ARRAY: return convert_array(c, n, out);
    case NODE_CONSTRUCTOR:
    case NODE_IS_VALUE: return convert_constructor(c, n, out);
    case NODE_OTHER: break;
  }
  return fail(c, text_format("`%s` is not supported", node_string(c->nodes, n->name)));
}

static bool convert_node(converter *c, uint32_t at) {
  const node *n = &c->nodes->nodes.at[at];
  term made;
  if (n->sort == NODE_OTHER_SORT) {
    const char *name = n->op == NODE_NUMBER || n->op == NODE_BOUND ? "" : node_string(c->nodes, n->name);
    return fail(
        c, text_format(
               "an expression of a sort other than Int, Real, Bool and arrays of these by Int is not supported%s%s",
               *name ? ": " : "", name));
  }
  size_t most = n->op == NODE_XOR || n->op == NODE_IMPLIES || n->op == NODE_EQUAL ||
                        (n->op >= NODE_LESS && n->op <= NODE_AT_LEAST) || n->op == NODE_DIV || n->op == NODE_DIVIDE
                    ? 2
                    : SIZE_MAX;
  if (n->count > most) return fail(c, text_format("`%s` of more than two arguments", node_string(c->nodes, n->name)));
  return convert_operator(c, n, &made) && accept(c, at, made);
}

bool converter_term(converter *c, uint32_t root, term *out) {
  VECTOR_CLEAR(c->pending);
  VECTOR_PUSH(c->pending, root);
  while (c->pending.count) {
    uint32_t at = VECTOR_LAST(c->pending);
    const node *n = &c->nodes->nodes.at[at];
    size_t before = c->pending.count;
    bool is_made = c->stamps.at[at] == c->stamp;
    bool is_quantifier = n->op == NODE_FORALL || n->op == NODE_EXISTS || n->bound_count;
    for (size_t i = 0; i < n->count && !is_made && !is_quantifier; i++) {
      uint32_t argument = node_argument(c->nodes, n, i);
      if (c->stamps.at[argument] != c->stamp) VECTOR_PUSH(c->pending, argument);
    }
    if (c->pending.count > before) continue;
    c->pending.count--;
    if (!is_made && !convert_node(c, at)) return false;
  }
  *out = c->values.at[root];
  return true;
}
