/* The algorithms of Ranzato, Rossi Doria, Tapparo 2008, a round at a time: from one refinement of the domain to the
 * next.
 *
 *   CGR        Cousot, Ganty and Raskin: forwards over, backwards within it
 *   CGR_DUAL   the same against the steps
 *   FBAR       the paper's own: several sweeps both ways, within the set M of states that a shortest counterexample can
 *              have
 *   FBAR_SYM   FBAR, with its second half done both ways too
 * What the partition must have: CGR that the safe states are a set of its domain, CGR_DUAL the states that are not
 * initial, FBAR both and the bad states, FBAR_SYM the initial states too. Initial and bad states have none in
 * common. */
#ifndef WHET_ENGINE_FBAR_ROUNDS_H
#define WHET_ENGINE_FBAR_ROUNDS_H

#include "engine/fbar/fixpoint.h"

typedef enum method { METHOD_CGR, METHOD_CGR_DUAL, METHOD_FBAR, METHOD_FBAR_SYM } method;

typedef enum round_end {
  ROUND_REFINED,
  ROUND_SAFE,
  ROUND_UNSAFE,
  ROUND_TROUBLE, /* of the partition */
} round_end;

/* Gets every value that is computed: the line of the pseudo-code (CGR: 0) and what it is assigned to. */
typedef struct observer {
  void (*value)(void *context, int line, const char *name, const bits *blocks);
  void *context;
} observer;

typedef struct rounds rounds;

/* `p` outlives it. `o` may be NULL. */
GIVE rounds *rounds_new(method how, partition *p, const observer *o);
void rounds_free(TAKE rounds *r);

round_end rounds_next(rounds *r);
/* From now on each round refines also by the states that cannot reach `from` (the bad states) in so many steps,
 * exactly: 1, 3, 7, .. If backward reachability converges, all algorithms then end: so it is for well-structured
 * systems, for which the paper has a conjecture. */
void rounds_add_waves(rounds *r, const points *from);

/* After ROUND_SAFE: blocks that together are an inductive invariant. */
GIVE bits rounds_invariant(const rounds *r);
/* After ROUND_UNSAFE: blocks that together have a counterexample. */
KEEP const bits *rounds_within(const rounds *r);

typedef struct rounds_statistics {
  uint64_t refinements, fixpoints, splits; /* blocks that were split, over all rounds */
} rounds_statistics;
KEEP const rounds_statistics *rounds_statistics_of(const rounds *r);

#endif
