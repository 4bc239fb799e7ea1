/* Simple facts about the predicates of a program with procedures that hold together: of those that are tried, each that some clause does
 * not keep is left out, until all are kept (Flanagan, Leino: Houdini, an Annotation Assistant for ESC/Java, FME 2001). */
#ifndef WHET_ENGINE_RANK_CALLS_CALL_FACTS_H
#define WHET_ENGINE_RANK_CALLS_CALL_FACTS_H

#include "engine/engine.h"

/* Fills the interpretation of `out`, which is empty: a conjunction for each predicate. Every clause with a head is valid with it. */
void call_facts_find(engine_environment *env, evidence *out);

#endif
