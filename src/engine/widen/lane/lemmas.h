/* What is known without a verdict, sent as lemmas after it was checked. */
#ifndef WHET_ENGINE_WIDEN_LANE_LEMMAS_H
#define WHET_ENGINE_WIDEN_LANE_LEMMAS_H

#include "engine/widen/widen.h"

/* Keeps what a preview found until lemmas are sent next; sends it at once if `soon`. */
void lemmas_keep(widen *w, const lane *l, const preview *v, bool soon);
/* Sends that, and what the lane's first run reached: it is closed under steps, even if it met an error, so other
 * engines may build on it. */
void lemmas_send(widen *w, const lane *l);

#endif
