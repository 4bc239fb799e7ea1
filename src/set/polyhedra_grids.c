/* Grids through PPL's C interface. */
#include <ppl_c.h>

#include "set/grids.h"
#include "set/polyhedra_inside.h"

struct grid {
  polyhedra *space;
  size_t dimension;
  ppl_Grid_t handle; /* NULL if making it failed */
};

grid *grid_integers(polyhedra *s, size_t dimension) {
  grid *g = MEMORY_NEW(grid);
  *g = (grid){.space = s};
  if (!polyhedra_may_go_on(s) || !polyhedra_check(s, ppl_new_Grid_from_space_dimension(&g->handle, 0, 0)))
    g->handle = NULL;
  grid_extend(g, dimension);
  return g;
}

grid *grid_nothing(polyhedra *s, size_t dimension) {
  grid *g = MEMORY_NEW(grid);
  *g = (grid){.space = s, .dimension = dimension};
  if (!polyhedra_may_go_on(s) || !polyhedra_check(s, ppl_new_Grid_from_space_dimension(&g->handle, dimension, 1)))
    g->handle = NULL;
  return g;
}

/* There is time left, and it is usable. */
static bool grid_fine(const grid *g) { return polyhedra_may_go_on(g->space) && g->handle; }

grid *grid_copy(const grid *g) {
  grid *copy = MEMORY_NEW(grid);
  *copy = (grid){.space = g->space, .dimension = g->dimension};
  if (grid_fine(g) && !polyhedra_check(g->space, ppl_new_Grid_from_Grid(&copy->handle, g->handle))) copy->handle = NULL;
  return copy;
}

void grid_free(grid *g) {
  if (!g) return;
  if (g->handle) ppl_delete_Grid(g->handle);
  memory_free(g);
}

size_t grid_dimension(const grid *g) { return g->dimension; }
bool grid_is_empty(const grid *g) { return grid_fine(g) && polyhedra_says(g->space, ppl_Grid_is_empty(g->handle)); }

bool grid_contains(const grid *g, const grid *part) {
  return grid_fine(g) && grid_fine(part) && polyhedra_says(g->space, ppl_Grid_contains_Grid(g->handle, part->handle));
}

/* value = 0 modulo `modulus`; 0 is an equality. */
static void add_congruence(grid *g, const linear_row *value, number modulus) {
  polyhedra *s = g->space;
  ppl_Congruence_t c;
  ppl_Linear_Expression_t e = polyhedra_expression(s, value);
  if (!e) return;
  if (polyhedra_check(s, ppl_new_Congruence(&c, e, polyhedra_coefficient(s, 0, modulus)))) {
    polyhedra_check(s, ppl_Grid_add_congruence(g->handle, c));
    ppl_delete_Congruence(c);
  }
  ppl_delete_Linear_Expression(e);
}

void grid_add(grid *g, const linear_row *row) {
  if (grid_fine(g) && row->equality) add_congruence(g, row, number_of(0));
}

void grid_extend(grid *g, size_t more) {
  size_t before = g->dimension;
  g->dimension += more;
  if (!more || !grid_fine(g) || !polyhedra_check(g->space, ppl_Grid_add_space_dimensions_and_embed(g->handle, more)))
    return;
  for (size_t i = before; i < g->dimension; i++) {
    linear_row is_integer = row_new(i + 1);
    is_integer.at[i + 1] = number_of(1);
    add_congruence(g, &is_integer, number_of(1));
    row_clear(&is_integer);
  }
}

void grid_project(grid *g, size_t dimension) {
  if (dimension == g->dimension) return;
  g->dimension = dimension;
  if (grid_fine(g)) polyhedra_check(g->space, ppl_Grid_remove_higher_space_dimensions(g->handle, dimension));
}

