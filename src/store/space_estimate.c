/* What a search takes, from what a sample of it took. */
#include "store/space_estimate.h"

#include <math.h>

#include "base/memory.h"

void space_estimate_clear(space_estimate *e) {
  memory_free(e->why);
  *e = (space_estimate){0};
}

/* Measured with models of 10^5 to 10^8 states (docs/benchmarks.md): bytes of a state in the table and for its predecessor; how often a state
 * is on disk, levels, sorted files and copies that are being merged; and what a whole run takes, with the evidence and its check, in terms
 * of what steps of the sample took, whose states are still in the caches of the processor. */
static const double TABLE_BYTES = 11, COPIES_ON_DISK = 3, TIMES_THE_STEPS = 2.5, TIMES_THE_STEPS_ON_DISK = 3;

double space_estimate_memory(const space_estimate *e, double states) {
  return states * ((double)e->bytes + TABLE_BYTES);
}

/* Of more states in the same range, each has more bits in common with the one before it. */
double space_estimate_disk(const space_estimate *e, double states) {
  double shorter = states > (double)e->found ? log2(states / (double)e->found) / 8 : 0;
  double bytes = e->disk_bytes - shorter;
  return states * COPIES_ON_DISK * (bytes > 2 ? bytes : 2);
}

double space_estimate_seconds(const space_estimate *e, double states, bool on_disk) {
  return states * e->seconds * (on_disk ? TIMES_THE_STEPS_ON_DISK : TIMES_THE_STEPS);
}
