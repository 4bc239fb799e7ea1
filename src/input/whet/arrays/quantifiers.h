/* Quantifiers that are not written out: `forall i : 0..n-1 . a[i] = 0` with a range that is not constant.
 *
 * Terms have no quantifiers. While a model is read, a boolean variable of its own, the mark, stands for each; the table
 * says what it means. So it is with an array that gets new elements at all indices of a range, whose mark is an array. Before clauses are made, marks are taken out again: arrays/resolve.h. */
#ifndef WHET_INPUT_WHET_ARRAYS_QUANTIFIERS_H
#define WHET_INPUT_WHET_ARRAYS_QUANTIFIERS_H

#include "base/map.h"
#include "input/whet/ast.h"
#include "term/substitute.h"
#include "term/term.h"

typedef struct quantifier {
  variable mark;
  bool is_forall;
  variable index;
  bool has_range; /* low <= index <= high; else the index is any integer */
  term low, high;
  term body;   /* may have marks in it */
  bool is_map; /* the mark is the array `start`, but at the indices of the range it has the elements `body` */
  term start;
  const expression *at;
} quantifier;

typedef struct quantifiers {
  VECTOR(quantifier) all;
  map *positions; /* mark -> position; NULL: there are none */
} quantifiers;

void quantifiers_clear(quantifiers *q); /* what it holds */
/* The term that stands for it; its `mark` is made here. */
term quantifiers_add(quantifiers *q, terms *ts, quantifier made);
/* NULL: the variable is no mark. */
KEEP const quantifier *quantifiers_find(const quantifiers *q, variable mark);
/* The first mark in the terms, or NULL. */
KEEP const quantifier *quantifiers_first(const quantifiers *q, const terms *ts, size_t count, const term *in);
/* `t` with variables replaced, also in what its marks stand for. */
term quantifiers_apply(quantifiers *q, terms *ts, substitution *by, term t);
/* The same with another index, which is new. */
quantifier quantifiers_rename(quantifiers *q, terms *ts, quantifier of, variable index);
/* The variables that occur freely, also in what marks stand for; marks are left out. */
void quantifiers_variables(const quantifiers *q, const terms *ts, const term_vector *in, variable_vector *out);
void quantifiers_variables_of(const quantifiers *q, const terms *ts, term t, variable_vector *out);
/* The range of the index. */
term quantifier_range(terms *ts, const quantifier *q);

#endif
