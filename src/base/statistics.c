/* The table of statistics, from statistics.def. */
#include "base/statistics.h"

typedef struct statistic_row {
  const char *key, *label;
  size_t offset;
} statistic_row;

#define STATISTIC(FIELD, KEY, LABEL) {KEY, LABEL, offsetof(statistics, FIELD)},
static const statistic_row rows[] = {
#include "base/statistics.def"
};

size_t statistics_count(void) { return ARRAY_LENGTH(rows); }

const char *statistics_key(size_t i) { return rows[i].key; }

const char *statistics_label(size_t i) { return rows[i].label; }

uint64_t statistics_value(const statistics *s, size_t i) {
  return *(const uint64_t *)((const char *)s + rows[i].offset);
}
