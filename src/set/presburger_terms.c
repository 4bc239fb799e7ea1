/* Terms to sets of integer points, from below: integer terms as quasi-affine functions, then boolean terms, each only
 * in the polarities that are asked for, since complements of unions are what isl is slow at. */
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "base/map.h"
#include "set/presburger_inside.h"
#include "term/bounds.h"
#include "term/fold.h"

static bool divides_by_constant(const terms *ts, term t, number *by) {
  return term_is_number(ts, term_argument(ts, t, 1), by) && number_sign(*by) != 0;
}

static bool is_beyond(const terms *ts, term t, const void *unused) {
  (void)unused;
  number by;
  switch (term_kind_of(ts, t)) {
    case TERM_PRODUCT:
    case TERM_HEAP_NULL:
    case TERM_HEAP_SAME:
    case TERM_HEAP_DATA:
    case TERM_NODE_VARIABLE: return true;
    case TERM_DIV:
    case TERM_MOD: return !divides_by_constant(ts, t, &by);
    default: return term_has_real(ts, t);
  }
}

bool presburger_can(const terms *ts, term t) { return !term_any(ts, 1, &t, is_beyond, NULL); }

typedef enum need { NEED_TRUE = 1, NEED_FALSE = 2 } need;

/* One term on its way: a function, or the sets where it holds and where it does not. */
typedef struct piece {
  uint8_t needs;
  isl_aff *function;
  isl_set *yes, *no;
} piece;

typedef struct translation {
  presburger *p;
  const frame *frame;
  isl_space *space;
  map *place; /* index of a term -> in `pieces` */
  VECTOR(piece) pieces;
} translation;

static piece *piece_of(translation *x, term t) {
  uint64_t at = 0;
  bool found = map_get(x->place, term_index(t), &at);
  REQUIRE(found, "a term of the cone");
  return &x->pieces.at[at];
}

static isl_set *set_of(translation *x, term t) {
  piece *p = piece_of(x, t);
  return isl_set_copy(term_is_negated(t) ? p->no : p->yes);
}

static isl_aff *zero(translation *x) {
  return isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(x->space)));
}

static isl_aff *dimension_of(translation *x, variable v) {
  uint64_t at = 0;
  bool known = map_get(x->frame->dimension, v.x, &at);
  REQUIRE(known, "every variable is in the frame");
  return isl_aff_set_coefficient_si(zero(x), isl_dim_in, (int)at, 1);
}

/* floor(a / |by|), the sign of `by` put back: Euclidean division. */
static isl_aff *quotient(translation *x, isl_aff *a, number by) {
  isl_aff *q = isl_aff_floor(isl_aff_scale_down_val(a, presburger_value(x->p->context, number_abs(by))));
  return number_sign(by) < 0 ? isl_aff_neg(q) : q;
}

static isl_aff *function_of(translation *x, term t) {
  const terms *ts = x->p->ts;
  isl_ctx *c = x->p->context;
  number by;
  isl_aff *a;
  linear l;
  switch (term_kind_of(ts, t)) {
    case TERM_INT_VARIABLE: return dimension_of(x, term_variable(ts, t));
    case TERM_SUM:
      l = term_linear(ts, t);
      a = isl_aff_set_constant_val(zero(x), presburger_value(c, l.constant));
      for (size_t i = 0; i < l.count; i++)
        a = isl_aff_add(a, isl_aff_scale_val(isl_aff_copy(piece_of(x, l.leaves[i])->function),
                                             presburger_value(c, l.coefficients[i])));
      return a;
    case TERM_DIV:
    case TERM_MOD:
      if (!divides_by_constant(ts, t, &by)) return NULL;
      a = isl_aff_copy(piece_of(x, term_argument(ts, t, 0))->function);
      if (term_kind_of(ts, t) == TERM_DIV) return quotient(x, a, by);
      by = number_abs(by);
      return isl_aff_sub(isl_aff_copy(a), isl_aff_scale_val(quotient(x, a, by), presburger_value(c, by)));
    default: return NULL;
  }
}

static isl_set *at_least(isl_aff *a, long bound) {
  return isl_set_from_basic_set(
      isl_basic_set_from_constraint(isl_inequality_from_aff(isl_aff_add_constant_si(a, (int)-bound))));
}

/* function <= bound, function = bound */
static isl_set *at_most(isl_aff *a, long bound) { return at_least(isl_aff_neg(a), -bound); }
static isl_set *equal_to(isl_aff *a, long value) {
  return isl_set_from_basic_set(
      isl_basic_set_from_constraint(isl_equality_from_aff(isl_aff_add_constant_si(a, (int)-value))));
}

/* a != 0 is two pieces, unless the types leave only one side of 0: many of them would make 2^n pieces, most of them of
 * no use. */
static isl_set *not_zero(translation *x, term sum, isl_aff *a) {
  interval i = term_interval(x->p->ts, sum);
  bool above = !i.has_high || number_sign(i.high) > 0, below = !i.has_low || number_sign(i.low) < 0;
  if (!below) return at_least(isl_aff_copy(a), 1);
  if (!above) return at_most(isl_aff_copy(a), -1);
  return isl_set_union(at_least(isl_aff_copy(a), 1), at_most(isl_aff_copy(a), -1));
}

