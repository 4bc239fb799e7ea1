/* The same abstract system without its relation: abstract states are searched one by one, and the steps from a state
 * are found when it is its turn.
 *
 * What that costs grows with the states that are reached, not with all combinations of predicates, so many predicates
 * are no wall. For the files abstraction*.c only. */
#ifndef WHET_SET_IMPLICIT_H
#define WHET_SET_IMPLICIT_H

#include "set/abstraction_inside.h"

/* Finds the states; `a` has its initial and bad states as diagrams. Stops at the first bad one unless `all` is wanted.
 */
reach_end implicit_reach(abstraction *a, bool all);
void implicit_free(TAKE implicit_search *s);
double implicit_reached(const implicit_search *s);
size_t implicit_rings(const implicit_search *s);
/* After REACH_BAD: the way to the first bad state. */
void implicit_counterexample(const abstraction *a, abstract_trace *out);
/* The states found, as a diagram. */
obdd implicit_states(abstraction *a);

#endif
