/* Depth-first search. The way to a state is the stack, so nothing is kept for it. */
#ifndef WHET_ENGINE_EXPLICIT_DEPTH_H
#define WHET_ENGINE_EXPLICIT_DEPTH_H

#include "engine/explicit/search.h"

typedef struct depth depth;

GIVE depth *depth_new(KEEP search *s); /* after search_begin */
void depth_free(TAKE depth *d);
/* Goes on for `steps` steps down or back. False if all is done or the search is over. */
bool depth_run(depth *d, uint64_t steps);
/* Most steps that the stack held at once. */
uint64_t depth_deepest(const depth *d);
/* The path to the state at which the search ended. */
void depth_path(const depth *d, state_path *out);

#endif
