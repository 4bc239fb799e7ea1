/* Grids (PPL): integer points that satisfy linear equalities and congruences, x = 2 y, x + y = 1 modulo 3. Their chains
 * are finite, so they need no widening.
 *
 * A grid belongs to a space of polyhedra and fails as those do (set/polyhedra.h). Dimensions are integers. */
#ifndef WHET_SET_GRIDS_H
#define WHET_SET_GRIDS_H

#include "set/polyhedra.h"

typedef struct grid grid;

/* value = 0 modulo `modulus`; modulus 0 says that it is 0. */
typedef struct congruence {
  linear_row value; /* owned */
  number modulus;
} congruence;
typedef VECTOR(congruence) congruence_vector;

GIVE grid *grid_integers(polyhedra *s, size_t dimension); /* every integer point */
GIVE grid *grid_nothing(polyhedra *s, size_t dimension);
GIVE grid *grid_copy(const grid *g);
void grid_free(TAKE grid *g);
size_t grid_dimension(const grid *g);

bool grid_is_empty(const grid *g);
bool grid_contains(const grid *g, const grid *part);
/* The values that the row's sum takes: `one` plus multiples of `step`, which is 0 if there is no other. False if
 * the grid is empty or takes any value. */
bool grid_values(const grid *g, const linear_row *row, number *step, number *one);
/* None redundant, with those that every integer point satisfies; `out` is emptied first. */
void grid_congruences(const grid *g, congruence_vector *out);
void congruences_clear(congruence_vector *all);

/* Equalities only; other rows leave it as it is. */
void grid_add(grid *g, const linear_row *row);
void grid_assign(grid *g, size_t x, const linear_row *value);
void grid_extend(grid *g, size_t more);
void grid_project(grid *g, size_t dimension);
/* The least grid that holds both. */
void grid_join(grid *g, const grid *h);

/* Moves constraints inwards until they pass through points of the grid, and makes it empty if an equality passes
 * through none: no point of the grid is lost. The grid may have fewer dimensions than `p`: the others are any integers.
 */
void polyhedron_tighten(polyhedron *p, const grid *g);

#endif
