/* A random walk from a state: inputs by chance, no solver. It may end soon: it only saves questions. */
#ifndef WHET_RUN_CORRESPONDENCE_WALK_H
#define WHET_RUN_CORRESPONDENCE_WALK_H

#include "base/budget.h"
#include "model/model.h"

/* Called with each state after the first, in the order of the model's variables. */
typedef void walk_visit(void *context, const number *state);
void walk_from(const model *m, const number *state, budget *b, walk_visit *visit, void *context);

#endif
