/* Breadth-first search: level by level, and each level in rounds. States get the same numbers, and a trace is the same,
 * with any number of threads. */
#ifndef WHET_ENGINE_EXPLICIT_BREADTH_H
#define WHET_ENGINE_EXPLICIT_BREADTH_H

#include "engine/explicit/search.h"

typedef struct breadth breadth;

GIVE breadth *breadth_new(KEEP search *s); /* after search_begin */
void breadth_free(TAKE breadth *b);
/* Takes the steps of all states of the level that was found last. False if there is no such level any more or the
 * search is over. */
bool breadth_level(breadth *b);
uint64_t breadth_depth(const breadth *b);
/* The way to a state. */
void breadth_path(const breadth *b, uint64_t state, state_path *out);

#endif
