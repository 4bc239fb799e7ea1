/* Convex polyhedra through PPL's C interface. Every call's result is looked at by `check`,
 * which notes the first failure. */
#include <limits.h>
#include <ppl_c.h>
#include <stdlib.h>

#include "base/work.h"
#include "set/polyhedra_inside.h"

struct polyhedra {
  budget *budget;
  const char *failure;
  bool keeps_strict;
  uint64_t last_unit; /* of work; 0: no limit */
  ppl_Coefficient_t coefficient, divisor;
  mpz_t number;
};

struct polyhedron {
  polyhedra *space;
  size_t dimension;
  ppl_Polyhedron_t handle; /* NULL if making it failed */
};

linear_row row_new(size_t dimension) {
  return (linear_row){.count = dimension + 1, .at = MEMORY_ARRAY(number, dimension + 1)};
}

linear_row row_copy(const linear_row *r) {
  linear_row copy = {
      .equality = r->equality, .strict = r->strict, .count = r->count, .at = MEMORY_ARRAY(number, r->count)};
  memcpy(copy.at, r->at, r->count * sizeof(number));
  return copy;
}

void row_clear(linear_row *r) {
  memory_free(r->at);
  *r = (linear_row){0};
}

void rows_clear(row_vector *rows) {
  for (size_t i = 0; i < rows->count; i++) row_clear(&rows->at[i]);
  VECTOR_FREE(*rows);
}

/* ---- failure and work ---- */

static void note_failure(polyhedra *s, int code) {
  if (s->failure) return;
  if (code == PPL_TIMEOUT_EXCEPTION)
    s->failure = "polyhedra: too much work";
  else if (code == PPL_ERROR_OUT_OF_MEMORY)
    s->failure = "polyhedra: out of memory";
  else if (code == PPL_ERROR_LENGTH_ERROR)
    s->failure = "polyhedra: too many dimensions or constraints";
  else
    s->failure = "polyhedra: the library failed";
}

/* True if the call went well. */
static bool check(polyhedra *s, int code) {
  if (code >= 0) return true;
  note_failure(s, code);
  return false;
}

/* A question's answer: false if it could not be found. */
static bool says(polyhedra *s, int code) { return check(s, code) && code > 0; }

/* PPL is one for the whole process. */
static unsigned spaces;

polyhedra *polyhedra_new(budget *b) {
  polyhedra *s = MEMORY_NEW(polyhedra);
  s->budget = b;
  if (!spaces++) {
    REQUIRE(ppl_initialize() >= 0, "PPL does not start");
    /* It rounds floating point its own way, which only domains with floats need; Z3 shares this process. */
    REQUIRE(ppl_restore_pre_PPL_rounding() >= 0, "PPL does not start");
  }
  mpz_init(s->number);
  if (!check(s, ppl_new_Coefficient(&s->coefficient)) || !check(s, ppl_new_Coefficient(&s->divisor)))
    memory_exhausted();
  return s;
}

void polyhedra_free(polyhedra *s) {
  if (!s) return;
  ppl_reset_deterministic_timeout();
  ppl_delete_Coefficient(s->coefficient);
  ppl_delete_Coefficient(s->divisor);
  mpz_clear(s->number);
  memory_free(s);
  if (!--spaces) ppl_finalize();
}

void polyhedra_keep_strict(polyhedra *s) { s->keeps_strict = true; }
bool polyhedra_keeps_strict(const polyhedra *s) { return s->keeps_strict; }

void polyhedra_allow(polyhedra *s, uint64_t work) {
  s->failure = NULL;
  s->last_unit = 0;
  check(s, ppl_reset_deterministic_timeout());
  if (!work) return;
  unsigned scale = 0;
  for (; work > INT_MAX; work >>= 1) scale++;
  check(s, ppl_set_deterministic_timeout((unsigned long)work, scale));
}

