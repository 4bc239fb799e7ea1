/* A run of a model as formulas: a copy of every variable for each time, and the step between two times as one formula.
 *
 * At time 0 state variables and inputs stand for themselves. Variables that no transition assigns have no copies: they
 * are the same at every time. Formulas about the types are not part of a step; copies are of the same types as what
 * they stand for. */
#ifndef WHET_MODEL_UNROLL_H
#define WHET_MODEL_UNROLL_H

#include "model/model.h"

typedef struct unrolling unrolling;

GIVE unrolling *unrolling_new(const model *m); /* `m` outlives it */
void unrolling_free(TAKE unrolling *u);

/* What stands for a state variable or an input at that time. */
variable unrolling_variable(unrolling *u, variable v, size_t time);
/* A formula over state variables and inputs, read at that time. */
term unrolling_at(unrolling *u, term t, size_t time);
/* Some transition is taken from that time to the next: what transitions have in common is said once. Which one it is,
 * boolean variables say as a binary number, the lowest digit first; a model with a single transition has none. */
term unrolling_step(unrolling *u, size_t time);
KEEP const variable_vector *unrolling_choice(unrolling *u, size_t time);
/* The states of these two times differ in some variable. */
term unrolling_differ(unrolling *u, size_t one, size_t other);

#endif
