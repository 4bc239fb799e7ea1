/* Random states, without a solver: they only save questions. */
#ifndef WHET_RUN_CORRESPONDENCE_WALK_H
#define WHET_RUN_CORRESPONDENCE_WALK_H

#include "base/budget.h"
#include "model/model.h"

typedef struct walk walk;

/* Called with each state, in the order of the model's variables. */
typedef void walk_visit(void *context, const number *state);

/* `m` and `b` outlive the result. */
GIVE walk *walk_new(const model *m, budget *b, walk_visit *visit, void *context);
void walk_free(TAKE walk *w);
/* From one initial state to others, by changing values as long as the initial condition holds. */
void walk_among_first(walk *w, const number *state);
/* From a state along steps with random inputs; it may end soon. */
void walk_along_steps(walk *w, const number *state);

#endif
