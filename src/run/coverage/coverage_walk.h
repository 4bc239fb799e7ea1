/* What can be seen to happen without asking a solver: a few of the states that the model can reach are computed. Whatever is
 * seen there does happen, so nobody needs to be asked whether it can. What is not seen may happen or not. */
#ifndef WHET_RUN_COVERAGE_WALK_H
#define WHET_RUN_COVERAGE_WALK_H

#include "model/model.h"

typedef struct coverage_walk {
  bool has_start;   /* an initial state was found */
  bool *taken;      /* by transition: it can be taken, or fails */
  bool *triggered;  /* by property: a state that it is about was met (property.trigger) */
  size_t not_taken; /* how many transitions were not */
} coverage_walk;

/* Bounded work: about a millisecond. */
GIVE coverage_walk *coverage_walk_of(const model *m);
void coverage_walk_free(TAKE coverage_walk *w);

/* Values for the variables of `t` for which it is true: the obvious ones, from equations in it and bounds of types. False if
 * these do not do. `values` has room for every variable of `ts`. */
bool coverage_guess(const terms *ts, term t, number *values);

#endif
