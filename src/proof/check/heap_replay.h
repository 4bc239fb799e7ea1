/* Replaying heap commands of a trace: an interpreter of its own, on the cells that the trace lists. */
#ifndef WHET_PROOF_CHECK_HEAP_REPLAY_H
#define WHET_PROOF_CHECK_HEAP_REPLAY_H

#include "model/trace.h"

/* Every node variable and every `next` names null or a node of the state; `values` (by variable) gets what evaluation
 * of heap tests reads. NULL, or what is wrong. */
GIVE char *heap_replay_load(const model *m, const trace_step *s, number *values);
/* Both states are loaded or were; is `after` what the command makes of `before`? NULL, or what is wrong. */
GIVE char *heap_replay_step(const model *m, const heap_command *h, unsigned value, const trace_step *before,
                            const trace_step *after);

#endif
