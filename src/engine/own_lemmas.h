/* What an engine found out by itself, before it sends it to others. */
#ifndef WHET_ENGINE_OWN_LEMMAS_H
#define WHET_ENGINE_OWN_LEMMAS_H

#include "engine/engine.h"

/* True if the lemmas, with the facts that the engine was given, are inductive: by the checker of evidence, within a few
 * seconds. If not, a note says why. */
bool own_lemmas_are_inductive(const engine_environment *env, const term_vector *lemmas);

#endif
