/* A run of a model: exact states and the transitions and inputs between them. */
#ifndef WHET_MODEL_TRACE_H
#define WHET_MODEL_TRACE_H

#include "model/heap.h"

typedef VECTOR(number) number_vector;

typedef struct trace_step {
  uint32_t transition;  /* how this state was reached; meaningless for the first */
  number_vector inputs; /* of that transition */
  number_vector values; /* of the state, in the order of `m->variables`; of a node variable the number of its node */
  heap_cells heap;      /* the nodes made so far */
  /* If `round` is not 0, this state is what the last `round` steps before it lead to when they are taken `times` more
   * times, with the same inputs (model/rounds.h). `transition` and `inputs` are then those of the last of them. */
  uint32_t round;
  number times;
} trace_step;

typedef VECTOR(trace_step) trace;

void trace_clear(trace *t); /* what it holds */
/* The values of a state as term_evaluate wants them: indexed by variable, 0 if there is none. `out` is resized. */
void trace_assignment(const model *m, const number *state, const transition *t, const number *inputs,
                      number_vector *out);
/* The same for a model with a heap: node variables as evaluation reads them (model/heap.h). */
void trace_step_assignment(const model *m, const trace_step *state, const transition *t, const number *inputs,
                           number_vector *out);
/* The run has steps that stand for many rounds. */
bool trace_has_rounds(const trace *t);
/* How many steps of the model the run has. */
number trace_length(const trace *t);
/* Hears of the inputs in the order in which they are given, rounds included. False if there are more than `most`. */
typedef void input_hearer(void *context, variable input, number value);
bool trace_hear_inputs(const model *m, const trace *t, uint64_t most, input_hearer *hear, void *context);
/* Replaces the values of every step but the first by what the transitions make of it, computed exactly. False if a
 * round does not do the same each time (model/rounds.h). */
bool trace_recompute(const model *m, trace *t);

#endif
