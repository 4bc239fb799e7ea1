/* Well-structured models by plain backward search: from the minimal bad vectors back, one after the other, shortest
 * ways first, until one is below an initial state or none is left.
 *
 * What cannot be reached is left out: vectors above the bounds that come from sums which no step makes larger
 * (engine/fbar/flows.h), and from what was proved before. */
#ifndef WHET_ENGINE_FBAR_VECTOR_SEARCH_H
#define WHET_ENGINE_FBAR_VECTOR_SEARCH_H

#include "engine/fbar/net.h"

typedef struct hunt hunt;

typedef enum hunt_end {
  HUNT_GOES_ON,
  HUNT_UNSAFE,
  HUNT_SAFE,
  HUNT_TROUBLE, /* a vector has too many before it */
} hunt_end;

/* `n` outlives it. */
GIVE hunt *vector_search_new(net *n);
void vector_search_free(TAKE hunt *h);
/* Goes on for about so much work (base/work.h), or until the budget is spent. */
hunt_end vector_search_go(hunt *h, uint64_t work);
size_t vector_search_count(const hunt *h); /* of minimal vectors */

/* After HUNT_UNSAFE: a run with the fewest steps. */
void vector_search_run(const hunt *h, evidence *out);
/* After HUNT_SAFE. */
void vector_search_invariant(const hunt *h, evidence *out);

#endif
