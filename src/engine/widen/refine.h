/* From an error of an abstract run back to the step that introduced it, or to the beginning: Refine of Gulavani,
 * Rajamani 2006, Fig. 2. */
#ifndef WHET_ENGINE_WIDEN_REFINE_H
#define WHET_ENGINE_WIDEN_REFINE_H

#include "engine/widen/fixpoint.h"

/* States from which the error is reached: at a step of a component, by head. */
typedef struct error_level {
  size_t component, step;
  element **states; /* by the component's heads; owned */
  uint32_t path;    /* the only one to the level before this in the list; ANY_PATH */
} error_level;

#define ANY_PATH UINT32_MAX

typedef enum refinement_kind {
  REFINE_HINT,  /* this step lost what mattered */
  REFINE_REAL,  /* no step did: as far as the domain can show, the error is real */
  REFINE_STUCK, /* neither: images are not exact */
} refinement_kind;

typedef struct refinement {
  refinement_kind kind;
  size_t component, step;
  VECTOR(uint32_t) heads;     /* at which union avoids this error */
  bool connect_helps;         /* and [+] does */
  VECTOR(error_level) levels; /* the error first, the beginning last */
} refinement;

/* `r` has an error and `how` is its schedule. */
refinement refine(const run *r, schedule how);
/* The same for domains without pre-images: a step is to blame if what it was made of, followed exactly, does not
 * come to the error. Levels are without states. */
refinement refine_forward(const run *r, schedule how);
void refinement_free(const domain *d, refinement *f); /* what it holds */

#endif
