/* Faults on demand, for tests: compiled in with WHET_FIRE only (builds other than release).
 *
 * Every place in the source that asks for the budget or counts work is a stop point. They are numbered from 1 in the
 * order they are linked in.
 *   WHET_FIRE_STOP=n[:k]       the k-th time (the first, if not said) that a process reaches point n, the budget is
 *                              spent, or the turn over, there
 *   WHET_FIRE_POINTS=FILE      appends to FILE all points, a line each, when the program starts: `point n file:line
 *                              what`; then, when a process reaches one for the 1st, 2nd, 4th, 8th .. time, `reached n
 *                              times`; when one fires, `fired n`
 *   WHET_FAIL_ALLOCATION=n     the n-th allocation of a process (base/memory.h), and every later one, fails
 * Processes inherit the counts of their parents, as all else. */
#ifndef WHET_BASE_INSTRUMENTS_FIRE_H
#define WHET_BASE_INSTRUMENTS_FIRE_H

#include "base/base.h"

#ifdef WHET_FIRE

typedef struct stop_point {
  const char *file, *what;
  int line;
  uint64_t reached;
} stop_point;

/* True if this is the time to fire. */
bool fire_reached(stop_point *p);
bool fire_allocation(void);

/* A point of its own at each place where this is expanded; the linker gathers them. */
#define STOP_POINT_FIRES(WHAT)                                                                                  \
  ({                                                                                                            \
    static stop_point stop_point_here = {.file = __FILE__, .what = (WHAT), .line = __LINE__};                   \
    static stop_point *stop_point_listed __attribute__((section("whet_stop_points"), used)) = &stop_point_here; \
    fire_reached(&stop_point_here);                                                                             \
  })

#else
#define fire_allocation() false
#endif

#endif
