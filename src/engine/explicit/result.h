/* What a search found, as evidence. */
#ifndef WHET_ENGINE_EXPLICIT_RESULT_H
#define WHET_ENGINE_EXPLICIT_RESULT_H

#include "engine/explicit/search.h"

/* The run along `path`, whose states follow each other, and the fault at its end if the property is about those. */
void result_trace(search *s, const state_path *path, evidence *out);
/* All states found. False if the budget was spent before. */
bool result_states(search *s, evidence *out);

#endif
