/* The invariant behind a property that is inductive only over several steps. */
#ifndef WHET_ENGINE_KIND_BACKWARDS_H
#define WHET_ENGINE_KIND_BACKWARDS_H

#include "engine/engine.h"

/* If the property is k-inductive and no run of fewer than k steps breaks it, then the states from which no bad state can
 * be reached in fewer than k steps are an invariant: `*out`, a formula over states. Inputs of steps are eliminated
 * case by case. False if that takes too much, or the budget is spent. */
bool backwards_invariant(engine_environment *env, term bad, size_t k, term *out);

#endif
