/* Simple facts of a transition system that steps keep, for measures of an engine that works alone: signs of numbers, and atoms of the initial condition
 * and of guards, at each place if there is one place (Houdini; Flanagan, Leino, FME 2001). */
#ifndef WHET_ENGINE_RANK_OWN_FACTS_H
#define WHET_ENGINE_RANK_OWN_FACTS_H

#include "engine/engine.h"

/* Appends what is inductive together with the facts of the environment; nothing if a question was not decided. */
void own_facts_find(engine_environment *env, term_vector *out);

#endif
