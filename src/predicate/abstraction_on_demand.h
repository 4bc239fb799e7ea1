/* The same abstract system without its relation: abstract states are searched one by one, and the steps from a state
 * are found when it is its turn.
 *
 * What that costs grows with the states that are reached, not with all combinations of predicates, so many predicates
 * do no harm by themselves. For the files abstraction*.c only. */
#ifndef WHET_PREDICATE_ABSTRACTION_ON_DEMAND_H
#define WHET_PREDICATE_ABSTRACTION_ON_DEMAND_H

#include "predicate/abstraction_inside.h"

/* Finds the states; `a` has its initial and bad states as diagrams. Stops at the first bad one unless `all` is wanted.
 */
reach_end on_demand_reach(abstraction *a, bool all);
void on_demand_free(TAKE implicit_search *s);
double on_demand_reached(const implicit_search *s);
size_t on_demand_rings(const implicit_search *s);
/* After REACH_BAD: the way to the first bad state. */
void on_demand_counterexample(const abstraction *a, abstract_trace *out);
/* The states found, as a diagram. */
obdd on_demand_states(abstraction *a);

#endif
