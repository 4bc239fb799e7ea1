/* Models whose conditions know of channels of any length only whether they are empty, and the first message. */
#ifndef WHET_MODEL_QUEUE_HEADS_H
#define WHET_MODEL_QUEUE_HEADS_H

#include "model/model.h"

/* NULL if the model is such, for this property of states, and finite beside its channels:
 * - there are channels of any length, and all other variables, and all inputs, have finitely many values;
 * - each transition changes the variables of a channel as queue_sent or queue_received say, if a condition holds, or not at all;
 * - guards, faults, what other variables become, those conditions, messages and the bad states depend on the other
 *   variables, inputs, and on each channel through this alone: whether it is empty, and its first message.
 * Then what a transition does in any state is what it does in the one with the same other variables in which each channel has its
 * first message alone (queue_set_head): the same status, the same values, and the same message sent or received. Else why not. */
GIVE char *queues_beyond_heads(model *m, const property *p);

/* The words of a state, in the order of the variables: the channel has this message alone, or none if `message` is negative. */
void queue_set_head(const model *m, const queue *q, int64_t message, int64_t *state);
/* What a step from such a state to `after` has done: -1 the first message is gone, 0 nothing, 1 `*sent` was added. */
int queue_effect(const model *m, const queue *q, const int64_t *before, const int64_t *after, int64_t *sent);

#endif
