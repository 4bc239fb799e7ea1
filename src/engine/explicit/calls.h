/* The search of a program with recursive procedures. It looks at each frame of the call stack once, whatever frames are
 * below it: what a procedure gives back goes to all that have called it with these values. */
#ifndef WHET_ENGINE_EXPLICIT_CALLS_H
#define WHET_ENGINE_EXPLICIT_CALLS_H

#include "engine/engine.h"

typedef struct calls_search calls_search;

/* True if the model is such a program, for which there is no transition system or whose end is asked for. */
bool calls_are_in(const model *m, size_t property);
GIVE calls_search *calls_new(engine_environment *env);
void calls_free(TAKE calls_search *s);
/* Looks at some frames. False if the search is over. */
bool calls_run(calls_search *s, size_t frames);
void calls_claim(calls_search *s, claim *out);

#endif
