/* Budgets: the stop flag and counted work at every call, the clock and the memory every so many. */
#include "base/budget.h"

#include <time.h>
#include <unistd.h>

#include "base/work.h"

/* in builds with faults on demand these are macros */
#undef budget_spent
#undef budget_spent_now
#undef budget_seconds_left
#undef work_add

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

static const char *look(budget *b) {
  if (b->deadline > 0 && clock_seconds() >= b->deadline) return b->reason = "time limit reached";
  if (b->memory && b->looks++ % CLOCK_READS_PER_MEMORY_READ == 0 && memory_resident() > b->memory)
    return b->reason = "memory limit reached";
  return NULL;
}

static const char *spent(budget *b, bool now) {
  work_add(1);
  if (b->reason) return b->reason;
  if (b->stop && *b->stop) return b->reason = "interrupted";
  if (!budget_work_left(b)) return b->reason = "work limit reached";
  return b->calls++ % CALLS_PER_CLOCK_READ && !now ? NULL : look(b);
}

const char *budget_spent(budget *b) { return spent(b, false); }
const char *budget_spent_now(budget *b) { return spent(b, true); }

uint64_t budget_work_left(const budget *b) {
  if (!b->work) return UINT64_MAX;
  return b->work > work_done() ? b->work - work_done() : 0;
}

double budget_seconds_left(const budget *b) {
  if (b->reason || !budget_work_left(b)) return 0;
  if (b->deadline <= 0) return 1e9;
  double left = b->deadline - clock_seconds();
  return left > 0 ? left : 0;
}

#ifdef WHET_FIRE
/* Time and memory run out at places where the budget is only read, too. */
const char *budget_fire(const budget *b) { return ((budget *)b)->reason = "a stop point fired"; }
#endif
