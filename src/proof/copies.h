/* Runs of a model as formulas, for the checker and for certificates: copies of the variables for each time, and a step
 * as the plain disjunction of all transitions. Nothing is taken for granted: that inputs are within their types is part
 * of a step, and that states are is never assumed. */
#ifndef WHET_PROOF_COPIES_H
#define WHET_PROOF_COPIES_H

#include "model/model.h"

typedef struct copies copies;

GIVE copies *copies_new(const model *m); /* `m` outlives it */
void copies_free(TAKE copies *p);

/* What stands for the state variables, and for the inputs of all transitions (each once), at that time; in the order of
 * the model. At time 0 they stand for themselves. */
KEEP const variable_vector *copies_states(copies *p, size_t time);
KEEP const variable_vector *copies_inputs(copies *p, size_t time);
/* A formula over states and inputs, at that time. */
term copies_at(copies *p, term t, size_t time);
/* Some transition is taken from that time to the next. */
term copies_step(copies *p, size_t time);
/* The states of these two times differ. */
term copies_differ(copies *p, size_t one, size_t other);

#endif
