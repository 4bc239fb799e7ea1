/* Vectors of natural numbers as a space (space.h) in which larger vectors step to larger ones: sets are unions of
 * differences of sets that are closed upwards.
 *
 * That is closed under intersection and difference, and since steps are functions under preimages too. Images are exact
 * for shifts (Petri nets) only; for other steps there are none, and that is trouble. */
#ifndef WHET_ENGINE_FBAR_UPWARD_SPACE_H
#define WHET_ENGINE_FBAR_UPWARD_SPACE_H

#include "engine/fbar/space.h"
#include "engine/fbar/upward.h"

typedef struct upward_space {
  size_t width;
  VECTOR(upward_step) steps;
  const char *trouble;
} upward_space;

void upward_space_clear(upward_space *s); /* what it holds */
space upward_space_interface(upward_space *s);

/* The part of `up` that is not in `without`. */
typedef struct upward_difference {
  upward up, without;
} upward_difference;

GIVE points *upward_points(TAKE upward up, TAKE upward without);
size_t upward_points_count(const points *of);
KEEP const upward_difference *upward_points_at(const points *of, size_t i);

#endif
