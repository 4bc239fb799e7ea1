/* Sets of integer points back to terms. */
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>

#include "set/presburger_inside.h"

typedef struct reading {
  presburger *p;
  const frame *frame;
  term_vector literals, pieces;
} reading;

/* A function as numerator / denominator. isl nests divisions only a few levels, which bounds the recursion. */
static bool read_function(const reading *x, isl_aff *a, term *numerator, number *denominator);

/* coefficient * floor(n / d), where d divides the coefficient written with the remainder: predicates about remainders
 * read better. */
static bool read_division(const reading *x, isl_aff *division, number coefficient, term *out) {
  terms *ts = x->p->ts;
  term n;
  number d;
  bool fine = division && read_function(x, division, &n, &d);
  isl_aff_free(division);
  if (!fine) return false;
  if (number_is(number_mod(coefficient, d), 0)) {
    term whole = term_sub(ts, n, term_mod(ts, n, term_number(ts, d)));
    *out = term_scale(ts, number_div(coefficient, d), whole);
  } else {
    *out = term_scale(ts, coefficient, term_div(ts, n, term_number(ts, d)));
  }
  return true;
}

static bool read_scaled(isl_val *v, number denominator, number *out) {
  char *digits = number_string(denominator);
  v = isl_val_mul(v, isl_val_read_from_str(isl_val_get_ctx(v), digits));
  memory_free(digits);
  return presburger_number(v, out);
}

static bool read_function(const reading *x, isl_aff *a, term *numerator, number *denominator) {
  terms *ts = x->p->ts;
  number value;
  if (!presburger_number(isl_aff_get_denominator_val(a), denominator)) return false;
  if (!read_scaled(isl_aff_get_constant_val(a), *denominator, &value)) return false;
  term sum = term_number(ts, value);
  for (size_t i = 0; i < x->frame->variables.count; i++) {
    if (!read_scaled(isl_aff_get_coefficient_val(a, isl_dim_in, (int)i), *denominator, &value)) return false;
    if (number_is(value, 0)) continue;
    term leaf = term_of_variable(ts, x->frame->variables.at[i]);
    if (term_sort(ts, leaf) == SORT_BOOL) leaf = term_ite(ts, leaf, term_int(ts, 1), term_int(ts, 0));
    sum = term_add(ts, sum, term_scale(ts, value, leaf));
  }
  isl_size divisions = isl_aff_dim(a, isl_dim_div);
  for (isl_size i = 0; i < divisions; i++) {
    term part;
    if (!read_scaled(isl_aff_get_coefficient_val(a, isl_dim_div, i), *denominator, &value)) return false;
    if (number_is(value, 0)) continue;
    if (!read_division(x, isl_aff_get_div(a, i), value, &part)) return false;
    sum = term_add(ts, sum, part);
  }
  *numerator = sum;
  return divisions >= 0;
}

static isl_stat read_constraint(isl_constraint *c, void *user) {
  reading *x = user;
  terms *ts = x->p->ts;
  term sum;
  number denominator;
  bool equality = isl_constraint_is_equality(c) == isl_bool_true, fine = true;
  if (isl_constraint_is_div_constraint(c) != isl_bool_true) {
    isl_aff *a = isl_constraint_get_aff(c);
    fine = a && read_function(x, a, &sum, &denominator);
    isl_aff_free(a);
    if (fine)
      VECTOR_PUSH(x->literals, equality ? term_eq(ts, sum, term_int(ts, 0)) : term_ge(ts, sum, term_int(ts, 0)));
  }
  isl_constraint_free(c);
  return fine ? isl_stat_ok : isl_stat_error;
}

static isl_stat read_piece(isl_basic_set *piece, void *user) {
  reading *x = user;
  VECTOR_CLEAR(x->literals);
  piece = isl_basic_set_remove_redundancies(piece);
  isl_stat fine = piece ? isl_basic_set_foreach_constraint(piece, read_constraint, x) : isl_stat_error;
  isl_basic_set_free(piece);
  if (fine == isl_stat_ok) VECTOR_PUSH(x->pieces, term_and_all(x->p->ts, x->literals.count, x->literals.at));
  return fine;
}

bool region_terms(const region *r, term_vector *out) {
  if (!r) return false;
  presburger_begin(r->p);
  reading x = {.p = r->p, .frame = r->frame};
  isl_set *set =
      isl_set_coalesce(isl_set_detect_equalities(isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set)))));
  bool fine = set && isl_set_foreach_basic_set(set, read_piece, &x) == isl_stat_ok;
  for (size_t i = 0; i < x.pieces.count && fine; i++) VECTOR_PUSH(*out, x.pieces.at[i]);
  if (!fine) presburger_fail(r->p);
  isl_set_free(set);
  VECTOR_FREE(x.literals);
  VECTOR_FREE(x.pieces);
  return fine;
}

bool region_term(const region *r, term *out) {
  term_vector pieces = {0};
  bool fine = region_terms(r, &pieces);
  if (fine) *out = term_or_all(r->p->ts, pieces.count, pieces.at);
  VECTOR_FREE(pieces);
  return fine;
}
