/* What a domain of blocks (partition.h) needs to know of the states: sets of them, and what a step leads to.
 *
 * Three back-ends: points of integers (presburger_space.h), vectors whose steps are monotone (upward_space.h), and, for
 * tests, states that are enumerated (tests/oracle/finite_space.h). A function that gives a set gives NULL if the work allowed was not
 * enough; `trouble` then says why. */
#ifndef WHET_ENGINE_FBAR_SPACE_H
#define WHET_ENGINE_FBAR_SPACE_H

#include "solver/solver.h"

typedef struct points points; /* a set of states; the back-end knows what it is */

/* Which way steps are taken: to those before, or to those after. */
typedef enum way { WAY_BEFORE, WAY_AFTER } way;
static inline way way_back(way w) { return w == WAY_BEFORE ? WAY_AFTER : WAY_BEFORE; }

typedef struct space {
  void *self;
  GIVE points *(*copy)(void *self, const points *of);
  GIVE points *(*meet)(void *self, const points *a, const points *b);
  GIVE points *(*minus)(void *self, const points *a, const points *b);
  GIVE points *(*join)(void *self, const points *a, const points *b);
  /* The states with a step into `of` (WAY_BEFORE), or with a step from it (WAY_AFTER). */
  GIVE points *(*image)(void *self, way w, const points *of);
  /* The same set, made ready to be used often. */
  GIVE points *(*tidy)(void *self, TAKE points *of);
  answer (*is_empty)(void *self, const points *of);
  answer (*meets)(void *self, const points *a, const points *b); /* have they a state in common? */
  void (*free)(void *self, TAKE points *of);
  const char *(*trouble)(void *self);
} space;

#endif
