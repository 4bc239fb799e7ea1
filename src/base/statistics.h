/* What a run counts. Plain counters without pointers: the struct of a worker lives in memory shared with its parent,
 * which so has the latest numbers even of a worker that was killed. */
#ifndef WHET_BASE_STATISTICS_H
#define WHET_BASE_STATISTICS_H

#include "base/base.h"

#define STATISTIC(FIELD, ...) uint64_t FIELD;
typedef struct statistics {
#include "base/statistics.def"
} statistics;
#undef STATISTIC

size_t statistics_count(void);
KEEP const char *statistics_key(size_t i);   /* in JSON */
KEEP const char *statistics_label(size_t i); /* for people */
uint64_t statistics_value(const statistics *s, size_t i);

#endif
