/* The work of this process, counted where it is done and never measured: the same input gives the same count on every
 * machine and under every load. A unit is about a microsecond on a common one.
 *
 * Engines that share a machine take turns by it (run/portfolio.h): at the end of a turn `pause` is called, in the
 * middle of whatever was going on, and returns when the next turn begins. Each thread counts its own work. */
#ifndef WHET_BASE_WORK_H
#define WHET_BASE_WORK_H

#include "base/instruments/fire.h"

typedef struct work_meter {
  uint64_t done, turn; /* `turn`: the count at which this turn ends */
  void (*pause)(void *context);
  void *context;
} work_meter;

extern _Thread_local work_meter work_of_process;

/* Calls `pause`, which sets a later end. */
void work_turn_over(void);

static inline void work_add(uint64_t units) {
  work_of_process.done += units;
  if (work_of_process.done >= work_of_process.turn) work_turn_over();
}

/* There are others who work while this process does not. */
static inline bool work_takes_turns(void) { return work_of_process.turn != UINT64_MAX; }
static inline uint64_t work_done(void) { return work_of_process.done; }
/* The count at which the next turn ends, and who is called then. */
void work_set_turn(uint64_t turn, void (*pause)(void *context), void *context);

#ifdef WHET_FIRE
/* Each use is a stop point (base/instruments/fire.h) at which a turn may end, if this process takes turns. */
void work_end_turn_early(void);
#define work_add(UNITS) (STOP_POINT_FIRES("work_add") ? work_end_turn_early() : (void)0, work_add(UNITS))
#endif

#endif
