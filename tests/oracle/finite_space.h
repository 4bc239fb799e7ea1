/* States 0, 1, .. n-1 and steps between them, all enumerated: sets are bit sets. */
#ifndef WHET_ORACLE_FINITE_SPACE_H
#define WHET_ORACLE_FINITE_SPACE_H

#include "base/bits.h"
#include "engine/fbar/space.h"

typedef struct finite_space finite_space;

GIVE finite_space *finite_space_new(size_t states);
void finite_space_free(TAKE finite_space *f);
/* Steps are added before the space is used. */
void finite_space_add_step(finite_space *f, uint32_t from, uint32_t to);
size_t finite_space_states(const finite_space *f);
/* The states one step before, or after, those of `of`; added to `out`. */
void finite_space_image(const finite_space *f, way w, const bits *of, bits *out);
/* The interface over it; `f` outlives what is made with it. */
space finite_space_interface(finite_space *f);

GIVE points *finite_points(const bits *of); /* a copy */
KEEP const bits *finite_points_bits(const points *of);

#endif
