/* A round of steps taken many times at once: what any number of rounds makes of a state, if every variable either keeps
 * its value or changes by the same amount in each round.
 *
 * That is found for one round of one run, not for all states: conditions of values that depend on a case (`if`, `div`,
 * `mod`) are decided as they are in the state at hand, and become part of what must hold for a round to be taken. */
#ifndef WHET_MODEL_ROUNDS_H
#define WHET_MODEL_ROUNDS_H

#include "model/trace.h"

typedef struct round_effect {
  term holds;             /* over `moving`: one more round can be taken, and does the same */
  variable_vector moving; /* variables that change */
  number_vector by;       /* by how much in a round */
} round_effect;

/* What the steps from `first` on, `count` of them with their inputs, do again and again from `state`, a value for each
 * variable of the model. False if they do not do the same in each round. The model has no heap. */
bool rounds_find(const model *m, const trace_step *first, size_t count, const number *state, round_effect *out);
void rounds_clear(round_effect *r); /* what it holds */
/* Over `times` alone: one more round can be taken after so many, also after none. */
term rounds_go_on(const model *m, const round_effect *r, const number *state, term times);
/* The state after so many rounds. */
void rounds_apply(const model *m, const round_effect *r, const number *state, number times, number_vector *out);

#endif
