/* Lanes that run once, before the others, and have no repairs: previews, and packs of variables. */
#ifndef WHET_ENGINE_WIDEN_LANE_ONE_SHOT_LANES_H
#define WHET_ENGINE_WIDEN_LANE_ONE_SHOT_LANES_H

#include "engine/widen/widen.h"

/* NULL if it proves the property: `*out` is the claim. Else why it does not. */
KEEP const char *one_shot_run(widen *w, const lane *l, claim *out);

#endif
