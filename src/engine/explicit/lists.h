/* Search of the states of a model with lists on the heap, breadth first: all those with up to a number of nodes
 * (--nodes). States that differ only in how their nodes are numbered, or in nodes that no variable leads to, are one
 * (model/heap.h). */
#ifndef WHET_ENGINE_EXPLICIT_LISTS_H
#define WHET_ENGINE_EXPLICIT_LISTS_H

#include "engine/engine.h"

typedef struct lists lists;

GIVE lists *lists_new(engine_environment *env);
void lists_free(TAKE lists *l);
/* Takes the steps from up to so many states; false at the end of the search. */
bool lists_run(lists *l, uint64_t states);
void lists_claim(lists *l, claim *out);

#endif
