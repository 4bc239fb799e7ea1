/* How many states a search would find: the engine's part of `whet estimate` (store/space_estimate.h). */
#ifndef WHET_ENGINE_EXPLICIT_ESTIMATE_ESTIMATE_H
#define WHET_ENGINE_EXPLICIT_ESTIMATE_ESTIMATE_H

#include "engine/engine.h"
#include "store/space_estimate.h"

/* `estimate` of the engine. */
void explicit_estimate(engine_environment *env, uint64_t sample, uint64_t seed, space_estimate_listener *listen,
                       void *context, space_estimate *out);

#endif
