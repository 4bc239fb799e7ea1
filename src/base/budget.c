#include "base/budget.h"

#include <time.h>
#include <unistd.h>

#include "base/work.h"

enum { CALLS_PER_CLOCK_READ = 256, CLOCK_READS_PER_MEMORY_READ = 16 };

double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t memory_resident(void) {
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  unsigned long long total = 0, resident = 0;
  int got = fscanf(f, "%llu %llu", &total, &resident);
  fclose(f);
  return got == 2 ? resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

budget budget_unlimited(void) { return (budget){0}; }

const char *budget_spent(budget *b) {
  work_add(1);
  if (b->reason) return b->reason;
  if (b->stop && *b->stop) return b->reason = "interrupted";
  if (b->calls++ % CALLS_PER_CLOCK_READ) return NULL;
  if (b->deadline > 0 && clock_seconds() >= b->deadline) return b->reason = "time limit reached";
  if (b->memory && b->calls / CALLS_PER_CLOCK_READ % CLOCK_READS_PER_MEMORY_READ == 0 && memory_resident() > b->memory)
    return b->reason = "memory limit reached";
  return NULL;
}

double budget_seconds_left(const budget *b) {
  if (b->reason) return 0;
  if (b->deadline <= 0) return 1e9;
  double left = b->deadline - clock_seconds();
  return left > 0 ? left : 0;
}
