/* A small deterministic generator (splitmix64): the same seed gives the same run everywhere. */
#ifndef WHET_BASE_RANDOM_H
#define WHET_BASE_RANDOM_H

#include "base/base.h"

typedef struct random_source {
  uint64_t state;
} random_source;

static inline uint64_t random_next(random_source *r) {
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A number in 0..n-1; n > 0. */
static inline uint64_t random_below(random_source *r, uint64_t n) { return random_next(r) % n; }
/* A number in lo..hi. */
static inline int64_t random_between(random_source *r, int64_t lo, int64_t hi) {
  return lo + (int64_t)random_below(r, (uint64_t)(hi - lo) + 1);
}

#endif
