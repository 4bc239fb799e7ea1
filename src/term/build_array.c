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
  term_kind kind = term_element(ts, array) == SORT_BOOL ? TERM_BOOL_SELECT : TERM_SELECT;
  return terms_intern(ts, &(node_key){.kind = kind, .count = 2, .arguments = (term[]){array, index}});
}

term term_store(terms *ts, term array, term index, term value) {
  REQUIRE(term_sort(ts, array) == SORT_ARRAY && term_sort(ts, index) == SORT_INT, "an array and an integer");
  REQUIRE(sort_fits(term_sort(ts, value), term_element(ts, array)), "a value of the array's sort");
  while (term_kind_of(ts, array) == TERM_STORE && term_same(term_argument(ts, array, 1), index))
    array = term_argument(ts, array, 0);
  if (term_same(term_select(ts, array, index), value)) return array;
  return terms_intern(ts, &(node_key){.kind = TERM_STORE, .count = 3, .arguments = (term[]){array, index, value}});
}

term term_constant_array(terms *ts, sort element, term value) {
  REQUIRE(sort_fits(term_sort(ts, value), element) && element != SORT_ARRAY && element != SORT_NODE,
          "a value of the array's sort");
  return terms_intern(ts,
                      &(node_key){.kind = TERM_CONSTANT_ARRAY, .variable = element, .count = 1, .arguments = &value});
}

term term_array_same(terms *ts, term a, term b) {
  REQUIRE(
      term_sort(ts, a) == SORT_ARRAY && term_sort(ts, b) == SORT_ARRAY && term_element(ts, a) == term_element(ts, b),
      "two arrays of one sort");
  if (term_same(a, b)) return TERM_TRUE;
  term pair[2] = {a.x < b.x ? a : b, a.x < b.x ? b : a};
  return terms_intern(ts, &(node_key){.kind = TERM_ARRAY_SAME, .count = 2, .arguments = pair});
}
