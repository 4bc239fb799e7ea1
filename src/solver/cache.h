/* Answers by the question itself, a sequence of terms. Bounded: when it is full it starts again from nothing. */
#ifndef WHET_SOLVER_CACHE_H
#define WHET_SOLVER_CACHE_H

#include "solver/solver.h"

typedef struct cache cache;
/* At most so many answers, and so many terms in their keys. */
GIVE cache *cache_new(size_t answers, size_t terms);
void cache_free(TAKE cache *c);
void cache_clear(cache *c);
bool cache_find(const cache *c, size_t count, const term *key, answer *out);
void cache_add(cache *c, size_t count, const term *key, answer a);
size_t cache_count(const cache *c);

#endif
