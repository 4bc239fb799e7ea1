/* What a search found, as evidence. */
#ifndef WHET_ENGINE_EXPLICIT_RESULT_H
#define WHET_ENGINE_EXPLICIT_RESULT_H

#include "engine/explicit/search.h"

/* States, packed, one after the other. */
typedef VECTOR(uint64_t) packed_path;
/* Those of the store with the numbers of `path`. */
void result_read_path(const search *s, const state_path *path, packed_path *out);
/* The run along these states, which follow each other, and the fault at its end if the property is about those. */
void result_trace(search *s, const packed_path *path, evidence *out);
/* All states found. False if the budget was spent before. */
bool result_states(search *s, evidence *out);

/* The same if states come from elsewhere: `next` gives them packed, in the order of their values, NULL at the end. */
bool result_states_from(search *s, const uint64_t *(*next)(void *context), void *context, evidence *out);

#endif
