/* From a k-inductive property to an inductive invariant: the states from which no bad one can be reached.
 *
 * If no run of k steps leads through good states to a bad one, a bad state that can be reached at all is reached in
 * fewer than k steps, since of a run whose states repeat there is a shorter one. So the search backwards from the bad
 * states ends. It goes set by set (engine/project.h): each is a conjunction of literals, and all are states from which
 * a bad one is reached. What none of them has is inductive. */
#ifndef WHET_ENGINE_KIND_BACKWARD_H
#define WHET_ENGINE_KIND_BACKWARD_H

#include "engine/engine.h"
#include "model/unroll.h"

typedef struct backward backward;

typedef enum backward_end {
  BACKWARD_GOES_ON, /* one set more, or one of them is done with */
  BACKWARD_DONE,    /* no step leads into any of them from outside */
  BACKWARD_TROUBLE, /* too many sets, or a question that was not decided */
} backward_end;

/* `bad` is over state variables. All arguments outlive the result. */
GIVE backward *backward_new(engine_environment *env, unrolling *u, term bad);
void backward_free(TAKE backward *b);
/* Holds in every reachable state: no other states are looked at. */
void backward_assume(backward *b, term fact);
backward_end backward_step(backward *b);
/* What the sets found so far leave over. */
term backward_rest(const backward *b);
size_t backward_sets(const backward *b);
KEEP const char *backward_trouble(const backward *b);
KEEP const solver_statistics *backward_statistics(const backward *b);

#endif
