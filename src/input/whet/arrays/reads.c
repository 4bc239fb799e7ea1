/* The type of an array has the bounds of its elements (lower_variables.c). Variables of clauses have no types, so what follows
 * from them is said of each element that is read. That is enough: an element that is not of its type could be replaced by one
 * that is, and nothing that the edges ask about would change. */
#include "input/whet/arrays/reads.h"

/* Some variable whose elements the array may have; false if there is none. */
static bool root_of(const terms *ts, term array, variable *out) {
  while (term_kind_of(ts, array) == TERM_STORE || term_kind_of(ts, array) == TERM_ARRAY_SELECT)
    array = term_argument(ts, array, 0);
  if (term_kind_of(ts, array) == TERM_ARRAY_ITE)
    return root_of(ts, term_argument(ts, array, 1), out) || root_of(ts, term_argument(ts, array, 2), out);
  if (term_kind_of(ts, array) != TERM_ARRAY_VARIABLE) return false;
  *out = term_variable(ts, array);
  return true;
}

static term element_in_type(terms *ts, term element, const type *t) {
  term result = TERM_TRUE;
  if (t->element != SORT_INT) return result;
  if (t->has_low) result = term_and(ts, result, term_ge(ts, element, term_number(ts, t->low)));
  if (t->has_high) result = term_and(ts, result, term_le(ts, element, term_number(ts, t->high)));
  return result;
}

/* a = b, or they differ at an index of its own. */
static term differ_somewhere(terms *ts, term same) {
  term a = term_argument(ts, same, 0), b = term_argument(ts, same, 1);
  variable root;
  if (!root_of(ts, a, &root) && !root_of(ts, b, &root)) return TERM_TRUE;
  type of = *variable_type(ts, root);
  if (of.element != SORT_INT || (!of.has_low && !of.has_high)) return TERM_TRUE;
  term x = a, y = b;
  for (unsigned i = 0, count = 1 + term_nesting(ts, a); i < count; i++) {
    term index = term_of_variable(ts, variable_fresh(ts, "differ in check", &(type){.sort = SORT_INT}));
    x = term_select(ts, x, index);
    y = term_select(ts, y, index);
  }
  term differ =
      term_and(ts, term_not(term_eq(ts, x, y)), term_and(ts, element_in_type(ts, x, &of), element_in_type(ts, y, &of)));
  return term_or(ts, same, differ);
}

static term read_in_type(terms *ts, uint32_t index) {
  term t = {2 * index};
  variable root;
  if (term_kind_of(ts, t) == TERM_ARRAY_SAME) return differ_somewhere(ts, t);
  if (term_kind_of(ts, t) != TERM_SELECT || !root_of(ts, term_argument(ts, t, 0), &root)) return TERM_TRUE;
  return element_in_type(ts, t,
                         &(type){.sort = SORT_ARRAY,
                                 .element = variable_type(ts, root)->element,
                                 .has_low = variable_type(ts, root)->has_low,
                                 .has_high = variable_type(ts, root)->has_high,
                                 .low = variable_type(ts, root)->low,
                                 .high = variable_type(ts, root)->high});
}

term arrays_read_in_types(terms *ts, const flow_graph *g, const flow_edge *e) {
  term_vector roots = {0};
  index_vector all = {0};
  term result = TERM_TRUE;
  VECTOR_PUSH(roots, e->guard);
  for (size_t i = 0; i < e->updates.count; i++) VECTOR_PUSH(roots, e->updates.at[i].value);
  for (size_t i = 0; i < e->calls.count; i++)
    for (size_t j = 0; j < g->procedures.at[e->calls.at[i].procedure].in.count; j++)
      VECTOR_PUSH(roots, e->calls.at[i].in[j]);
  terms_cone(ts, roots.count, roots.at, &all);
  for (size_t i = 0; i < all.count; i++) result = term_and(ts, result, read_in_type(ts, all.at[i]));
  VECTOR_FREE(roots);
  VECTOR_FREE(all);
  return result;
}
