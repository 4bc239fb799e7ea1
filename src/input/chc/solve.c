/* Variables that clauses do not need: those that equalities define, and those that only have to exist. */
#include "base/map.h"
#include "input/chc/lower.h"

bool lower_is_free(const chc_lowering *l, variable v) { return v.x >= l->variable_count || !l->is_parameter[v.x]; }

/* ---- equalities ---- */

static bool has_ite(const terms *ts, term t) {
  if (term_sort(ts, t) == SORT_BOOL) return false;
  linear l = term_linear(ts, t);
  for (size_t i = 0; i < l.count; i++)
    if (term_kind_of(ts, l.leaves[i]) == TERM_INT_ITE) return true;
  return false;
}

static bool is_free_variable(const chc_lowering *l, term t, variable *v) {
  term_kind kind = term_kind_of(l->ts, t);
  if (kind != TERM_BOOL_VARIABLE && kind != TERM_INT_VARIABLE && kind != TERM_REAL_VARIABLE) return false;
  *v = term_variable(l->ts, t);
  return lower_is_free(l, *v);
}

static bool defines_bool(const chc_lowering *l, term conjunct, variable *v, term *by) {
  terms *ts = l->ts;
  if (is_free_variable(l, conjunct, v)) {
    *by = term_of_bool(!term_is_negated(conjunct));
    return true;
  }
  if (term_kind_of(ts, conjunct) != TERM_IFF) return false;
  for (size_t i = 0; i < 2; i++) {
    term side = term_argument(ts, conjunct, i), other = term_argument(ts, conjunct, 1 - i);
    if (!is_free_variable(l, side, v) || term_mentions(ts, other, *v)) continue;
    *by = term_is_negated(conjunct) ? term_not(other) : other;
    return true;
  }
  return false;
}

/* sum = 0 says that `v`, whose coefficient is `c`, is `*by`: an integer if that is one, a real in any case. */
static bool solves_for(terms *ts, term sum, number c, variable v, term *by) {
  bool is_real = variable_type(ts, v)->sort == SORT_REAL;
  if (number_is(c, 0) || (!is_real && !number_is(c, 1) && !number_is(c, -1))) return false;
  term rest = term_sub(ts, sum, term_scale(ts, c, term_of_variable(ts, v)));
  *by = term_scale(ts, number_quotient(number_of(-1), c), rest);
  return sort_fits(term_sort(ts, *by), variable_type(ts, v)->sort) && !term_mentions(ts, rest, v);
}

/* Of several variables the one made last is taken: values of parameters after the step come after those of the clause.
 */
static bool defines_number(const chc_lowering *l, term conjunct, bool with_ite, variable *v, term *by) {
  terms *ts = l->ts;
  if (term_kind_of(ts, conjunct) != TERM_EQ || term_is_negated(conjunct)) return false;
  term sum = term_argument(ts, conjunct, 0);
  for (size_t i = term_linear(ts, sum).count; i-- > 0;) {
    linear parts = term_linear(ts, sum);
    number c = parts.coefficients[i];
    term leaf = parts.leaves[i];
    if (is_free_variable(l, leaf, v) && solves_for(ts, sum, c, *v, by) && (with_ite || !has_ite(ts, *by))) return true;
  }
  return false;
}

bool lower_defines(const chc_lowering *l, term literal, variable v, term *value) {
  terms *ts = l->ts;
  term self = term_of_variable(ts, v);
  if (term_same(term_positive(literal), self)) {
    *value = term_of_bool(!term_is_negated(literal));
    return true;
  }
  if (term_kind_of(ts, literal) == TERM_IFF) {
    for (size_t i = 0; i < 2; i++) {
      term other = term_argument(ts, literal, 1 - i);
      if (!term_same(term_argument(ts, literal, i), self) || term_mentions(ts, other, v)) continue;
      *value = term_is_negated(literal) ? term_not(other) : other;
      return true;
    }
    return false;
  }
  if (term_kind_of(ts, literal) != TERM_EQ || term_is_negated(literal)) return false;
  term sum = term_argument(ts, literal, 0);
  linear parts = term_linear(ts, sum);
  number c = number_of(0);
  for (size_t i = 0; i < parts.count; i++)
    if (term_same(parts.leaves[i], self)) c = parts.coefficients[i];
  return solves_for(ts, sum, c, v, value);
}

typedef struct definition_set {
  substitution *substitution;
  map *chosen, *mentioned; /* variables */
  size_t count;
} definition_set;

/* Definitions of one round are independent of each other, so that they can be put in at once. */
static void choose(chc_lowering *l, definition_set *d, variable v, term by) {
  uint64_t ignored;
  variable_vector inside = {0};
  term_variables(l->ts, 1, &by, &inside);
  bool fits = !map_get(d->chosen, v.x, &ignored) && !map_get(d->mentioned, v.x, &ignored);
  for (size_t i = 0; i < inside.count && fits; i++) fits = !map_get(d->chosen, inside.at[i].x, &ignored);
  if (fits) {
    substitution_set(d->substitution, v, by);
    map_set(d->chosen, v.x, 1);
    for (size_t i = 0; i < inside.count; i++) map_set(d->mentioned, inside.at[i].x, 1);
    d->count++;
  }
  VECTOR_FREE(inside);
}

