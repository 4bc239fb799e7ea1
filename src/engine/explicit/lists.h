/* What the search of a model with lists on the heap amounts to: a run, or all its states as evidence. */
#ifndef WHET_ENGINE_EXPLICIT_LISTS_H
#define WHET_ENGINE_EXPLICIT_LISTS_H

#include "engine/lists/list_search.h"

void lists_claim(list_search *l, const model *m, claim *out);

#endif
