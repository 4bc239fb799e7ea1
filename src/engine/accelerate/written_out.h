/* Runs over repeated transitions, written out as runs of the model. */
#ifndef WHET_ENGINE_ACCELERATE_WRITTEN_OUT_H
#define WHET_ENGINE_ACCELERATE_WRITTEN_OUT_H

#include "engine/accelerate/repeated_transitions.h"
#include "engine/engine.h"

/* Makes a run of the model of `steps`, a run over `r`. A few rounds become single steps, many a step that stands for
 * them. No: some round cannot be taken; `wrong` is the cycle that was repeated. */
answer written_out(engine_environment *env, const repeated_transitions *r, trace *steps, transition_cycle *wrong);

#endif
