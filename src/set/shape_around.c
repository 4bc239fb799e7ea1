/* Boxes and octagons among polyhedra: the least one around a polyhedron, found by linear programming in the directions
 * of the shape; its widening is that of PPL's shapes. */
#include "set/shapes.h"

/* The bound of p in this direction becomes one of `out`, if there is one. */
static void add_bound(const polyhedron *p, polyhedron *out, size_t x, int sign_x, size_t y, int sign_y) {
  linear_row row = row_new(polyhedron_dimension(p));
  row.at[x + 1] = number_of(sign_x);
  if (sign_y) row.at[y + 1] = number_of(sign_y);
  number least, unit;
  if (polyhedron_lowest(p, &row, &least, &unit)) {
    row.at[x + 1] = number_mul(row.at[x + 1], unit);
    if (sign_y) row.at[y + 1] = number_mul(row.at[y + 1], unit);
    row.at[0] = number_negate(least);
    polyhedron_add(out, &row);
  }
  row_clear(&row);
}

polyhedron *shape_around(const polyhedron *p, weak_shape_kind kind) {
  if (polyhedron_is_empty(p)) return polyhedron_copy(p);
  size_t dimension = polyhedron_dimension(p);
  polyhedron *out = polyhedron_universe(polyhedron_space(p), dimension);
  for (size_t x = 0; x < dimension; x++) {
    for (int sign = -1; sign <= 1; sign += 2) add_bound(p, out, x, sign, x, 0);
    for (size_t y = 0; y < x && kind == SHAPE_OCTAGON; y++)
      for (int signs = 0; signs < 4; signs++) add_bound(p, out, x, signs & 1 ? 1 : -1, y, signs & 2 ? 1 : -1);
  }
  return out;
}

/* The shape of a polyhedron that is one. */
static weak_shape *shape_of(const polyhedron *p, weak_shape_kind kind) {
  weak_shape *a = shape_new(polyhedron_space(p), kind, polyhedron_dimension(p), false);
  polyhedron *around = shape_around(p, kind);
  row_vector rows = {0};
  polyhedron_rows(around, &rows);
  for (size_t i = 0; i < rows.count; i++) shape_add(a, &rows.at[i]);
  rows_clear(&rows);
  polyhedron_free(around);
  return a;
}

void shape_widen_polyhedron(polyhedron *later, const polyhedron *earlier, weak_shape_kind kind,
                            const row_vector *limits) {
  weak_shape *wider = shape_of(later, kind), *before = shape_of(earlier, kind);
  polyhedron *out = polyhedron_universe(polyhedron_space(later), polyhedron_dimension(later));
  row_vector rows = {0};
  shape_widen(wider, before, NULL);
  for (size_t i = 0; limits && i < limits->count; i++)
    if (polyhedron_implies(later, &limits->at[i])) shape_add(wider, &limits->at[i]);
  shape_rows(wider, &rows);
  for (size_t i = 0; i < rows.count; i++) polyhedron_add(out, &rows.at[i]);
  polyhedron_replace(later, out);
  rows_clear(&rows);
  shape_free(wider);
  shape_free(before);
}
