/* Tuples of numbers of one width, each distinct one with an id: 0, 1, .. in the order they came.
 *
 * Tuples are compared in full: what a checker accepts must not hang on two hashes being different. */
#ifndef WHET_PROOF_CHECK_NUMBER_TUPLES_H
#define WHET_PROOF_CHECK_NUMBER_TUPLES_H

#include "base/number.h"

/* Stands in a tuple for a value that is not known; equal to no number. */
extern const number number_unknown;
static inline bool number_is_known(number n) { return !(n.big && n.small); }

typedef struct tuples tuples;
GIVE tuples *number_tuples_new(size_t width);
void number_tuples_free(TAKE tuples *t);
void number_tuples_clear(tuples *t);
size_t number_tuples_count(const tuples *t);
/* The id of `tuple`, added if it is new. */
size_t number_tuples_add(tuples *t, const number *tuple);
/* SIZE_MAX if it is not there. */
size_t number_tuples_find(const tuples *t, const number *tuple);

#endif
