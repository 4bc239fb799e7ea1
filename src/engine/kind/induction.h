/* The step of k-induction: no run of k steps, from any state, leads through states that are not bad to one that is. */
#ifndef WHET_ENGINE_KIND_INDUCTION_H
#define WHET_ENGINE_KIND_INDUCTION_H

#include "engine/engine.h"
#include "model/unroll.h"

typedef struct induction induction;

/* `bad` is over state variables. All arguments outlive the result. */
GIVE induction *induction_new(engine_environment *env, unrolling *u, term bad);
void induction_free(TAKE induction *x);
/* Is there such a run of `induction_depth` steps, with all states different? It begins with 1. Yes: the next question
 * is about one step more. */
answer induction_ask(induction *x);
size_t induction_depth(const induction *x);
/* True: that the states of a run differ was needed, or may have been. */
bool induction_needs_distinct_states(const induction *x);
void induction_assume(induction *x, term fact);
KEEP const solver_statistics *induction_statistics(const induction *x);

#endif
