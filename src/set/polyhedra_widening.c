/* Weak hulls, the widening of 1978, limits, and tightening over a grid: what is made of polyhedra without looking
 * inside. */
#include "set/grids.h"

/* Equalities as two inequalities. */
static void split_equalities(row_vector *rows) {
  for (size_t i = 0, n = rows->count; i < n; i++) {
    if (!rows->at[i].equality) continue;
    rows->at[i].equality = false;
    linear_row other = row_copy(&rows->at[i]);
    for (size_t j = 0; j < other.count; j++) other.at[j] = number_negate(other.at[j]);
    VECTOR_PUSH(*rows, other);
  }
}

/* Adds row's direction with the lowest value it has over p and q, if both have one. */
static void add_lowest(polyhedron *out, const polyhedron *p, const polyhedron *q, const linear_row *row) {
  number n1, d1, n2, d2;
  if (!polyhedron_lowest(p, row, &n1, &d1) || !polyhedron_lowest(q, row, &n2, &d2)) return;
  if (number_compare(number_mul(n2, d1), number_mul(n1, d2)) < 0) n1 = n2, d1 = d2;
  linear_row limit = row_copy(row);
  limit.strict = false;
  for (size_t i = 1; i < limit.count; i++) limit.at[i] = number_mul(limit.at[i], d1);
  limit.at[0] = number_negate(n1);
  polyhedron_add(out, &limit);
  row_clear(&limit);
}

bool polyhedron_has_point(const polyhedron *p) {
  if (polyhedra_keeps_strict(polyhedron_space(p))) return !polyhedron_is_empty(p);
  linear_row nothing = row_new(polyhedron_dimension(p));
  number numerator, denominator;
  bool has = polyhedron_lowest(p, &nothing, &numerator, &denominator);
  row_clear(&nothing);
  return has || polyhedra_failure(polyhedron_space(p));
}

bool polyhedron_always(const polyhedron *p, const linear_row *row) {
  number n, d;
  if (polyhedra_keeps_strict(polyhedron_space(p))) return !polyhedron_is_empty(p) && polyhedron_implies(p, row);
  linear_row other = row_copy(row);
  bool holds = polyhedron_lowest(p, row, &n, &d) && number_sign(number_add(n, number_mul(row->at[0], d))) >= 0;
  for (size_t i = 0; i < other.count; i++) other.at[i] = number_negate(other.at[i]);
  if (holds && row->equality)
    holds = polyhedron_lowest(p, &other, &n, &d) && number_sign(number_add(n, number_mul(other.at[0], d))) >= 0;
  row_clear(&other);
  return holds;
}

void polyhedron_weak_hull(polyhedron *p, const polyhedron *q) {
  if (polyhedron_is_empty(q)) return;
  row_vector mine = {0}, theirs = {0};
  polyhedron *out =
      polyhedron_is_empty(p) ? polyhedron_copy(q) : polyhedron_universe(polyhedron_space(p), polyhedron_dimension(p));
  if (!polyhedron_is_empty(p)) {
    polyhedron_rows(p, &mine);
    polyhedron_rows(q, &theirs);
    split_equalities(&mine);
    split_equalities(&theirs);
    for (size_t i = 0; i < mine.count; i++) add_lowest(out, p, q, &mine.at[i]);
    for (size_t i = 0; i < theirs.count; i++) add_lowest(out, p, q, &theirs.at[i]);
  }
  polyhedron_replace(p, out);
  rows_clear(&mine);
  rows_clear(&theirs);
}

/* ---- widening ---- */

/* The formula of Cousot and Halbwachs, 1978, on the minimized constraints. */
static void widen_ch78(polyhedron *later, const polyhedron *earlier) {
  row_vector rows = {0};
  polyhedron_rows(earlier, &rows);
  split_equalities(&rows);
  polyhedron *out = polyhedron_universe(polyhedron_space(later), polyhedron_dimension(later));
  for (size_t i = 0; i < rows.count; i++)
    if (polyhedron_implies(later, &rows.at[i])) polyhedron_add(out, &rows.at[i]);
  polyhedron_replace(later, out);
  rows_clear(&rows);
}

void polyhedron_widen(polyhedron *later, const polyhedron *earlier, widening how, const row_vector *limits) {
  polyhedron *before = polyhedron_copy(later);
  if (how == WIDENING_CH78)
    widen_ch78(later, earlier);
  else
    polyhedron_widen_by_ppl(later, earlier, how);
  for (size_t i = 0; limits && i < limits->count; i++)
    if (polyhedron_implies(before, &limits->at[i])) polyhedron_add(later, &limits->at[i]);
  polyhedron_free(before);
}

/* ---- grids ---- */

void congruences_clear(congruence_vector *all) {
  for (size_t i = 0; i < all->count; i++) row_clear(&all->at[i].value);
  VECTOR_FREE(*all);
}

/* True if the row must move: to its first value that is not negative. *empty is set if it is an equality that no
 * point satisfies. */
static bool tighten_row(const grid *g, linear_row *row, bool *empty) {
  number step, one;
  if (!grid_values(g, row, &step, &one)) return false;
  if (number_is(step, 0)) {
    *empty |= row->equality ? !number_is(one, 0) : number_sign(one) < 0;
    return false;
  }
  number excess = number_mod(one, number_abs(step));
  if (number_is(excess, 0)) return false;
  *empty |= row->equality;
  row->at[0] = number_sub(row->at[0], excess);
  return !row->equality;
}

static void make_empty(polyhedron *p) {
  linear_row never = row_new(polyhedron_dimension(p));
  never.at[0] = number_of(-1);
  polyhedron_add(p, &never);
  row_clear(&never);
}

void polyhedron_tighten(polyhedron *p, const grid *g) {
  row_vector rows = {0};
  grid *here = grid_copy(g);
  grid_extend(here, polyhedron_dimension(p) - grid_dimension(g));
  polyhedron_rows(p, &rows);
  for (size_t i = 0; i < rows.count; i++) grid_add(here, &rows.at[i]);
  bool empty = grid_is_empty(here);
  for (size_t i = 0; i < rows.count && !empty; i++)
    if (tighten_row(here, &rows.at[i], &empty)) polyhedron_add(p, &rows.at[i]);
  if (empty) make_empty(p);
  rows_clear(&rows);
  grid_free(here);
}