void polyhedra_allow_units(polyhedra *s, uint64_t units) { s->last_unit = units ? work_done() + units : 0; }

const char *polyhedra_failure(const polyhedra *s) { return s->failure; }

/* ---- numbers and expressions ---- */

static void number_in(polyhedra *s, number n) {
  int64_t small;
  if (number_to_int64(n, &small)) {
    mpz_set_si(s->number, (long)small);
  } else {
    char *digits = number_string(n);
    mpz_set_str(s->number, digits, 10);
    memory_free(digits);
  }
  check(s, ppl_assign_Coefficient_from_mpz_t(s->coefficient, s->number));
}

static number number_out(polyhedra *s, ppl_Coefficient_t from) {
  if (!check(s, ppl_Coefficient_to_mpz_t(from, s->number))) return number_of(0);
  if (mpz_fits_slong_p(s->number)) return number_of(mpz_get_si(s->number));
  char *digits = memory_alloc(mpz_sizeinbase(s->number, 10) + 2);
  number n = number_of(0);
  mpz_get_str(digits, 10, s->number);
  number_parse(digits, strlen(digits), &n);
  memory_free(digits);
  return n;
}

static number common_denominator(const linear_row *r) {
  number all = number_of(1);
  for (size_t i = 0; i < r->count; i++) {
    if (number_is_integer(r->at[i])) continue;
    number one = number_denominator(r->at[i]);
    all = number_mul(all, number_div(one, number_gcd(all, one)));
  }
  return all;
}

/* NULL if it fails. The constant is left out if `homogeneous`. The numbers are those of the row times `factor`. */
static ppl_Linear_Expression_t expression(polyhedra *s, const linear_row *r, bool homogeneous, number factor) {
  ppl_Linear_Expression_t e;
  if (!check(s, ppl_new_Linear_Expression_with_dimension(&e, r->count - 1))) return NULL;
  for (size_t i = 0; i < r->count && !s->failure; i++) {
    if (number_is(r->at[i], 0) || (i == 0 && homogeneous)) continue;
    number_in(s, number_mul(r->at[i], factor));
    check(s, i ? ppl_Linear_Expression_add_to_coefficient(e, i - 1, s->coefficient)
               : ppl_Linear_Expression_add_to_inhomogeneous(e, s->coefficient));
  }
  if (!s->failure) return e;
  ppl_delete_Linear_Expression(e);
  return NULL;
}

static ppl_Constraint_t constraint(polyhedra *s, const linear_row *r) {
  ppl_Linear_Expression_t e = expression(s, r, false, common_denominator(r));
  ppl_Constraint_t c = NULL;
  if (!e) return NULL;
  enum ppl_enum_Constraint_Type type = r->equality                    ? PPL_CONSTRAINT_TYPE_EQUAL
                                       : r->strict && s->keeps_strict ? PPL_CONSTRAINT_TYPE_GREATER_THAN
                                                                      : PPL_CONSTRAINT_TYPE_GREATER_OR_EQUAL;
  if (!check(s, ppl_new_Constraint(&c, e, type))) c = NULL;
  ppl_delete_Linear_Expression(e);
  return c;
}

static linear_row row_of(polyhedra *s, ppl_const_Constraint_t c, size_t dimension) {
  linear_row r = row_new(dimension);
  r.equality = ppl_Constraint_type(c) == PPL_CONSTRAINT_TYPE_EQUAL;
  r.strict = ppl_Constraint_type(c) == PPL_CONSTRAINT_TYPE_GREATER_THAN;
  if (check(s, ppl_Constraint_inhomogeneous_term(c, s->coefficient))) r.at[0] = number_out(s, s->coefficient);
  ppl_dimension_type mentioned = 0;
  check(s, ppl_Constraint_space_dimension(c, &mentioned));
  for (size_t i = 0; i < dimension && i < mentioned && !s->failure; i++)
    if (check(s, ppl_Constraint_coefficient(c, i, s->coefficient))) r.at[i + 1] = number_out(s, s->coefficient);
  return r;
}

