/* The concrete meaning of a model on 64-bit states, compiled: what a step does, and whether it can be taken.
 *
 * A state is an array of words in the order of `m->variables`; inputs of a transition follow in the order of its
 * `inputs`. Every operation is checked: a value that does not fit is STEP_OVERFLOW, never a wrong state.
 *
 * If the model has a heap, the words of its nodes follow those of the variables: as many as semantics_new_bounded
 * was given (model/heap.h). Node variables hold numbers of nodes. */
#ifndef WHET_MODEL_SEMANTICS_H
#define WHET_MODEL_SEMANTICS_H

#include "model/model.h"

typedef struct semantics semantics;

typedef enum step_status {
  STEP_TAKEN,
  STEP_DISABLED, /* the guard is false */
  STEP_FAULT,    /* a fault holds: a run-time error */
  STEP_OVERFLOW, /* a value does not fit in 64 bits */
  STEP_NO_NODES, /* more nodes than there is room for */
} step_status;

GIVE semantics *semantics_new(const model *m); /* `m` outlives it; may be used by several threads at once */
/* For models with a heap: states of up to `nodes` nodes. */
GIVE semantics *semantics_new_bounded(const model *m, size_t nodes);
void semantics_free(TAKE semantics *s);
size_t semantics_width(const semantics *s); /* state variables and nodes */

/* `inputs` may be NULL if the transition has none. `out` gets the next state if STEP_TAKEN; `*fault` (may be
 * NULL) the index of the fault if STEP_FAULT. `state` and `out` must not overlap. */
step_status semantics_step(const semantics *s, size_t transition, const int64_t *state, const int64_t *inputs,
                           int64_t *out, size_t *fault);

/* A condition over state variables, compiled once: 1, 0, or -1 for overflow. */
typedef struct state_condition state_condition;
GIVE state_condition *state_condition_new(const model *m, term t); /* `m` outlives it if it has a heap */
void state_condition_free(TAKE state_condition *c);
int state_condition_holds(const state_condition *c, const int64_t *state);

/* Walks the values of inputs of finite types. `inputs_first` sets the first choice; `inputs_advance` the next, false
 * after the last. REQUIREs that all inputs of the transition are finite (transition_has_finite_inputs). */
bool transition_has_finite_inputs(const model *m, const transition *t);
void inputs_first(const model *m, const transition *t, int64_t *inputs);
bool inputs_advance(const model *m, const transition *t, int64_t *inputs);

#endif
