/* A concrete run along given transitions: the transitions are executed on terms over the first state and a copy of the
 * inputs for each step; one question to the solver finds values for all of them, and the run is computed from these
 * exactly. */
#ifndef WHET_ENGINE_CONCRETE_RUN_H
#define WHET_ENGINE_CONCRETE_RUN_H

#include "proof/evidence.h"
#include "solver/solver.h"

/* Variables that stand for an input at a step of a run. */
typedef struct input_copies input_copies;
GIVE input_copies *input_copies_new(terms *ts);
void input_copies_free(TAKE input_copies *c);
/* The same one for the same input and step. */
variable input_copies_get(input_copies *c, variable input, size_t step);

#define RUN_HAS_NO_LOOP SIZE_MAX
#define RUN_ENDS_WITHOUT_INPUTS UINT32_MAX
#define RUN_ENDS_IN_ANY_FAULT (UINT32_MAX - 1)

typedef struct concrete_run {
  const model *model;
  solver *solver; /* in which nothing is asserted */
  size_t count;
  const uint32_t *transitions;
  input_copies *copies; /* NULL: new ones, for this question only */
  const term *where;    /* what holds in each of the count + 1 states; NULL: nothing is asked */
  size_t loop;          /* the last state is to be this one again, or RUN_HAS_NO_LOOP */
  term at_end;          /* holds in the last state; may mention the inputs of `end` */
  /* A transition; or RUN_ENDS_WITHOUT_INPUTS; or RUN_ENDS_IN_ANY_FAULT: `at_end` says that some transition has a fault,
   * and may mention the inputs of all of them. */
  uint32_t end;
} concrete_run;

/* Yes: `out->steps` is such a run, and `out->fault_inputs` has the values of the inputs of `end`; if it ends in any
 * fault, `out` says in which. No: there is none. The kind of `out` is the caller's to set. */
answer concrete_run_find(const concrete_run *q, evidence *out);

#endif
