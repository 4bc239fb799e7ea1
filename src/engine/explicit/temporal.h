/* Temporal properties of a system whose states have all been found. */
#ifndef WHET_ENGINE_EXPLICIT_TEMPORAL_H
#define WHET_ENGINE_EXPLICIT_TEMPORAL_H

#include "engine/explicit/search.h"

/* The verdict, with its evidence: a run with a loop, or all states with their steps. NULL, or why there is none. */
KEEP const char *temporal_claim(search *s, claim *out);

#endif
