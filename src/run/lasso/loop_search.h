/* A shortest run with a loop, in the states near a run, on which a formula of LTL, or a universal one of CTL or CTL*, is false and that is fair.
 *
 * It is found in the product of the graph with the truth of the temporal parts of the formula: in a node each part is true or false, and a step
 * joins nodes that agree with what the operators mean. A run of the product has the formula's truth if infinitely often what an `until` that is
 * true promises happens (and the same of the others); so each is one more thing that the loop must come by, like a fairness constraint. */
#ifndef WHET_RUN_LASSO_LOOP_SEARCH_H
#define WHET_RUN_LASSO_LOOP_SEARCH_H

#include "run/lasso/near_graph.h"

typedef struct loop_search loop_search;

/* How many states a graph may have to be searched for this formula; 0 if it cannot be. */
size_t loop_search_most_states(const model *m, const temporal *f);
GIVE loop_search *loop_search_new(const near_graph *g, const temporal *f);
void loop_search_free(TAKE loop_search *s);

#define LOOP_IDLES UINT32_MAX /* the state has no step and stays as it is */

typedef struct found_loop {
  uint32_t start;         /* a state */
  VECTOR(uint32_t) steps; /* of the graph, from there; the last one may be LOOP_IDLES */
  size_t loop;            /* after the last step the run is where it was before this one */
} found_loop;

/* One of fewer than `most` steps, with as few as there are; if `without_stays`, without steps that change nothing. False if there is none,
 * or too much was tried. */
bool loop_search_find(loop_search *s, bool without_stays, size_t most, found_loop *out);

#endif
