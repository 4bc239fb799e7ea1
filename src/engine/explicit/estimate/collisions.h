/* A bound on the number of states from below, by how often independent runs meet.
 *
 * Let v(s) be how often one run visits state s, on average, s among the n states that were not known. By Cauchy and Schwarz
 *     (sum of v(s))^2 <= n * sum of v(s)^2,
 * whatever the runs prefer. The first sum is the average number of visits of a run; the second one is the average number of
 * meetings of two runs that are independent, a meeting being a visit of the one and a visit of the other to the same state.
 * Both are averages over runs, or pairs of runs, that can be estimated with a margin. */
#ifndef WHET_ENGINE_EXPLICIT_ESTIMATE_COLLISIONS_H
#define WHET_ENGINE_EXPLICIT_ESTIMATE_COLLISIONS_H

#include "engine/explicit/estimate/sample.h"

/* How many states there are beyond the known ones: at least `low` (with a margin of two standard deviations on both sums), and `middle` without
 * that margin. Both are 0 if there are too few runs. */
typedef struct collision_bound {
  double low, middle;
  uint64_t meetings; /* that were seen */
} collision_bound;

collision_bound collisions_bound(const space_sample *s);

#endif
