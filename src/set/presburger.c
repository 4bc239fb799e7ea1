/* With presburger_relation.c the only file that sees isl. isl hands NULL along chains and counts its own operations;
 * both end here as NULL with a reason.
 *
 * Terms become sets from below: integer terms as quasi-affine functions, then boolean terms, each only in the
 * polarities that are asked for, since complements of unions are what isl is slow at. */
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/work.h"
#include "set/presburger_inside.h"
#include "term/bounds.h"

enum { DEFAULT_OPERATIONS = 2000000, WORK_OF_OPERATION = 5, PAIRS_PER_UNIT = 32 /* base/work.h */ };

presburger *presburger_new(terms *ts, uint64_t operations) {
  presburger *p = MEMORY_NEW(presburger);
  p->ts = ts;
  p->context = isl_ctx_alloc();
  p->operations = operations ? operations : DEFAULT_OPERATIONS;
  isl_options_set_on_error(p->context, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(p->context, p->operations);
  return p;
}

void presburger_free(presburger *p) {
  if (!p) return;
  for (size_t i = 0; i < p->frames.count; i++) {
    VECTOR_FREE(p->frames.at[i]->variables);
    map_free(p->frames.at[i]->dimension);
    isl_space_free(p->frames.at[i]->space);
    memory_free(p->frames.at[i]);
  }
  VECTOR_FREE(p->frames);
  isl_ctx_free(p->context);
  memory_free(p);
}

void presburger_set_operations(presburger *p, uint64_t operations) {
  p->operations = operations ? operations : DEFAULT_OPERATIONS;
  isl_ctx_set_max_operations(p->context, p->operations);
}

const char *presburger_trouble(const presburger *p) { return p->trouble; }

const frame *presburger_frame(presburger *p, size_t count, const variable *variables) {
  for (size_t i = 0; i < p->frames.count; i++) {
    const frame *f = p->frames.at[i];
    if (f->variables.count == count && (!count || !memcmp(f->variables.at, variables, count * sizeof(variable))))
      return f;
  }
  frame *f = MEMORY_NEW(frame);
  f->dimension = map_new();
  for (size_t i = 0; i < count; i++) {
    VECTOR_PUSH(f->variables, variables[i]);
    map_set(f->dimension, variables[i].x, i);
  }
  f->space = isl_space_set_alloc(p->context, 0, (unsigned)count);
  VECTOR_PUSH(p->frames, f);
  return f;
}

/* ---- results ---- */

void presburger_begin(presburger *p) {
  work_add(WORK_OF_OPERATION);
  isl_ctx_reset_error(p->context);
  isl_ctx_reset_operations(p->context);
}

void *presburger_fail(presburger *p) {
  p->trouble = isl_ctx_last_error(p->context) == isl_error_quota ? "a set of integer points took too much work"
                                                                 : "the library of integer sets failed";
  presburger_begin(p);
  return NULL;
}

region *region_give(presburger *p, const frame *f, isl_set *set) {
  if (!set) return presburger_fail(p);
  uint64_t parts = (uint64_t)isl_set_n_basic_set(set);
  work_add(parts * parts / PAIRS_PER_UNIT); /* each is compared with the others */
  region *r = MEMORY_NEW(region);
  *r = (region){p, f, set};
  return r;
}

answer presburger_answer(presburger *p, int b) {
  if (b == isl_bool_error) {
    presburger_fail(p);
    return answer_unsure(p->trouble);
  }
  return b == isl_bool_true ? answer_yes() : answer_no();
}

const answer presburger_no_set = {ANSWER_UNSURE, "there is no such set of integer points"};

/* ---- numbers ---- */

isl_val *presburger_value(isl_ctx *c, number n) {
  int64_t small;
  if (number_to_int64(n, &small)) return isl_val_int_from_si(c, (long)small);
  char *digits = number_string(n);
  isl_val *v = isl_val_read_from_str(c, digits);
  memory_free(digits);
  return v;
}

bool presburger_number(isl_val *v, number *out) {
  char *digits = v ? isl_val_to_str(v) : NULL;
  bool fine = digits && number_parse(digits, strlen(digits), out);
  free(digits);
  isl_val_free(v);
  return fine;
}

/* ---- terms to sets ---- */

static bool divides_by_constant(const terms *ts, term t, number *by) {
  return term_is_number(ts, term_argument(ts, t, 1), by) && number_sign(*by) != 0;
}

bool presburger_can(const terms *ts, term t) {
  index_vector cone = {0};
  bool can = true;
  terms_cone(ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count && can; i++) {
    term below = {2 * cone.at[i]};
    number by;
    switch (term_kind_of(ts, below)) {
      case TERM_PRODUCT:
      case TERM_HEAP_NULL:
      case TERM_HEAP_SAME:
      case TERM_HEAP_DATA:
      case TERM_NODE_VARIABLE: can = false; break;
      case TERM_DIV:
      case TERM_MOD: can = divides_by_constant(ts, below, &by); break;
      default: break;
    }
  }
  VECTOR_FREE(cone);
  return can;
}

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

bool presburger_lift(presburger *p, term *t) {
  *t = term_lift_ite(p->ts, *t);
  term_vector atoms = {0};
  term_atoms(p->ts, *t, &atoms);
  bool fine = presburger_can(p->ts, *t);
  for (size_t i = 0; i < atoms.count && fine; i++) {
    index_vector cone = {0};
    terms_cone(p->ts, 1, &atoms.at[i], &cone);
    for (size_t j = 0; j < cone.count; j++) fine &= term_kind_of(p->ts, (term){2 * cone.at[j]}) != TERM_INT_ITE;
    VECTOR_FREE(cone);
  }
  VECTOR_FREE(atoms);
  if (!fine) p->trouble = "a formula is not linear";
  return fine;
}

region *region_of_term(presburger *p, const frame *f, term t) {
  if (!presburger_lift(p, &t)) return NULL;
  presburger_begin(p);
  return region_give(p, f, presburger_translate(p, f, f->space, t));
}

region *region_of_types(presburger *p, const frame *f) {
  presburger_begin(p);
  isl_set *set = isl_set_universe(isl_space_copy(f->space));
  for (size_t i = 0; i < f->variables.count; i++) {
    const type *of = variable_type(p->ts, f->variables.at[i]);
    bool truth = of->sort == SORT_BOOL;
    if (truth || of->has_low)
      set = isl_set_lower_bound_val(set, isl_dim_set, (unsigned)i,
                                    presburger_value(p->context, truth ? number_of(0) : of->low));
    if (truth || of->has_high)
      set = isl_set_upper_bound_val(set, isl_dim_set, (unsigned)i,
                                    presburger_value(p->context, truth ? number_of(1) : of->high));
  }
  return region_give(p, f, set);
}

/* ---- sets ---- */

region *region_copy(const region *r) { return r ? region_give(r->p, r->frame, isl_set_copy(r->set)) : NULL; }

void region_free(region *r) {
  if (!r) return;
  isl_set_free(r->set);
  memory_free(r);
}

typedef isl_set *set_operation(isl_set *a, isl_set *b);

static region *combine(const region *a, const region *b, set_operation *operation) {
  if (!a || !b) return NULL;
  REQUIRE(a->frame == b->frame, "sets over the same frame");
  presburger_begin(a->p);
  return region_give(a->p, a->frame, operation(isl_set_copy(a->set), isl_set_copy(b->set)));
}

region *region_meet(const region *a, const region *b) { return combine(a, b, isl_set_intersect); }
region *region_join(const region *a, const region *b) { return combine(a, b, isl_set_union); }
region *region_minus(const region *a, const region *b) { return combine(a, b, isl_set_subtract); }

region *region_simplify_under(const region *r, const region *context) {
  if (!r || !context) return NULL;
  REQUIRE(r->frame == context->frame, "sets over the same frame");
  presburger_begin(r->p);
  isl_set *set = isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set)));
  return region_give(r->p, r->frame, isl_set_coalesce(isl_set_gist(set, isl_set_copy(context->set))));
}