bool polyhedra_check(polyhedra *s, int code) { return check(s, code); }
bool polyhedra_says(polyhedra *s, int code) { return says(s, code); }

bool polyhedra_may_go_on(polyhedra *s) {
  if (!s->failure && s->budget) s->failure = budget_spent(s->budget);
  if (!s->failure && s->last_unit && work_done() > s->last_unit) note_failure(s, PPL_TIMEOUT_EXCEPTION);
  return !s->failure;
}

ppl_Coefficient_t polyhedra_coefficient(polyhedra *s, unsigned which, number value) {
  number_in(s, value);
  if (!which) return s->coefficient;
  check(s, ppl_assign_Coefficient_from_mpz_t(s->divisor, s->number));
  return s->divisor;
}

number polyhedra_number(polyhedra *s, ppl_Coefficient_t c) { return number_out(s, c); }
ppl_Linear_Expression_t polyhedra_expression(polyhedra *s, const linear_row *row) {
  return expression(s, row, false, number_of(1));
}
ppl_Constraint_t polyhedra_constraint(polyhedra *s, const linear_row *row) { return constraint(s, row); }

/* ---- making ---- */

static polyhedron *wrap(polyhedra *s, size_t dimension) {
  polyhedron *p = MEMORY_NEW(polyhedron);
  *p = (polyhedron){.space = s, .dimension = dimension};
  return p;
}

/* Both usable, and there is time left. */
static bool fine(const polyhedron *p, const polyhedron *q) {
  return polyhedra_may_go_on(p->space) && p->handle && q->handle;
}

polyhedron *polyhedron_universe(polyhedra *s, size_t dimension) {
  polyhedron *p = wrap(s, dimension);
  if (s->failure) return p;
  int code = s->keeps_strict ? ppl_new_NNC_Polyhedron_from_space_dimension(&p->handle, dimension, 0)
                             : ppl_new_C_Polyhedron_from_space_dimension(&p->handle, dimension, 0);
  if (!check(s, code)) p->handle = NULL;
  return p;
}

polyhedron *polyhedron_copy(const polyhedron *p) {
  polyhedron *q = wrap(p->space, p->dimension);
  if (!fine(p, p)) return q;
  int code = p->space->keeps_strict ? ppl_new_NNC_Polyhedron_from_NNC_Polyhedron(&q->handle, p->handle)
                                    : ppl_new_C_Polyhedron_from_C_Polyhedron(&q->handle, p->handle);
  if (!check(p->space, code)) q->handle = NULL;
  return q;
}

void polyhedron_free(polyhedron *p) {
  if (!p) return;
  if (p->handle) ppl_delete_Polyhedron(p->handle);
  memory_free(p);
}

size_t polyhedron_dimension(const polyhedron *p) { return p->dimension; }
polyhedra *polyhedron_space(const polyhedron *p) { return p->space; }

/* ---- questions ---- */

bool polyhedron_is_empty(const polyhedron *p) {
  return fine(p, p) && says(p->space, ppl_Polyhedron_is_empty(p->handle));
}

bool polyhedron_contains(const polyhedron *p, const polyhedron *part) {
  return fine(p, part) && says(p->space, ppl_Polyhedron_contains_Polyhedron(p->handle, part->handle));
}

bool polyhedron_meets(const polyhedron *p, const polyhedron *q) {
  if (!fine(p, q)) return false;
  int apart = ppl_Polyhedron_is_disjoint_from_Polyhedron(p->handle, q->handle);
  return check(p->space, apart) && !apart;
}

bool polyhedron_implies(const polyhedron *p, const linear_row *row) {
  if (!fine(p, p)) return false;
  ppl_Constraint_t c = constraint(p->space, row);
  if (!c) return false;
  int relation = ppl_Polyhedron_relation_with_Constraint(p->handle, c);
  ppl_delete_Constraint(c);
  return check(p->space, relation) && ((unsigned)relation & PPL_POLY_CON_RELATION_IS_INCLUDED);
}

