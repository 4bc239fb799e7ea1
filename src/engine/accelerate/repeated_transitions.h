/* A model with more transitions: cycles of its own ones, taken two or more times in a row. How many times is an input,
 * the last one. */
#ifndef WHET_ENGINE_ACCELERATE_REPEATED_TRANSITIONS_H
#define WHET_ENGINE_ACCELERATE_REPEATED_TRANSITIONS_H

#include "base/budget.h"
#include "model/model.h"

enum { LONGEST_REPEATED_CYCLE = 6 };

/* Transitions of the model that follow each other, each at most once. */
typedef struct transition_cycle {
  size_t length;
  uint32_t transitions[LONGEST_REPEATED_CYCLE];
} transition_cycle;
typedef VECTOR(transition_cycle) cycle_vector;

typedef struct repeated_transitions {
  model all;       /* shares everything but the list of transitions with the model that it was made from */
  size_t first;    /* the first of those added */
  cycle_vector of; /* by added transition: what it repeats; its inputs come first, in their order */
} repeated_transitions;

/* Repeats of cycles that change numbers by constants and set other variables to what no round changes. `left_out`:
 * cycles that are not repeated. */
void repeated_transitions_make(const model *m, const cycle_vector *left_out, budget *b, repeated_transitions *out);
void repeated_transitions_clear(repeated_transitions *r); /* what it holds */

#endif