answer region_is_empty(const region *r) {
  if (!r) return presburger_no_set;
  presburger_begin(r->p);
  return presburger_answer(r->p, isl_set_is_empty(r->set));
}

answer region_meets(const region *a, const region *b) {
  if (!a || !b) return presburger_no_set;
  REQUIRE(a->frame == b->frame, "sets over the same frame");
  presburger_begin(a->p);
  return presburger_answer(a->p, isl_bool_not(isl_set_is_disjoint(a->set, b->set)));
}

region *region_tidy(region *r) {
  if (!r) return NULL;
  presburger_begin(r->p);
  isl_set *set = isl_set_coalesce(isl_set_detect_equalities(isl_set_coalesce(isl_set_compute_divs(r->set))));
  if (set) {
    r->set = set;
    return r;
  }
  presburger *p = r->p;
  memory_free(r);
  return presburger_fail(p);
}

answer region_is_within(const region *a, const region *b) {
  if (!a || !b) return presburger_no_set;
  presburger_begin(a->p);
  return presburger_answer(a->p, isl_set_is_subset(a->set, b->set));
}

region *region_project(const region *r, const frame *smaller) {
  if (!r) return NULL;
  presburger_begin(r->p);
  const frame *f = r->frame;
  isl_set *set = isl_set_copy(r->set);
  size_t kept = 0;
  for (size_t i = f->variables.count; i-- > 0;) {
    if (map_get(smaller->dimension, f->variables.at[i].x, NULL))
      kept++;
    else
      set = isl_set_project_out(set, isl_dim_set, (unsigned)i, 1);
  }
  REQUIRE(kept == smaller->variables.count, "a frame within the frame");
  size_t at = 0;
  for (size_t i = 0; i < f->variables.count; i++) {
    if (!map_get(smaller->dimension, f->variables.at[i].x, NULL)) continue;
    REQUIRE(variable_same(smaller->variables.at[at], f->variables.at[i]), "in the same order");
    at++;
  }
  return region_give(r->p, smaller, set);
}

bool region_has_divisions(const region *r) {
  if (!r) return false;
  presburger_begin(r->p);
  isl_set *set = isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set)));
  isl_bool has = isl_set_involves_locals(set);
  isl_set_free(set);
  return has != isl_bool_false;
}

region *region_without_divisions(const region *r) {
  if (!r) return NULL;
  presburger_begin(r->p);
  isl_set *set = isl_set_remove_divs(isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set))));
  return region_give(r->p, r->frame, isl_set_coalesce(set));
}

size_t region_pieces(const region *r) {
  isl_size n = r ? isl_set_n_basic_set(r->set) : 0;
  return n > 0 ? (size_t)n : 0;
}

/* ---- sets to terms ---- */

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
