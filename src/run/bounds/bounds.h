/* How often each action and loop of a model can be taken, as a formula over what never changes in a run: parameters, first values, inputs
 * that are read once.
 *
 * Facts of `widen` (checked) -> potentials, found in a worker -> for each action or loop a model that counts it, and evidence that the
 * count is never above the formula -> the check worker. Only what it accepts is a bound. What has none is looked at as a temporal property:
 * whether it can be taken for ever. */
#ifndef WHET_RUN_BOUNDS_BOUNDS_H
#define WHET_RUN_BOUNDS_BOUNDS_H

#include "run/bounds/subjects.h"
#include "run/outcome.h"
#include "run/settings.h"

typedef enum bound_kind { BOUND_NOT_FOUND, BOUND_IS, BOUND_FOR_EVER } bound_kind;

typedef struct bound_input {
  char *name; /* as in the formula */
  place at;   /* of the step that reads it */
} bound_input;

typedef struct bound {
  bound_subject subject;
  bound_kind kind;
  char *formula;              /* BOUND_IS: in the language of models */
  VECTOR(bound_input) inputs; /* that the formula speaks of */
} bound;

typedef VECTOR(bound) bound_vector;

/* `s->model` is a transition system over integers and booleans. */
void bounds_find(const run_settings *s, bound_vector *out);
void bounds_clear(bound_vector *b); /* what it holds */

#endif
