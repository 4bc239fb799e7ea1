/* Well-structured models by plain backward search: from the minimal bad vectors back, one after the other, shortest
 * ways first, until one is below an initial state or none is left.
 *
 * What cannot be reached is left out: vectors above the bounds that come from sums which no step makes larger
 * (engine/fbar/flows.h), and from what was proved before. */
#ifndef WHET_ENGINE_FBAR_VECTOR_SEARCH_H
#define WHET_ENGINE_FBAR_VECTOR_SEARCH_H

#include "engine/fbar/net.h"

typedef struct vector_search vector_search;

typedef enum vector_search_end {
  VECTOR_SEARCH_GOES_ON,
  VECTOR_SEARCH_UNSAFE,
  VECTOR_SEARCH_SAFE,
  VECTOR_SEARCH_TROUBLE, /* a vector has too many before it */
} vector_search_end;

/* `n` outlives it. */
GIVE vector_search *vector_search_new(net *n);
void vector_search_free(TAKE vector_search *s);
/* Goes on for about so much work (base/work.h), or until the budget is spent. */
vector_search_end vector_search_go(vector_search *s, uint64_t work);
size_t vector_search_count(const vector_search *s); /* of minimal vectors */

/* After VECTOR_SEARCH_UNSAFE: a run with the fewest steps. */
void vector_search_run(const vector_search *s, evidence *out);
/* After VECTOR_SEARCH_SAFE. */
void vector_search_invariant(const vector_search *s, evidence *out);

#endif
