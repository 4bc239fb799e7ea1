/* The meaning of a model, spelt out slowly: exact numbers, one state after the other, every choice of inputs.
 *
 * It walks the model's terms with an evaluator of its own and nothing else, so it is what compiled steps, engines and
 * passes are compared with. */
#ifndef WHET_TESTS_REFERENCE_H
#define WHET_TESTS_REFERENCE_H

#include "base/map.h"
#include "model/trace.h"

typedef enum reference_status {
  REFERENCE_COMPLETE,  /* every reachable state was seen */
  REFERENCE_TOO_LARGE, /* the limit was reached: what was found stands, what was not means nothing */
  REFERENCE_INFINITE,  /* infinitely many first states, or inputs to choose from: nothing was explored */
} reference_status;

/* A property broken as early as it can be. */
typedef struct reference_breach {
  bool found;
  size_t state;        /* the first such state in breadth-first order */
  size_t depth;        /* steps to it */
  uint32_t transition; /* PROPERTY_NO_FAULT: what fails there, and how */
  size_t fault;
  number_vector inputs;
} reference_breach;

typedef struct reference_state {
  size_t depth, parent; /* parent == itself: a first state */
  uint32_t transition;
  number_vector inputs; /* of the step from the parent */
  size_t chain;         /* the next state with the same hash, or SIZE_MAX */
} reference_state;

typedef struct reference {
  const model *model;
  reference_status status;
  VECTOR(reference_state) states; /* breadth first */
  number_vector values;           /* their values, one row after the other */
  map *index;
  VECTOR(reference_breach) breaches; /* one a property; temporal ones stay not found */
  uint64_t steps;                    /* taken */
} reference;

GIVE reference *reference_explore(const model *m, size_t limit);
void reference_free(TAKE reference *r);
KEEP const number *reference_values(const reference *r, size_t state);
/* Which state has these values; SIZE_MAX if none was seen. */
size_t reference_find(const reference *r, const number *values);
/* The run to a state, shortest. */
GIVE trace reference_trace(const reference *r, size_t state);
/* "safe, 12 states", "bad after 3 steps, 12 states", .. for messages. */
GIVE char *reference_describe(const reference *r, size_t property);

typedef enum reference_step_status { REFERENCE_TAKEN, REFERENCE_DISABLED, REFERENCE_FAULT } reference_step_status;
/* One step, exactly. `out` gets one number a state variable. */
reference_step_status reference_step(const model *m, const transition *t, const number *state, const number *inputs,
                                     number *out, size_t *fault);
/* The value of a term, exactly; `values` by variable. */
number reference_evaluate(const terms *ts, term t, const number *values);
/* The value of a term over state variables (and the inputs of `t`, if there is one). */
number reference_value(const model *m, term t, const number *state, const transition *of, const number *inputs);
bool reference_holds(const model *m, term t, const number *state);
/* The values of a finite type: low, low + 1, .. high. */
void reference_range(const model *m, variable v, int64_t *low, int64_t *high);
/* All choices of inputs, one after the other: false after the last. All must be finite. */
void reference_first_inputs(const model *m, const transition *t, number_vector *inputs);
bool reference_next_inputs(const model *m, const transition *t, number_vector *inputs);

#endif
