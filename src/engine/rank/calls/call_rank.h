/* Whether a program with recursive procedures ends: measures by place and by the values of calls (call_measure.h). */
#ifndef WHET_ENGINE_RANK_CALLS_CALL_RANK_H
#define WHET_ENGINE_RANK_CALLS_CALL_RANK_H

#include "engine/engine.h"

typedef struct call_rank call_rank;

GIVE call_rank *call_rank_new(engine_environment *env);
void call_rank_free(TAKE call_rank *r);
engine_status call_rank_step(call_rank *r, claim *out);

#endif
