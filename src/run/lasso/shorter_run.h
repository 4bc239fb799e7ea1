/* Of the runs that break a temporal property, a short one: it takes the place of the one that an engine found, if the checker accepts it.
 *
 * A run with a loop: one without steps that change nothing if there is one, and of those one with the fewest steps, before the loop and in it,
 * in the states that are looked at (near_graph.h): all that can be reached if they are few. A run to a recurrence: one with the fewest steps. */
#ifndef WHET_RUN_LASSO_SHORTER_RUN_H
#define WHET_RUN_LASSO_SHORTER_RUN_H

#include "base/budget.h"
#include "proof/evidence.h"

/* `index` is of the property. `e` stays as it is if nothing better is found. */
void shorter_run(const model *m, size_t index, evidence *e, budget *b);

#endif
