/* Runs of a listed system on which a promise (model/temporal.h) stays open for ever: found by going through the steps once, without
 * decision diagrams. Fairness plays no part. */
#ifndef WHET_TEMPORAL_TEMPORAL_PROMISE_H
#define WHET_TEMPORAL_TEMPORAL_PROMISE_H

#include "model/temporal.h"
#include "temporal/temporal_listed.h"

/* A run with a loop: of those with the shortest way to a state of its loop, one with a shortest loop from there. `never` is a state that it
 * must not come to. A state without steps idles. Steps are listed in the order of the states that they begin at. False if there is none. */
bool listed_promise_run(const temporal_promise *p, const listed_system *s, uint32_t never, listed_truth *truth,
                        void *context, GIVE listed_path *out);

#endif
