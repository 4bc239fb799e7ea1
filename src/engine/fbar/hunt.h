/* Well-structured models by plain backward search: from the minimal bad vectors back, one after the other, shortest
 * ways first, until one is below an initial state or none is left.
 *
 * What cannot be reached is left out: vectors above the bounds that come from sums which no step makes larger
 * (set/flows.h), and from what was proved before. */
#ifndef WHET_ENGINE_FBAR_HUNT_H
#define WHET_ENGINE_FBAR_HUNT_H

#include "engine/fbar/net.h"

typedef struct hunt hunt;

typedef enum hunt_end {
  HUNT_GOES_ON,
  HUNT_UNSAFE,
  HUNT_SAFE,
  HUNT_TROUBLE, /* a vector has too many before it */
} hunt_end;

/* `n` outlives it. */
GIVE hunt *hunt_new(net *n);
void hunt_free(TAKE hunt *h);
/* Goes on for about so much work (base/work.h), or until the budget is spent. */
hunt_end hunt_go(hunt *h, uint64_t work);
size_t hunt_count(const hunt *h); /* of minimal vectors */

/* After HUNT_UNSAFE: a run with the fewest steps. */
void hunt_run(const hunt *h, evidence *out);
/* After HUNT_SAFE. */
void hunt_invariant(const hunt *h, evidence *out);

#endif
