/* Implications, answered as cheaply as they can be: free layers first, then a cache, then the solver.
 *
 *   L0  constants and identical terms
 *   L1  the same atom on both sides
 *   L2  intervals: other literals over the same linear form, and the types
 *   L3  closure of difference bounds (x - y <= c)
 *   cache, then the solver
 * (paper 000, section 8, asks thousands of such questions; on its own examples none needs a solver.) */
#ifndef WHET_SOLVER_PROVER_H
#define WHET_SOLVER_PROVER_H

#include "solver/solver.h"

typedef struct prover prover;

/* How many questions each layer answered; `unsure` counts questions nobody could answer. */
typedef struct prover_statistics {
  uint64_t questions, folding, same_atom, interval, difference, cache, solver, unsure;
} prover_statistics;

/* `s` may be NULL: then what the free layers cannot tell is unsure. */
GIVE prover *prover_new(terms *ts, solver *s);
void prover_free(TAKE prover *p);
/* Facts that hold in every state (a proved invariant); they strengthen every left side from now on. */
void prover_assume(prover *p, term fact);

/* Do the literals on the left, taken together with the types and the assumed facts, imply `right`? */
answer prover_implies(prover *p, size_t count, const term *left, term right);
/* Is the conjunction of the literals satisfiable? */
answer prover_consistent(prover *p, size_t count, const term *literals);
/* Is `t` true in every state that respects the types and the assumed facts? */
answer prover_valid(prover *p, term t);
KEEP const prover_statistics *prover_statistics_of(const prover *p);

#endif
