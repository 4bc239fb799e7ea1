/* Shapes (PPL): boxes (each variable within bounds) and octagons (also sums and differences of two). Cheaper than
 * polyhedra, and coarser: a constraint or an assignment that does not fit leaves the least shape around what it would.
 *
 * A shape belongs to a space of polyhedra and fails as those do (set/polyhedra.h). */
#ifndef WHET_SET_SHAPES_H
#define WHET_SET_SHAPES_H

#include "set/polyhedra.h"

#define SHAPE(CONSTANT, ...) SHAPE_##CONSTANT,
typedef enum shape_kind {
  SHAPE_NONE, /* for tables of those who may do without */
#include "set/shapes.def"
  SHAPE_KINDS
} shape_kind;
#undef SHAPE

typedef struct shape shape;

/* REQUIREs a kind other than SHAPE_NONE. */
GIVE shape *shape_new(polyhedra *s, shape_kind kind, size_t dimension, bool empty);
GIVE shape *shape_copy(const shape *a);
void shape_free(TAKE shape *a);

bool shape_is_empty(const shape *a);
bool shape_contains(const shape *a, const shape *part);
void shape_rows(const shape *a, row_vector *out); /* `out` is emptied first */

void shape_add(shape *a, const linear_row *row);
void shape_assign(shape *a, size_t x, const linear_row *value);
void shape_extend(shape *a, size_t more);
void shape_project(shape *a, size_t dimension);
void shape_join(shape *a, const shape *b);
/* `later`, which contains `earlier`; those of the limits that it satisfies stay. Only without limits (NULL) does every
 * chain of these come to an end. */
void shape_widen(shape *later, const shape *earlier, const row_vector *limits);

#endif
