/* Building boolean terms. Every constructor folds what can be folded by looking at the arguments alone. */
#include <stdlib.h>

#include "term/table.h"

/* A conjunction inside a conjunction is spread out only up to this size: chains of thousands built one by one would
 * otherwise cost the square of their length. */
enum { SPREAD_LIMIT = 128 };

static int compare_terms(const void *a, const void *b) {
  uint32_t x = ((const term *)a)->x, y = ((const term *)b)->x;
  return (x > y) - (x < y);
}

static void collect_conjuncts(const terms *ts, size_t count, const term *parts, term_vector *out) {
  for (size_t i = 0; i < count; i++) {
    const term_node *n = &ts->nodes.at[term_index(parts[i])];
    if (n->kind == TERM_AND && !term_is_negated(parts[i]) && n->count <= SPREAD_LIMIT)
      for (uint32_t j = 0; j < n->count; j++) VECTOR_PUSH(*out, ts->arguments.at[n->start + j]);
    else if (!term_is_true(parts[i]))
      VECTOR_PUSH(*out, parts[i]);
  }
}

/* Sorts, removes doubles; false if both a term and its negation are there. */
static bool make_unique(term_vector *v) {
  qsort(v->at, v->count, sizeof(term), compare_terms);
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (term_is_false(v->at[i])) return false;
    if (kept && term_same(v->at[kept - 1], v->at[i])) continue;
    if (kept && term_same(v->at[kept - 1], term_not(v->at[i]))) return false;
    v->at[kept++] = v->at[i];
  }
  v->count = kept;
  return true;
}

term term_and_all(terms *ts, size_t count, const term *parts) {
  for (size_t i = 0; i < count; i++) REQUIRE(term_sort(ts, parts[i]) == SORT_BOOL, "booleans");
  if (count == 1) return parts[0];
  term_vector flat = {0};
  collect_conjuncts(ts, count, parts, &flat);
  term result;
  if (!flat.count)
    result = TERM_TRUE;
  else if (!make_unique(&flat))
    result = TERM_FALSE;
  else if (flat.count == 1)
    result = flat.at[0];
  else
    result = terms_intern(ts, &(node_key){.kind = TERM_AND, .count = flat.count, .arguments = flat.at});
  VECTOR_FREE(flat);
  return result;
}

term term_or_all(terms *ts, size_t count, const term *parts) {
  term_vector negated = {0};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(negated, term_not(parts[i]));
  term result = term_not(term_and_all(ts, count, negated.at));
  VECTOR_FREE(negated);
  return result;
}

term term_and(terms *ts, term a, term b) {
  if (term_is_true(a)) return b;
  if (term_is_true(b) || term_same(a, b)) return a;
  if (term_is_false(a) || term_is_false(b) || term_same(a, term_not(b))) return TERM_FALSE;
  return term_and_all(ts, 2, (term[]){a, b});
}

term term_or(terms *ts, term a, term b) { return term_not(term_and(ts, term_not(a), term_not(b))); }
term term_implies(terms *ts, term a, term b) { return term_not(term_and(ts, a, term_not(b))); }

term term_iff(terms *ts, term a, term b) {
  REQUIRE(term_sort(ts, a) == SORT_BOOL && term_sort(ts, b) == SORT_BOOL, "booleans");
  if (term_same(a, b)) return TERM_TRUE;
  if (term_same(a, term_not(b))) return TERM_FALSE;
  if (term_index(a) == 0) return term_is_true(a) ? b : term_not(b);
  if (term_index(b) == 0) return term_is_true(b) ? a : term_not(a);
  bool negated = term_is_negated(a) != term_is_negated(b);
  a = term_positive(a);
  b = term_positive(b);
  term pair[2] = {a.x < b.x ? a : b, a.x < b.x ? b : a};
  term result = terms_intern(ts, &(node_key){.kind = TERM_IFF, .count = 2, .arguments = pair});
  return negated ? term_not(result) : result;
}