static void translate_atom(translation *x, term t, piece *p) {
  bool equality = term_kind_of(x->p->ts, t) == TERM_EQ;
  term sum = term_argument(x->p->ts, t, 0);
  isl_aff *a = piece_of(x, sum)->function;
  if (p->needs & NEED_TRUE) p->yes = equality ? equal_to(isl_aff_copy(a), 0) : at_most(isl_aff_copy(a), 0);
  if (p->needs & NEED_FALSE) p->no = equality ? not_zero(x, sum, a) : at_least(isl_aff_copy(a), 1);
}

static isl_set *both_or_neither(translation *x, term a, term b) {
  return isl_set_union(isl_set_intersect(set_of(x, a), set_of(x, b)),
                       isl_set_intersect(set_of(x, term_not(a)), set_of(x, term_not(b))));
}

static isl_set *chosen(translation *x, term c, term a, term b) {
  return isl_set_union(isl_set_intersect(set_of(x, c), set_of(x, a)),
                       isl_set_intersect(set_of(x, term_not(c)), set_of(x, b)));
}

static void translate_and(translation *x, term t, piece *p) {
  for (size_t i = 0; i < term_arguments(x->p->ts, t); i++) {
    term a = term_argument(x->p->ts, t, i);
    if (p->needs & NEED_TRUE) p->yes = i ? isl_set_intersect(p->yes, set_of(x, a)) : set_of(x, a);
    if (p->needs & NEED_FALSE) p->no = i ? isl_set_union(p->no, set_of(x, term_not(a))) : set_of(x, term_not(a));
  }
}

static void translate_boolean(translation *x, term t, piece *p) {
  const terms *ts = x->p->ts;
  term a, b, c;
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE:
      p->yes = isl_set_universe(isl_space_copy(x->space));
      p->no = isl_set_empty(isl_space_copy(x->space));
      break;
    case TERM_BOOL_VARIABLE:
      p->yes = equal_to(dimension_of(x, term_variable(ts, t)), 1);
      p->no = equal_to(dimension_of(x, term_variable(ts, t)), 0);
      break;
    case TERM_LE:
    case TERM_EQ: translate_atom(x, t, p); break;
    case TERM_AND: translate_and(x, t, p); break;
    case TERM_IFF:
      a = term_argument(ts, t, 0), b = term_argument(ts, t, 1);
      if (p->needs & NEED_TRUE) p->yes = both_or_neither(x, a, b);
      if (p->needs & NEED_FALSE) p->no = both_or_neither(x, a, term_not(b));
      break;
    case TERM_BOOL_ITE:
      c = term_argument(ts, t, 0), a = term_argument(ts, t, 1), b = term_argument(ts, t, 2);
      if (p->needs & NEED_TRUE) p->yes = chosen(x, c, a, b);
      if (p->needs & NEED_FALSE) p->no = chosen(x, c, term_not(a), term_not(b));
      break;
    default: break;
  }
}

/* Which polarities of the arguments the needs of `t` ask for; from the roots down. */
static void pass_needs_down(translation *x, term t, const piece *p) {
  const terms *ts = x->p->ts;
  term_kind kind = term_kind_of(ts, t);
  for (size_t i = 0; i < term_arguments(ts, t); i++) {
    term a = term_argument(ts, t, i);
    uint8_t needs = p->needs;
    if (kind == TERM_IFF || (kind == TERM_BOOL_ITE && i == 0)) needs = NEED_TRUE | NEED_FALSE;
    if (term_is_negated(a))
      needs = (uint8_t)((needs & NEED_TRUE ? NEED_FALSE : 0) | (needs & NEED_FALSE ? NEED_TRUE : 0));
    piece_of(x, a)->needs |= needs;
  }
}

isl_set *presburger_translate(presburger *p, const frame *f, isl_space *space, term t) {
  const terms *ts = p->ts;
  translation x = {.p = p, .frame = f, .space = space, .place = map_new()};
  index_vector cone = {0};
  terms_cone(ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    map_set(x.place, cone.at[i], i);
    VECTOR_PUSH(x.pieces, (piece){0});
  }
  piece_of(&x, t)->needs = term_is_negated(t) ? NEED_FALSE : NEED_TRUE;
  for (size_t i = cone.count; i-- > 0;) pass_needs_down(&x, (term){2 * cone.at[i]}, &x.pieces.at[i]);
  for (size_t i = 0; i < cone.count; i++) {
    term below = {2 * cone.at[i]};
    if (term_sort(ts, below) == SORT_INT)
      x.pieces.at[i].function = function_of(&x, below);
    else
      translate_boolean(&x, below, &x.pieces.at[i]);
  }
  isl_set *result = set_of(&x, t);
  for (size_t i = 0; i < x.pieces.count; i++) {
    isl_aff_free(x.pieces.at[i].function);
    isl_set_free(x.pieces.at[i].yes);
    isl_set_free(x.pieces.at[i].no);
  }
  VECTOR_FREE(x.pieces);
  VECTOR_FREE(cone);
  map_free(x.place);
  return result;
}

/* Some if-then-else is too much work to lift, and stays in its atom. */
bool presburger_lift(presburger *p, term *t) {
  *t = term_lift_ite(p->ts, *t);
  bool fine = presburger_can(p->ts, *t) && !term_has_kind(p->ts, *t, TERM_INT_ITE);
  if (!fine) p->trouble = "a formula is not linear";
  return fine;
}

region *region_of_term(presburger *p, const frame *f, term t) {
  if (!presburger_lift(p, &t)) return NULL;
  presburger_begin(p);
  return region_give(p, f, presburger_translate(p, f, f->space, t));
}
