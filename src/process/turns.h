/* Workers that take turns: in a fixed order, at most so many at once. What they are, what a turn is and what comes of
 * it is the caller's: the engines of a portfolio (run/portfolio.c), the lanes of one engine
 * (engine/widen/lane/lane_processes.c). Both take note of results in order, whichever process was quicker, so that what
 * comes out does not depend on the clock. */
#ifndef WHET_PROCESS_TURNS_H
#define WHET_PROCESS_TURNS_H

#include "process/worker.h"

typedef enum turn_wish {
  TURN_NONE,   /* it has no turn now, and wants none */
  TURN_WORKS,  /* it has its turn */
  TURN_WANTED, /* its turn may begin */
  TURN_BARS,   /* none after it begins a turn */
} turn_wish;

/* All functions get `context` and the place of one in the order. */
typedef struct turns {
  size_t count, at_once;
  turn_wish (*wish)(const void *context, size_t i);
  void (*begin)(void *context, size_t i);
  worker *(*worker_of)(const void *context, size_t i); /* NULL: there is none now */
  void (*listen)(void *context, size_t i);             /* to one that has a worker */
} turns;

/* Begins turns in order from `first` on, those before it last, while fewer than `at_once` have theirs. */
void turns_begin(const turns *t, void *context, size_t first);
/* Waits until a worker has sent something or has ended, at most `seconds`; then listens to all in order. */
void turns_wait(const turns *t, void *context, double seconds);

#endif