void polyhedra_read_system(polyhedra *s, ppl_const_Constraint_System_t system, size_t dimension, row_vector *out) {
  ppl_Constraint_System_const_iterator_t at, end;
  if (!check(s, ppl_new_Constraint_System_const_iterator(&at))) return;
  if (check(s, ppl_new_Constraint_System_const_iterator(&end))) {
    check(s, ppl_Constraint_System_begin(system, at));
    check(s, ppl_Constraint_System_end(system, end));
    while (!s->failure && !says(s, ppl_Constraint_System_const_iterator_equal_test(at, end)) && !s->failure) {
      ppl_const_Constraint_t c;
      if (!check(s, ppl_Constraint_System_const_iterator_dereference(at, &c))) break;
      VECTOR_PUSH(*out, row_of(s, c, dimension));
      check(s, ppl_Constraint_System_const_iterator_increment(at));
    }
    ppl_delete_Constraint_System_const_iterator(end);
  }
  ppl_delete_Constraint_System_const_iterator(at);
}

void polyhedron_rows(const polyhedron *p, row_vector *out) {
  rows_clear(out);
  ppl_const_Constraint_System_t system;
  if (fine(p, p) && check(p->space, ppl_Polyhedron_get_minimized_constraints(p->handle, &system)))
    polyhedra_read_system(p->space, system, p->dimension, out);
}

size_t polyhedron_size(const polyhedron *p) {
  ppl_const_Constraint_System_t system;
  ppl_Constraint_System_const_iterator_t at, end;
  polyhedra *s = p->space;
  size_t count = 0;
  if (!fine(p, p) || !check(s, ppl_Polyhedron_get_minimized_constraints(p->handle, &system))) return 0;
  if (!check(s, ppl_new_Constraint_System_const_iterator(&at))) return 0;
  if (check(s, ppl_new_Constraint_System_const_iterator(&end))) {
    check(s, ppl_Constraint_System_begin(system, at));
    check(s, ppl_Constraint_System_end(system, end));
    for (; !says(s, ppl_Constraint_System_const_iterator_equal_test(at, end)) && !s->failure; count++)
      check(s, ppl_Constraint_System_const_iterator_increment(at));
    ppl_delete_Constraint_System_const_iterator(end);
  }
  ppl_delete_Constraint_System_const_iterator(at);
  return count;
}

/* ---- changes ---- */

void polyhedron_add(polyhedron *p, const linear_row *row) {
  if (!fine(p, p)) return;
  ppl_Constraint_t c = constraint(p->space, row);
  if (!c) return;
  check(p->space, ppl_Polyhedron_add_constraint(p->handle, c));
  ppl_delete_Constraint(c);
}

void polyhedron_meet(polyhedron *p, const polyhedron *q) {
  if (fine(p, q)) check(p->space, ppl_Polyhedron_intersection_assign(p->handle, q->handle));
}

void polyhedron_hull(polyhedron *p, const polyhedron *q) {
  if (fine(p, q)) check(p->space, ppl_Polyhedron_poly_hull_assign(p->handle, q->handle));
}

static void assign(polyhedron *p, size_t x, const linear_row *value, bool back) {
  if (!fine(p, p)) return;
  polyhedra *s = p->space;
  number denominator = common_denominator(value);
  ppl_Linear_Expression_t e = expression(s, value, false, denominator);
  if (!e) return;
  number_in(s, denominator);
  check(s, back ? ppl_Polyhedron_affine_preimage(p->handle, x, e, s->coefficient)
                : ppl_Polyhedron_affine_image(p->handle, x, e, s->coefficient));
  ppl_delete_Linear_Expression(e);
}

