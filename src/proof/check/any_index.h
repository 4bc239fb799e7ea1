/* Interpretations that hold for any index, without quantifiers: what solvers are asked has none.
 *
 * `forall i . F(i)` that is to be proved becomes F(k) for a constant k of which nothing is known. One that is known
 * becomes finitely many instances: F(t) for each term t that is an index somewhere in the question, the constants k
 * included; of arrays of arrays, an index of rows is replaced by those of rows. The instances follow from what is known, so that a question with no model had none before. Two arrays that
 * differ do so at some index, for which there is a constant too. */
#ifndef WHET_PROOF_CHECK_ANY_INDEX_H
#define WHET_PROOF_CHECK_ANY_INDEX_H

#include "term/substitute.h"

typedef struct any_index any_index;
/* `indices` are the variables of interpretations that stand for any integer; both outlive the result. */
GIVE any_index *any_index_new(terms *ts, const variable_vector *indices);
void any_index_free(TAKE any_index *a);
/* Replaces the indices: in what is to be proved by constants, in what is known by variables for `any_index_question`. */
void any_index_set(const any_index *a, bool is_known, substitution *s);
/* The conjunction of the formulas, those of which the first `known_from` have no such variables, and the instances of
 * the others. False if they are too many. */
bool any_index_question(any_index *a, size_t count, const term *formulas, size_t known_from, term *out);

#endif
