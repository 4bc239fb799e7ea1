/* A concrete run along given transitions: the transitions are executed on terms over the first state and a copy of the
 * inputs for each step; the solver finds values, and the run is computed from these exactly. */
#ifndef WHET_ENGINE_FOLLOW_H
#define WHET_ENGINE_FOLLOW_H

#include "model/trace.h"
#include "solver/solver.h"

#define FOLLOW_NO_LOOP SIZE_MAX
#define FOLLOW_NO_TRANSITION UINT32_MAX

typedef struct follow_question {
  const model *model;
  solver *solver; /* in which nothing is asserted */
  size_t count;
  const uint32_t *transitions;
  const term *where; /* what holds in each of the count + 1 states; NULL: nothing is asked */
  size_t loop;       /* the last state is to be this one again, or FOLLOW_NO_LOOP */
  term at_end;       /* holds in the last state; may speak of the inputs of `end` */
  uint32_t end;      /* a transition, or FOLLOW_NO_TRANSITION */
} follow_question;

/* Yes: `out` is such a run, and `end_inputs` (may be NULL) has the values of the inputs of `end`. No: there is none. */
answer follow_run(const follow_question *q, trace *out, number_vector *end_inputs);

#endif
