/* How much a run may spend, and whether it has been asked to stop.
 *
 * Long loops call `budget_spent` now and then (it is cheap: the clock is read only every so many calls) and wind down
 * when it names a reason. Calls into libraries that may take long are given `budget_seconds_left` as their own limit.
 * What does not listen at all is ended from outside: engines run in worker processes (process/worker.h). */
#ifndef WHET_BASE_BUDGET_H
#define WHET_BASE_BUDGET_H

#include <stdatomic.h>

#include "base/instruments/fire.h"

typedef struct budget {
  double deadline;    /* in seconds of clock_seconds(); 0 = none */
  uint64_t memory;    /* bytes of resident memory; 0 = no limit */
  uint64_t work;      /* the count of this process's work (base/work.h) at which it is spent; 0 = no limit */
  atomic_bool *stop;  /* set by a signal handler or another thread; may be NULL */
  unsigned calls;     /* the clock is read at the first, and then every so many */
  unsigned looks;     /* at the clock; memory is looked at every so many */
  const char *reason; /* once spent, stays spent */
} budget;

/* Seconds on a clock that never goes back. */
double clock_seconds(void);
/* Resident memory of this process in bytes; 0 if the system does not say. */
uint64_t memory_resident(void);

budget budget_unlimited(void);
/* NULL while there is something left, else "time limit reached", "memory limit reached",
 * "work limit reached" or "interrupted". */
KEEP const char *budget_spent(budget *b);
/* The same with a look at the clock: for loops whose every turn may take long. */
KEEP const char *budget_spent_now(budget *b);
/* Counted work that is left; a very large number if there is no limit. */
uint64_t budget_work_left(const budget *b);
/* Seconds to the deadline, at least 0; a very large number if there is none. 0 even if the work is done. */
double budget_seconds_left(const budget *b);

#ifdef WHET_FIRE
/* Each use of the three is a stop point (base/instruments/fire.h). `budget_fire` ends the budget, gives the reason. */
KEEP const char *budget_fire(const budget *b);
#define budget_spent(B) (STOP_POINT_FIRES("budget_spent") ? budget_fire(B) : budget_spent(B))
#define budget_spent_now(B) (STOP_POINT_FIRES("budget_spent_now") ? budget_fire(B) : budget_spent_now(B))
#define budget_seconds_left(B) \
  (STOP_POINT_FIRES("budget_seconds_left") ? (budget_fire(B), 0.0) : budget_seconds_left(B))
#endif

#endif
