/* Building terms of arrays: reading, writing, constants, equality. */
#include "term/table.h"

/* How two indices compare, if it can be seen. */
typedef enum index_relation { INDEX_SAME, INDEX_OTHER, INDEX_OPEN } index_relation;

static index_relation compare_indices(terms *ts, term a, term b) {
  number difference;
  if (term_same(a, b)) return INDEX_SAME;
  return term_is_number(ts, term_sub(ts, a, b), &difference) ? INDEX_OTHER : INDEX_OPEN;
}

/* Writes that are known to be at other indices are passed over, up to so many: a long list of them would otherwise cost
 * the square of its length. */
enum { MOST_PASSED = 64 };

term term_select(terms *ts, term array, term index) {
  REQUIRE(term_sort(ts, array) == SORT_ARRAY && term_sort(ts, index) == SORT_INT, "an array and an integer");
  for (size_t passed = 0; term_kind_of(ts, array) == TERM_STORE && passed < MOST_PASSED; passed++) {
    index_relation r = compare_indices(ts, term_argument(ts, array, 1), index);
    if (r == INDEX_SAME) return term_argument(ts, array, 2);
    if (r == INDEX_OPEN) break;
    array = term_argument(ts, array, 0);
  }
  if (term_kind_of(ts, array) == TERM_CONSTANT_ARRAY) return term_argument(ts, array, 0);
  term_kind kind = term_nesting(ts, array)                ? TERM_ARRAY_SELECT
                   : term_element(ts, array) == SORT_BOOL ? TERM_BOOL_SELECT
                                                          : TERM_SELECT;
  return terms_intern(ts, &(node_key){.kind = kind, .count = 2, .arguments = (term[]){array, index}});
}

term term_store(terms *ts, term array, term index, term value) {
  REQUIRE(term_sort(ts, array) == SORT_ARRAY && term_sort(ts, index) == SORT_INT, "an array and an integer");
  type of = term_type(ts, array), element = type_of_element(&of);
  REQUIRE(term_fits(ts, value, &element), "a value of the array's sort");
  while (term_kind_of(ts, array) == TERM_STORE && term_same(term_argument(ts, array, 1), index))
    array = term_argument(ts, array, 0);
  if (term_same(term_select(ts, array, index), value)) return array;
  return terms_intern(ts, &(node_key){.kind = TERM_STORE, .count = 3, .arguments = (term[]){array, index, value}});
}

term term_constant_array(terms *ts, sort element, term value) {
  type of = term_type(ts, value);
  REQUIRE(element != SORT_ARRAY && element != SORT_NODE, "a sort of innermost elements");
  REQUIRE(of.sort == SORT_ARRAY ? of.element == element && of.nesting < MOST_NESTING : sort_fits(of.sort, element),
          "a value of the array's sort");
  return terms_intern(ts,
                      &(node_key){.kind = TERM_CONSTANT_ARRAY, .variable = element, .count = 1, .arguments = &value});
}

term term_array_same(terms *ts, term a, term b) {
  type of = term_type(ts, b);
  REQUIRE(of.sort == SORT_ARRAY && term_fits(ts, a, &of), "two arrays of one sort");
  if (term_same(a, b)) return TERM_TRUE;
  term pair[2] = {a.x < b.x ? a : b, a.x < b.x ? b : a};
  return terms_intern(ts, &(node_key){.kind = TERM_ARRAY_SAME, .count = 2, .arguments = pair});
}
