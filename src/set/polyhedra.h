/* Convex polyhedra over the rationals (PPL): what all numbers that satisfy some linear constraints lie in. They are
 * closed, which is enough for integers, unless the space keeps strict constraints.
 *
 * Every operation may fail: work runs out, memory does. Failure belongs to the space and stays until the next
 * `polyhedra_allow`: operations then do nothing, questions answer false, and whatever was computed since the space last
 * was fine means nothing. So whoever concludes anything asks `polyhedra_failure` first. Work is counted by PPL itself,
 * not by a clock: the same calls fail at the same place every time. */
#ifndef WHET_SET_POLYHEDRA_H
#define WHET_SET_POLYHEDRA_H

#include "base/budget.h"
#include "base/number.h"
#include "base/vector.h"

typedef struct polyhedra polyhedra; /* a space, to which all its polyhedra belong */
typedef struct polyhedron polyhedron;

/* at[0] + at[1] * x0 + at[2] * x1 + .. >= 0, or = 0, or > 0; as a value: the sum. Numbers may be fractions. */
typedef struct linear_row {
  bool equality, strict; /* not both */
  size_t count;          /* of `at`: 1 + dimensions */
  number *at;            /* owned */
} linear_row;
typedef VECTOR(linear_row) row_vector;

GIVE linear_row row_new(size_t dimension);
GIVE linear_row row_copy(const linear_row *r);
void row_clear(linear_row *r); /* what it holds */
void rows_clear(row_vector *rows);

typedef enum widening { WIDENING_H79, WIDENING_CH78, WIDENING_BHRZ03 } widening;

/* Running out of `b`, which may be NULL, is a failure too. */
GIVE polyhedra *polyhedra_new(budget *b);
void polyhedra_free(TAKE polyhedra *s); /* after all of its polyhedra */
/* Before the first polyhedron: strict rows are kept as such. Else they count as if they were not strict. */
void polyhedra_keep_strict(polyhedra *s);
bool polyhedra_keeps_strict(const polyhedra *s);
/* From now on there is this much work (about `POLYHEDRA_WORK_SECOND` a second on a common machine; 0 is no limit), and
 * no failure. */
void polyhedra_allow(polyhedra *s, uint64_t work);
#define POLYHEDRA_WORK_SECOND UINT64_C(400000000)
/* And no more than so many units of base/work.h, which also counts what PPL does not: many small operations. 0 is no limit. */
void polyhedra_allow_units(polyhedra *s, uint64_t units);
KEEP const char *polyhedra_failure(const polyhedra *s); /* NULL while all is well */

GIVE polyhedron *polyhedron_universe(polyhedra *s, size_t dimension);
GIVE polyhedron *polyhedron_copy(const polyhedron *p);
void polyhedron_free(TAKE polyhedron *p);
size_t polyhedron_dimension(const polyhedron *p);
KEEP polyhedra *polyhedron_space(const polyhedron *p);

bool polyhedron_is_empty(const polyhedron *p); /* over the rationals */
bool polyhedron_contains(const polyhedron *p, const polyhedron *part);
bool polyhedron_meets(const polyhedron *p, const polyhedron *q);
bool polyhedron_implies(const polyhedron *p, const linear_row *row);
/* The constraints, none redundant, in PPL's order, which depends on nothing but the operations done. `out` is emptied
 * first. */
void polyhedron_rows(const polyhedron *p, row_vector *out);

size_t polyhedron_size(const polyhedron *p); /* how many constraints that is */

void polyhedron_add(polyhedron *p, const linear_row *row);
void polyhedron_meet(polyhedron *p, const polyhedron *q);
void polyhedron_hull(polyhedron *p, const polyhedron *q);
/* The directions of both, each as far out as the farther goes: larger than the hull, and never with more constraints
 * than both have. */
void polyhedron_weak_hull(polyhedron *p, const polyhedron *q);
/* `p` becomes `by`. */
void polyhedron_replace(polyhedron *p, TAKE polyhedron *by);
/* Whether there is a point, by linear programming on the constraints alone: for what has many dimensions and was just
 * made. True if it cannot be decided. */
bool polyhedron_has_point(const polyhedron *p);
/* The row holds throughout, as far as its constraints show by linear programming alone; false if `p` is empty. */
bool polyhedron_always(const polyhedron *p, const linear_row *row);
/* The smallest value of the row without its constant, or what its values come as near to as one likes, as a fraction;
 * false if there is none. */
bool polyhedron_lowest(const polyhedron *p, const linear_row *row, number *numerator, number *denominator);
/* x := value, and the states from which it leads into `p`. */
void polyhedron_assign(polyhedron *p, size_t x, const linear_row *value);
void polyhedron_assign_back(polyhedron *p, size_t x, const linear_row *value);
/* More dimensions at the end, unconstrained; the last ones away by projection. */
void polyhedron_extend(polyhedron *p, size_t more);
void polyhedron_project(polyhedron *p, size_t dimension);
/* Only these dimensions, none twice, in this order; the others away by projection. */
void polyhedron_keep(polyhedron *p, size_t count, const size_t *kept);
/* `later`, which contains `earlier`, widened. `limits` may be NULL; those of its rows that `later` satisfies stay.
 * CH78 is the formula of the first paper: the constraints of `earlier` that `later` satisfies. */
void polyhedron_widen(polyhedron *later, const polyhedron *earlier, widening how, const row_vector *limits);
/* One of PPL's own: H79 or BHRZ03. */
void polyhedron_widen_by_ppl(polyhedron *later, const polyhedron *earlier, widening how);

#endif