static term bool_ite(terms *ts, term c, term a, term b) {
  if (term_same(a, b)) return a;
  if (term_same(a, term_not(b))) return term_iff(ts, c, a);
  if (term_is_true(a) || term_same(a, c)) return term_or(ts, c, b);
  if (term_is_false(a) || term_same(a, term_not(c))) return term_and(ts, term_not(c), b);
  if (term_is_true(b) || term_same(b, term_not(c))) return term_or(ts, term_not(c), a);
  if (term_is_false(b) || term_same(b, c)) return term_and(ts, c, a);
  bool negated = term_is_negated(a);
  term all[3] = {c, negated ? term_not(a) : a, negated ? term_not(b) : b};
  term result = terms_intern(ts, &(node_key){.kind = TERM_BOOL_ITE, .count = 3, .arguments = all});
  return negated ? term_not(result) : result;
}

/* Integers are reals. */
static bool are_of_one_sort(const terms *ts, term a, term b) {
  type x = term_type(ts, a), y = term_type(ts, b);
  return term_fits(ts, a, &y) || term_fits(ts, b, &x);
}

term term_ite(terms *ts, term c, term a, term b) {
  REQUIRE(term_sort(ts, c) == SORT_BOOL && are_of_one_sort(ts, a, b), "a boolean and two of one sort");
  if (term_is_true(c)) return a;
  if (term_is_false(c)) return b;
  if (term_is_negated(c)) return term_ite(ts, term_not(c), b, a);
  if (term_sort(ts, a) == SORT_BOOL) return bool_ite(ts, c, a, b);
  if (term_same(a, b)) return a;
  term_kind kind = term_sort(ts, a) == SORT_ARRAY ? TERM_ARRAY_ITE : TERM_INT_ITE;
  return terms_intern(ts, &(node_key){.kind = kind, .count = 3, .arguments = (term[]){c, a, b}});
}

static term heap_test(terms *ts, term_kind kind, variable p, variable q, size_t count) {
  term all[2] = {term_of_variable(ts, p), term_of_variable(ts, q)};
  REQUIRE(term_sort(ts, all[0]) == SORT_NODE && term_sort(ts, all[1]) == SORT_NODE, "node variables");
  return terms_intern(ts, &(node_key){.kind = kind, .count = count, .arguments = all});
}

term term_heap_null(terms *ts, variable p) { return heap_test(ts, TERM_HEAP_NULL, p, p, 1); }
term term_heap_data(terms *ts, variable p, uint64_t values) {
  REQUIRE(values <= INT64_MAX, "values of nodes");
  term all[2] = {term_of_variable(ts, p), term_int(ts, (int64_t)values)};
  REQUIRE(term_sort(ts, all[0]) == SORT_NODE, "a node variable");
  return terms_intern(ts, &(node_key){.kind = TERM_HEAP_DATA, .count = 2, .arguments = all});
}
uint64_t term_heap_values(const terms *ts, term t) {
  number n;
  int64_t values = 0;
  bool is_number = term_is_number(ts, term_argument(ts, t, 1), &n) && number_to_int64(n, &values);
  REQUIRE(is_number, "a test of data");
  return (uint64_t)values;
}
term term_heap_same(terms *ts, variable p, variable q) {
  if (p.x == q.x) return TERM_TRUE;
  return p.x < q.x ? heap_test(ts, TERM_HEAP_SAME, p, q, 2) : heap_test(ts, TERM_HEAP_SAME, q, p, 2);
}

term term_eq(terms *ts, term a, term b) {
  REQUIRE(are_of_one_sort(ts, a, b), "two of one sort");
  switch (term_sort(ts, a)) {
    case SORT_BOOL: return term_iff(ts, a, b);
    case SORT_NODE: return term_heap_same(ts, term_variable(ts, a), term_variable(ts, b));
    case SORT_ARRAY: return term_array_same(ts, a, b);
    default: break;
  }
  return term_equals_zero(ts, term_sub(ts, a, b));
}
