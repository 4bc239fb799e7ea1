/* Meetings of the runs of a sample. */
#include "engine/explicit/estimate/collisions.h"

#include <math.h>

enum { FEWEST_RUNS = 8 };
/* Of meetings that are counted and not seen there may be so many: exp(-3.7) is 1/40. */
#define UNSEEN_MEETINGS 3.7
#define DEVIATIONS 2.0

/* The meetings of each run with all the others, into `met`. */
static void count_meetings(const space_sample *s, double *met) {
  size_t fresh = (size_t)(store_count(s->search->store) - s->known);
  uint32_t *all = MEMORY_ARRAY(uint32_t, fresh), *own = MEMORY_ARRAY(uint32_t, fresh);
  for (size_t i = 0; i < s->visits.count; i++) all[s->visits.at[i] - s->known]++;
  for (size_t run = 0; run < s->ends.count; run++) {
    size_t from = run ? s->ends.at[run - 1] : 0, to = s->ends.at[run];
    for (size_t i = from; i < to; i++) own[s->visits.at[i] - s->known]++;
    for (size_t i = from; i < to; i++) {
      size_t state = (size_t)(s->visits.at[i] - s->known);
      met[run] += all[state] - own[state];
    }
    for (size_t i = from; i < to; i++) own[s->visits.at[i] - s->known] = 0;
  }
  memory_free(all);
  memory_free(own);
}

/* The variance of `count` numbers. */
static double spread(size_t count, const double *at, double average) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (at[i] - average) * (at[i] - average);
  return sum / (double)(count - 1);
}

collision_bound collisions_bound(const space_sample *s) {
  collision_bound b = {0};
  size_t runs = s->ends.count;
  if (runs < FEWEST_RUNS || !s->visits.count) return b;
  double m = (double)runs, total = 0, length = (double)s->visits.count / m;
  double *met = MEMORY_ARRAY(double, runs), *lengths = MEMORY_ARRAY(double, runs);
  count_meetings(s, met);
  for (size_t i = 0; i < runs; i++) {
    total += met[i];
    met[i] /= m - 1;
    lengths[i] = (double)(s->ends.at[i] - (i ? s->ends.at[i - 1] : 0));
  }
  double average = total / (m * (m - 1));
  double most = average + DEVIATIONS * sqrt(4 * spread(runs, met, average) / m) + UNSEEN_MEETINGS * 2 / (m * (m - 1));
  double least = length - DEVIATIONS * sqrt(spread(runs, lengths, length) / m);
  b.meetings = (uint64_t)(total / 2);
  if (average > 0) b.middle = length * length / average;
  if (least > 0) b.low = least * least / most;
  memory_free(met);
  memory_free(lengths);
  return b;
}
