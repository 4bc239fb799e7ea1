/* Boxes and octagons through PPL's C interface: one table of its functions for each row of shapes.def. */
#include <ppl_c.h>

#include "set/polyhedra_inside.h"
#include "set/shapes.h"

typedef struct operations {
  int (*new)(void **a, size_t dimension, int empty);
  int (*copy)(void **a, const void *b);
  int (*delete)(const void *a);
  int (*is_empty)(const void *a);
  int (*contains)(const void *a, const void *b);
  int (*as_polyhedron)(ppl_Polyhedron_t *out, const void *a);
  int (*refine)(void *a, ppl_const_Constraint_t c);
  int (*assign)(void *a, size_t x, ppl_const_Linear_Expression_t e, ppl_const_Coefficient_t d);
  int (*extend)(void *a, size_t more);
  int (*project)(void *a, size_t dimension);
  int (*join)(void *a, const void *b);
  int (*extrapolate)(void *later, const void *earlier);
  int (*widen)(void *later, const void *earlier);
  int (*relation)(const void *a, ppl_const_Constraint_t c);
} operations;

#define SHAPE(CONSTANT, PREFIX, NAME, EXTRAPOLATION, WIDENING)                                                        \
  static int PREFIX##_new(void **a, size_t d, int empty) {                                                            \
    return ppl_new_##NAME##_from_space_dimension((ppl_##NAME##_t *)a, d, empty);                                      \
  }                                                                                                                   \
  static int PREFIX##_copy(void **a, const void *b) { return ppl_new_##NAME##_from_##NAME((ppl_##NAME##_t *)a, b); }  \
  static int PREFIX##_delete(const void *a) { return ppl_delete_##NAME(a); }                                          \
  static int PREFIX##_is_empty(const void *a) { return ppl_##NAME##_is_empty(a); }                                    \
  static int PREFIX##_contains(const void *a, const void *b) { return ppl_##NAME##_contains_##NAME(a, b); }           \
  static int PREFIX##_as_polyhedron(ppl_Polyhedron_t *out, const void *a) {                                           \
    return ppl_new_C_Polyhedron_from_##NAME(out, a);                                                                  \
  }                                                                                                                   \
  static int PREFIX##_refine(void *a, ppl_const_Constraint_t c) { return ppl_##NAME##_refine_with_constraint(a, c); } \
  static int PREFIX##_assign(void *a, size_t x, ppl_const_Linear_Expression_t e, ppl_const_Coefficient_t d) {         \
    return ppl_##NAME##_affine_image(a, x, e, d);                                                                     \
  }                                                                                                                   \
  static int PREFIX##_extend(void *a, size_t more) { return ppl_##NAME##_add_space_dimensions_and_embed(a, more); }   \
  static int PREFIX##_project(void *a, size_t d) { return ppl_##NAME##_remove_higher_space_dimensions(a, d); }        \
  static int PREFIX##_join(void *a, const void *b) { return ppl_##NAME##_upper_bound_assign(a, b); }                  \
  static int PREFIX##_extrapolate(void *a, const void *b) { return ppl_##NAME##_##EXTRAPOLATION(a, b); }              \
  static int PREFIX##_widen(void *a, const void *b) { return ppl_##NAME##_##WIDENING(a, b); }                         \
  static int PREFIX##_relation(const void *a, ppl_const_Constraint_t c) {                                             \
    return ppl_##NAME##_relation_with_Constraint(a, c);                                                               \
  }                                                                                                                   \
  static const operations PREFIX = {PREFIX##_new,      PREFIX##_copy,          PREFIX##_delete, PREFIX##_is_empty,    \
                                    PREFIX##_contains, PREFIX##_as_polyhedron, PREFIX##_refine, PREFIX##_assign,      \
                                    PREFIX##_extend,   PREFIX##_project,       PREFIX##_join,   PREFIX##_extrapolate, \
                                    PREFIX##_widen,    PREFIX##_relation};

#include "set/shapes.def"
#undef SHAPE

#define SHAPE(CONSTANT, PREFIX, ...) [SHAPE_##CONSTANT] = &PREFIX,
static const operations *const operations_of[SHAPE_KINDS] = {
#include "set/shapes.def"
};
#undef SHAPE

struct weak_shape {
  polyhedra *space;
  const operations *calls;
  size_t dimension;
  void *handle; /* NULL if making it failed */
};

static weak_shape *wrap(polyhedra *s, const operations *of, size_t dimension) {
  weak_shape *a = MEMORY_NEW(weak_shape);
  *a = (weak_shape){.space = s, .calls = of, .dimension = dimension};
  return a;
}

static bool fine(const weak_shape *a, const weak_shape *b) {
  return polyhedra_may_go_on(a->space) && a->handle && b->handle;
}

weak_shape *shape_new(polyhedra *s, weak_shape_kind kind, size_t dimension, bool empty) {
  REQUIRE(kind > SHAPE_NONE && kind < SHAPE_KINDS, "a shape");
  weak_shape *a = wrap(s, operations_of[kind], dimension);
  if (!polyhedra_may_go_on(s) || !polyhedra_check(s, a->calls->new (&a->handle, dimension, empty))) a->handle = NULL;
  return a;
}

weak_shape *shape_copy(const weak_shape *a) {
  weak_shape *copy = wrap(a->space, a->calls, a->dimension);
  if (fine(a, a) && !polyhedra_check(a->space, a->calls->copy(&copy->handle, a->handle))) copy->handle = NULL;
  return copy;
}

void shape_free(weak_shape *a) {
  if (!a) return;
  if (a->handle) a->calls->delete (a->handle);
  memory_free(a);
}

bool shape_is_empty(const weak_shape *a) {
  return fine(a, a) && polyhedra_says(a->space, a->calls->is_empty(a->handle));
}

bool shape_contains(const weak_shape *a, const weak_shape *part) {
  return fine(a, part) && polyhedra_says(a->space, a->calls->contains(a->handle, part->handle));
}

void shape_rows(const weak_shape *a, row_vector *out) {
  /* Not straight from the shape: PPL's C interface gives a system there that is already gone. */
  ppl_Polyhedron_t same;
  ppl_const_Constraint_System_t system;
  rows_clear(out);
  if (!fine(a, a) || !polyhedra_check(a->space, a->calls->as_polyhedron(&same, a->handle))) return;
  if (polyhedra_check(a->space, ppl_Polyhedron_get_constraints(same, &system)))
    polyhedra_read_system(a->space, system, a->dimension, out);
  ppl_delete_Polyhedron(same);
}

void shape_add(weak_shape *a, const linear_row *row) {
  ppl_Constraint_t c = fine(a, a) ? polyhedra_constraint(a->space, row) : NULL;
  if (!c) return;
  polyhedra_check(a->space, a->calls->refine(a->handle, c));
  ppl_delete_Constraint(c);
}

void shape_assign(weak_shape *a, size_t x, const linear_row *value) {
  ppl_Linear_Expression_t e = fine(a, a) ? polyhedra_expression(a->space, value) : NULL;
  if (!e) return;
  polyhedra_check(a->space, a->calls->assign(a->handle, x, e, polyhedra_coefficient(a->space, 0, number_of(1))));
  ppl_delete_Linear_Expression(e);
}

void shape_extend(weak_shape *a, size_t more) {
  a->dimension += more;
  if (more && fine(a, a)) polyhedra_check(a->space, a->calls->extend(a->handle, more));
}

void shape_project(weak_shape *a, size_t dimension) {
  if (dimension == a->dimension) return;
  a->dimension = dimension;
  if (fine(a, a)) polyhedra_check(a->space, a->calls->project(a->handle, dimension));
}

void shape_join(weak_shape *a, const weak_shape *b) {
  if (fine(a, b)) polyhedra_check(a->space, a->calls->join(a->handle, b->handle));
}

static bool implies(const weak_shape *a, const linear_row *row) {
  ppl_Constraint_t c = fine(a, a) ? polyhedra_constraint(a->space, row) : NULL;
  if (!c) return false;
  int relation = a->calls->relation(a->handle, c);
  ppl_delete_Constraint(c);
  return polyhedra_check(a->space, relation) && relation & PPL_POLY_CON_RELATION_IS_INCLUDED;
}

void shape_widen(weak_shape *later, const weak_shape *earlier, const row_vector *limits) {
  weak_shape *before = shape_copy(later);
  int (*step)(void *, const void *) = limits ? later->calls->extrapolate : later->calls->widen;
  if (fine(later, earlier)) polyhedra_check(later->space, step(later->handle, earlier->handle));
  for (size_t i = 0; limits && i < limits->count; i++)
    if (implies(before, &limits->at[i])) shape_add(later, &limits->at[i]);
  shape_free(before);
}
