/* Blocks of a quotient that are single states: their steps are taken instead of proved. A graph of all states of a
 * finite model has nothing but such. */
#ifndef WHET_PROOF_CHECK_QUOTIENT_SINGLE_STATES_H
#define WHET_PROOF_CHECK_QUOTIENT_SINGLE_STATES_H

#include "model/semantics.h"
#include "proof/check/invariant_index.h"

typedef struct singles singles;

/* `m` and `p` outlive it. */
GIVE singles *single_states_new(const model *m, const parts *p);
void single_states_free(TAKE singles *s);

typedef enum single_answer {
  SINGLE_FINE,
  SINGLE_STEPS_BEYOND, /* a step leads to none of the targets */
  SINGLE_NOT_REACHED,  /* no step leads to one of the targets; only if all must be */
  SINGLE_UNDECIDED, /* not all are single states, or there are too many inputs, or values beyond 64 bits: ask a solver
                     */
} single_answer;

/* The steps of a transition from a block lead to the targets (blocks) and, if `all`, to every one of them. */
single_answer single_states_try(singles *s, size_t block, uint32_t transition, size_t count, const uint32_t *targets,
                                bool all);

#endif
