/* The abstract domain of a program over numbers: powersets of polyhedra, octagons or boxes at each cut point. */
#ifndef WHET_ENGINE_WIDEN_NUMERIC_H
#define WHET_ENGINE_WIDEN_NUMERIC_H

#include "engine/widen/graph/program.h"
#include "engine/widen/powerset_elements.h"

typedef struct numeric_style {
  widening widening;
  bool weak_hull;
  bool limits;                  /* widenings keep what the property asks for, if it holds */
  bool guard_limits;            /* and what is left if a guard fails */
  size_t most_rows, most_parts; /* powerset_style; 0: no limit */
  merge_ties ties;
  weak_shape_kind shape; /* of all sets but bad states and pre-images, which stay exact */
} numeric_style;

typedef struct numeric numeric;

/* Error states of every head are computed here: ask for polyhedra_failure afterwards. */
GIVE numeric *numeric_new(const program *p, numeric_style style);
void numeric_free(TAKE numeric *n);
KEEP const domain *numeric_domain(const numeric *n);
KEEP const powerset_style *numeric_widening(const numeric *n);

#endif