void polyhedron_assign(polyhedron *p, size_t x, const linear_row *value) { assign(p, x, value, false); }
void polyhedron_assign_back(polyhedron *p, size_t x, const linear_row *value) { assign(p, x, value, true); }

void polyhedron_extend(polyhedron *p, size_t more) {
  if (!more) return;
  p->dimension += more;
  if (fine(p, p)) check(p->space, ppl_Polyhedron_add_space_dimensions_and_embed(p->handle, more));
}

void polyhedron_project(polyhedron *p, size_t dimension) {
  if (dimension == p->dimension) return;
  p->dimension = dimension;
  if (fine(p, p)) check(p->space, ppl_Polyhedron_remove_higher_space_dimensions(p->handle, dimension));
}

void polyhedron_keep(polyhedron *p, size_t count, const size_t *kept) {
  size_t before = p->dimension;
  p->dimension = count;
  if (!fine(p, p)) return;
  ppl_dimension_type *to = MEMORY_ARRAY(ppl_dimension_type, before + 1), none = 0;
  check(p->space, ppl_not_a_dimension(&none));
  for (size_t i = 0; i < before; i++) to[i] = none;
  for (size_t i = 0; i < count; i++) to[kept[i]] = i;
  check(p->space, ppl_Polyhedron_map_space_dimensions(p->handle, to, before));
  memory_free(to);
}

void polyhedron_replace(polyhedron *p, polyhedron *by) {
  ppl_Polyhedron_t old = p->handle;
  p->handle = by->handle;
  by->handle = old;
  p->dimension = by->dimension;
  polyhedron_free(by);
}

/* Strict constraints are none for linear programming: PPL looks at generators. */
static bool lowest_by_generators(const polyhedron *p, ppl_Linear_Expression_t e) {
  polyhedra *s = p->space;
  int is_reached = 0;
  return says(s, ppl_Polyhedron_minimize(p->handle, e, s->coefficient, s->divisor, &is_reached));
}

/* By linear programming on the constraints alone: generators, whose number is what blows up, are not needed. */
static bool lowest_by_constraints(const polyhedron *p, ppl_Linear_Expression_t e) {
  polyhedra *s = p->space;
  ppl_const_Constraint_System_t system;
  ppl_MIP_Problem_t problem;
  bool found = false;
  if (check(s, ppl_Polyhedron_get_constraints(p->handle, &system)) &&
      check(s, ppl_new_MIP_Problem(&problem, p->dimension, system, e, PPL_OPTIMIZATION_MODE_MINIMIZATION))) {
    int status = ppl_MIP_Problem_solve(problem);
    if (check(s, status) && status == PPL_MIP_PROBLEM_STATUS_OPTIMIZED &&
        check(s, ppl_MIP_Problem_optimal_value(problem, s->coefficient, s->divisor)))
      found = true;
    ppl_delete_MIP_Problem(problem);
  }
  return found;
}

bool polyhedron_lowest(const polyhedron *p, const linear_row *row, number *numerator, number *denominator) {
  polyhedra *s = p->space;
  number factor = common_denominator(row);
  ppl_Linear_Expression_t e = expression(s, row, true, factor);
  if (!e) return false;
  bool found = p->handle && (s->keeps_strict ? lowest_by_generators(p, e) : lowest_by_constraints(p, e));
  if (found) *numerator = number_out(s, s->coefficient);
  if (found) *denominator = number_mul(number_out(s, s->divisor), factor);
  ppl_delete_Linear_Expression(e);
  return found && !s->failure;
}

void polyhedron_widen_by_ppl(polyhedron *later, const polyhedron *earlier, widening how) {
  if (!fine(later, earlier)) return;
  check(later->space, how == WIDENING_H79 ? ppl_Polyhedron_H79_widening_assign(later->handle, earlier->handle)
                                          : ppl_Polyhedron_BHRZ03_widening_assign(later->handle, earlier->handle));
}
