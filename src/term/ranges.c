/* Disjuncts `x = c` are sorted by variable and value; those that follow each other are one range. */
#include "term/ranges.h"

#include <stdlib.h>

/* Shorter lists stay as they are. */
enum { SHORTEST = 3 };

typedef struct listed {
  variable var;
  number value;
  term disjunct;
} listed;

typedef VECTOR(listed) listed_vector;

static bool read_listed(const terms *ts, term t, listed *out) {
  if (term_kind_of(ts, t) != TERM_EQ || term_is_negated(t)) return false;
  linear l = term_linear(ts, term_argument(ts, t, 0));
  if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE)
    return false;
  *out = (listed){term_variable(ts, l.leaves[0]), number_negate(l.constant), t};
  const type *of = variable_type(ts, out->var);
  return of->sort == SORT_INT && !of->names;
}

static int by_variable_and_value(const void *a, const void *b) {
  const listed *x = a, *y = b;
  if (x->var.x != y->var.x) return x->var.x < y->var.x ? -1 : 1;
  return number_compare(x->value, y->value);
}

/* Where the range that begins at `first` ends. */
static size_t end_of_range(const listed_vector *all, size_t first) {
  size_t end = first + 1;
  while (end < all->count && variable_same(all->at[end].var, all->at[first].var) &&
         number_equal(all->at[end].value, number_add(all->at[end - 1].value, number_of(1))))
    end++;
  return end;
}

static void add_range(terms *ts, const listed_vector *all, size_t first, size_t end, term_vector *out) {
  term x = term_of_variable(ts, all->at[first].var);
  term low = term_number(ts, all->at[first].value), high = term_number(ts, all->at[end - 1].value);
  if (end - first >= SHORTEST)
    VECTOR_PUSH(*out, term_and(ts, term_le(ts, low, x), term_le(ts, x, high)));
  else
    for (size_t i = first; i < end; i++) VECTOR_PUSH(*out, all->at[i].disjunct);
}

static term disjunction_with_ranges(terms *ts, term t) {
  term_vector disjuncts = {0}, made = {0};
  listed_vector all = {0};
  listed one;
  term_disjuncts(ts, t, &disjuncts);
  for (size_t i = 0; i < disjuncts.count; i++) {
    if (read_listed(ts, disjuncts.at[i], &one))
      VECTOR_PUSH(all, one);
    else
      VECTOR_PUSH(made, disjuncts.at[i]);
  }
  if (all.count) qsort(all.at, all.count, sizeof *all.at, by_variable_and_value);
  size_t ranges = 0;
  for (size_t first = 0, end; first < all.count; first = end) {
    end = end_of_range(&all, first);
    ranges += end - first >= SHORTEST;
    add_range(ts, &all, first, end, &made);
  }
  if (ranges) t = term_or_all(ts, made.count, made.at);
  VECTOR_FREE(all);
  VECTOR_FREE(made);
  VECTOR_FREE(disjuncts);
  return t;
}

term term_with_ranges(terms *ts, term t) {
  term_vector parts = {0};
  term_conjuncts(ts, t, &parts);
  bool changes = false;
  for (size_t i = 0; i < parts.count; i++) {
    term made = disjunction_with_ranges(ts, parts.at[i]);
    changes |= !term_same(made, parts.at[i]);
    parts.at[i] = made;
  }
  if (changes) t = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return t;
}