static bool solve_round(chc_lowering *l, term *guard, size_t count, term *values, bool with_ite) {
  definition_set d = {.substitution = l->substitution, .chosen = map_new(), .mentioned = map_new()};
  term_vector conjuncts = {0};
  substitution_clear(l->substitution);
  term_conjuncts(l->ts, *guard, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) {
    variable v;
    term by;
    if (defines_bool(l, conjuncts.at[i], &v, &by) || defines_number(l, conjuncts.at[i], with_ite, &v, &by))
      choose(l, &d, v, by);
  }
  if (d.count) *guard = substitution_apply(d.substitution, *guard);
  for (size_t i = 0; i < count && d.count; i++) values[i] = substitution_apply(d.substitution, values[i]);
  VECTOR_FREE(conjuncts);
  map_free(d.chosen);
  map_free(d.mentioned);
  return d.count > 0;
}

void lower_solve(chc_lowering *l, term *guard, size_t count, term *values, bool with_ite) {
  while (solve_round(l, guard, count, values, with_ite)) continue;
}

/* ---- projection ---- */

/* Bounds on one integer variable: sums that are <= 0. */
typedef struct bounds_on {
  term_vector upper, lower; /* with a positive, a negative coefficient */
  term_vector others;       /* conjuncts that do not mention it */
  bool has_unequal, is_beyond;
  bool all_units;
} bounds_on;

static number coefficient_of(const terms *ts, term sum, term leaf) {
  linear l = term_linear(ts, sum);
  for (size_t i = 0; i < l.count; i++)
    if (term_same(l.leaves[i], leaf)) return l.coefficients[i];
  return number_of(0);
}

static void sort_conjunct(terms *ts, bounds_on *b, term conjunct, variable v) {
  term leaf = term_of_variable(ts, v);
  if (!term_mentions(ts, conjunct, v)) {
    VECTOR_PUSH(b->others, conjunct);
    return;
  }
  term_kind kind = term_kind_of(ts, conjunct);
  bool is_unequal = kind == TERM_EQ && term_is_negated(conjunct);
  if ((kind != TERM_LE && !is_unequal) || term_is_real_atom(ts, conjunct)) {
    b->is_beyond = true;
    return;
  }
  term sum = term_argument(ts, conjunct, 0);
  number c = coefficient_of(ts, sum, leaf);
  if (number_is(c, 0) || term_mentions(ts, term_sub(ts, sum, term_scale(ts, c, leaf)), v)) b->is_beyond = true;
  if (b->is_beyond) return;
  if (is_unequal) {
    b->has_unequal = true;
    return;
  }
  if (term_is_negated(conjunct)) {
    sum = term_sub(ts, term_int(ts, 1), sum);
    c = number_negate(c);
  }
  b->all_units &= number_is(c, 1) || number_is(c, -1);
  if (number_sign(c) > 0)
    VECTOR_PUSH(b->upper, sum);
  else
    VECTOR_PUSH(b->lower, sum);
}

/* There is a value exactly if every lower bound is at most every upper one (coefficients are 1 and -1), or if
 * there is no end on one side. */
static bool project_one(terms *ts, term *guard, variable v) {
  enum { MOST_PAIRS = 16 };
  bounds_on b = {.all_units = true};
  term_vector conjuncts = {0};
  term_conjuncts(ts, *guard, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) sort_conjunct(ts, &b, conjuncts.at[i], v);
  bool one_sided = !b.upper.count || !b.lower.count;
  size_t pairs = b.upper.count * b.lower.count;
  bool can = !b.is_beyond && (one_sided || (b.all_units && !b.has_unequal && pairs <= MOST_PAIRS));
  for (size_t i = 0; i < b.upper.count && can; i++)
    for (size_t j = 0; j < b.lower.count; j++)
      VECTOR_PUSH(b.others, term_le(ts, term_add(ts, b.upper.at[i], b.lower.at[j]), term_int(ts, 0)));
  if (can) *guard = term_and_all(ts, b.others.count, b.others.at);
  VECTOR_FREE(b.upper);
  VECTOR_FREE(b.lower);
  VECTOR_FREE(b.others);
  VECTOR_FREE(conjuncts);
  return can;
}

/* Each variable is looked for in each conjunct. */
static bool is_small(const chc_lowering *l, term guard) {
  enum { MOST_LOOKS = 100000 };
  term_vector conjuncts = {0};
  variable_vector inside = {0};
  size_t free = 0;
  term_conjuncts(l->ts, guard, &conjuncts);
  term_variables(l->ts, 1, &guard, &inside);
  for (size_t i = 0; i < inside.count; i++) free += lower_is_free(l, inside.at[i]);
  bool small = free * conjuncts.count <= MOST_LOOKS;
  VECTOR_FREE(conjuncts);
  VECTOR_FREE(inside);
  return small;
}

void lower_project(chc_lowering *l, term *guard, size_t count, const term *values) {
  bool changed = is_small(l, *guard);
  while (changed) {
    variable_vector inside = {0}, kept = {0};
    map *keep = map_new();
    uint64_t ignored;
    changed = false;
    term_variables(l->ts, count, values, &kept);
    for (size_t i = 0; i < kept.count; i++) map_set(keep, kept.at[i].x, 1);
    term_variables(l->ts, 1, guard, &inside);
    for (size_t i = 0; i < inside.count; i++) {
      variable v = inside.at[i];
      bool is_int = variable_type(l->ts, v)->sort == SORT_INT;
      if (is_int && lower_is_free(l, v) && !map_get(keep, v.x, &ignored) && term_mentions(l->ts, *guard, v))
        changed |= project_one(l->ts, guard, v);
    }
    map_free(keep);
    VECTOR_FREE(inside);
    VECTOR_FREE(kept);
  }
}
