/* Likely invariants: what the states that a search has seen have in common (M. Ernst et al., Quickly detecting relevant program invariants, ICSE 2000), everywhere
 * and at each place. Bounds of variables, of differences and of sums of two; remainders; linear equations; if the model multiplies variables, equations with
 * products of two; atoms of guards and of properties. They are candidates: nobody relies on them. */
#ifndef WHET_PREDICATE_LIKELY_SEEN_STATES_H
#define WHET_PREDICATE_LIKELY_SEEN_STATES_H

#include "model/model.h"

typedef struct seen_states seen_states;

/* `m`, without a heap and of booleans and integers, outlives it. */
GIVE seen_states *seen_states_new(const model *m);
void seen_states_free(TAKE seen_states *s);
/* States in the order in which they were found; beyond some thousands they are left out. */
void seen_states_note(seen_states *s, const int64_t *state);
size_t seen_states_count(const seen_states *s);
/* Appended, in an order that depends on the states alone, the simplest first. What still changed in the second half of the states is left out: it would go on changing. */
void seen_states_candidates(const seen_states *s, term_vector *out);

#endif
