/* Points of integers as a space (space.h): sets are regions over one frame, steps a relation over it. */
#ifndef WHET_ENGINE_FBAR_PRESBURGER_SPACE_H
#define WHET_ENGINE_FBAR_PRESBURGER_SPACE_H

#include "engine/fbar/space.h"
#include "set/presburger.h"

typedef struct presburger_space {
  presburger *sets;
  const relation *steps;
} presburger_space;

/* `s` outlives what is made with it. */
space presburger_space_interface(presburger_space *s);

/* A set of the space is a region, and the other way round. */
static inline points *points_of_region(region *r) { return (points *)r; }
static inline region *region_of_points(points *p) { return (region *)p; }
static inline const region *region_in_points(const points *p) { return (const region *)p; }

#endif
