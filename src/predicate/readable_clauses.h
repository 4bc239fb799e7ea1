/* A formula as few short clauses, for people to read: an irredundant conjunction, simplified with what integers can be.
 */
#ifndef WHET_PREDICATE_READABLE_CLAUSES_H
#define WHET_PREDICATE_READABLE_CLAUSES_H

#include "predicate/allsat.h"

typedef VECTOR(term_vector) clause_vector;

void clauses_clear(clause_vector *all); /* what it holds */

/* Appends clauses, each a list of literals, that together hold exactly if `t` does as far as the types and facts of
 * `a` are respected. None can be left out, and no literal of one. Takes the process's one table of diagrams meanwhile.
 * False if there would be too many or the budget is spent: then nothing is appended. */
bool clauses_of(terms *ts, allsat *a, budget *b, term t, clause_vector *out);

#endif
