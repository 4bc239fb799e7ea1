/* Looks for a run that can go on for ever with a promise open, though no state need come back: a recurrence (proof/evidence.h).
 *
 * A random run is taken from an initial state, with values of inputs near zero. What holds in its second half, of formulas that the model
 * suggests, is a set of states at each place; formulas that a step of the kinds taken there does not keep are left out, until all are kept
 * or there is a state in which none of these steps can be taken. */
#ifndef WHET_ENGINE_RANK_RECUR_H
#define WHET_ENGINE_RANK_RECUR_H

#include "engine/engine.h"

typedef struct recur recur;

GIVE recur *recur_new(engine_environment *env, const temporal_promise *promise);
void recur_free(TAKE recur *r);
/* One random run. True if the claim was made. */
bool recur_try(recur *r, claim *out);

#endif