void grid_assign(grid *g, size_t x, const linear_row *value) {
  polyhedra *s = g->space;
  ppl_Linear_Expression_t e = grid_fine(g) ? polyhedra_expression(s, value) : NULL;
  if (!e) return;
  polyhedra_check(s, ppl_Grid_affine_image(g->handle, x, e, polyhedra_coefficient(s, 0, number_of(1))));
  ppl_delete_Linear_Expression(e);
}

void grid_join(grid *g, const grid *h) {
  if (grid_fine(g) && grid_fine(h)) polyhedra_check(g->space, ppl_Grid_upper_bound_assign(g->handle, h->handle));
}

bool grid_values(const grid *g, const linear_row *row, number *step, number *one) {
  polyhedra *s = g->space;
  ppl_Linear_Expression_t e = grid_fine(g) ? polyhedra_expression(s, row) : NULL;
  ppl_Coefficient_t step_over, one_over, is = polyhedra_coefficient(s, 0, number_of(0)),
                                         of = polyhedra_coefficient(s, 1, number_of(0));
  if (!e) return false;
  bool known = false;
  if (polyhedra_check(s, ppl_new_Coefficient(&step_over)) && polyhedra_check(s, ppl_new_Coefficient(&one_over))) {
    known = polyhedra_says(s, ppl_Grid_frequency(g->handle, e, is, step_over, of, one_over));
    *step = polyhedra_number(s, is);
    *one = polyhedra_number(s, of);
    /* Over integer points both are integers. */
    known &= number_is(polyhedra_number(s, step_over), 1) && number_is(polyhedra_number(s, one_over), 1);
    ppl_delete_Coefficient(step_over);
    ppl_delete_Coefficient(one_over);
  }
  ppl_delete_Linear_Expression(e);
  return known && !polyhedra_failure(s);
}

static congruence read_congruence(polyhedra *s, ppl_const_Congruence_t c, size_t dimension) {
  linear_row r = row_new(dimension);
  ppl_dimension_type mentioned = 0;
  ppl_Coefficient_t n = polyhedra_coefficient(s, 0, number_of(0));
  if (polyhedra_check(s, ppl_Congruence_inhomogeneous_term(c, n))) r.at[0] = polyhedra_number(s, n);
  polyhedra_check(s, ppl_Congruence_space_dimension(c, &mentioned));
  for (size_t i = 0; i < dimension && i < mentioned && !polyhedra_failure(s); i++)
    if (polyhedra_check(s, ppl_Congruence_coefficient(c, i, n))) r.at[i + 1] = polyhedra_number(s, n);
  number modulus = number_of(0);
  if (polyhedra_check(s, ppl_Congruence_modulus(c, n))) modulus = polyhedra_number(s, n);
  r.equality = number_is(modulus, 0);
  return (congruence){r, modulus};
}

void grid_congruences(const grid *g, congruence_vector *out) {
  polyhedra *s = g->space;
  ppl_const_Congruence_System_t system;
  ppl_Congruence_System_const_iterator_t at, end;
  congruences_clear(out);
  if (!grid_fine(g) || !polyhedra_check(s, ppl_Grid_get_minimized_congruences(g->handle, &system))) return;
  if (!polyhedra_check(s, ppl_new_Congruence_System_const_iterator(&at))) return;
  if (polyhedra_check(s, ppl_new_Congruence_System_const_iterator(&end))) {
    polyhedra_check(s, ppl_Congruence_System_begin(system, at));
    polyhedra_check(s, ppl_Congruence_System_end(system, end));
    while (!polyhedra_failure(s) && !polyhedra_says(s, ppl_Congruence_System_const_iterator_equal_test(at, end)) &&
           !polyhedra_failure(s)) {
      ppl_const_Congruence_t c;
      if (!polyhedra_check(s, ppl_Congruence_System_const_iterator_dereference(at, &c))) break;
      VECTOR_PUSH(*out, read_congruence(s, c, g->dimension));
      polyhedra_check(s, ppl_Congruence_System_const_iterator_increment(at));
    }
    ppl_delete_Congruence_System_const_iterator(end);
  }
  ppl_delete_Congruence_System_const_iterator(at);
}
