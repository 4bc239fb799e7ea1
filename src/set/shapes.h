/* Shapes (PPL): boxes (each variable within bounds) and octagons (also sums and differences of two). Cheaper than
 * polyhedra, and coarser: a constraint or an assignment that does not fit leaves the least shape around what it would.
 *
 * A shape belongs to a space of polyhedra and fails as those do (set/polyhedra.h). */
#ifndef WHET_SET_SHAPES_H
#define WHET_SET_SHAPES_H

#include "set/polyhedra.h"

#define SHAPE(CONSTANT, ...) SHAPE_##CONSTANT,
typedef enum weak_shape_kind {
  SHAPE_NONE, /* for tables of those who may do without */
#include "set/shapes.def"
  SHAPE_KINDS
} weak_shape_kind;
#undef SHAPE

typedef struct weak_shape weak_shape;

/* REQUIREs a kind other than SHAPE_NONE. */
GIVE weak_shape *shape_new(polyhedra *s, weak_shape_kind kind, size_t dimension, bool empty);
GIVE weak_shape *shape_copy(const weak_shape *a);
void shape_free(TAKE weak_shape *a);

bool shape_is_empty(const weak_shape *a);
bool shape_contains(const weak_shape *a, const weak_shape *part);
void shape_rows(const weak_shape *a, row_vector *out); /* `out` is emptied first */

void shape_add(weak_shape *a, const linear_row *row);
void shape_assign(weak_shape *a, size_t x, const linear_row *value);
void shape_extend(weak_shape *a, size_t more);
void shape_project(weak_shape *a, size_t dimension);
void shape_join(weak_shape *a, const weak_shape *b);
/* `later`, which contains `earlier`; those of the limits that it satisfies stay. Only without limits (NULL) does every
 * chain of these come to an end. */
void shape_widen(weak_shape *later, const weak_shape *earlier, const row_vector *limits);

/* Shapes as polyhedra (shape_around.c): the least one around `p`; and `later`, which contains `earlier`, becomes the
 * widening of the shapes around both. Every chain of these ends; those of the limits that `later` satisfies stay, if they
 * fit the shape. */
GIVE polyhedron *shape_around(const polyhedron *p, weak_shape_kind kind);
void shape_widen_polyhedron(polyhedron *later, const polyhedron *earlier, weak_shape_kind kind,
                            const row_vector *limits);

#endif
