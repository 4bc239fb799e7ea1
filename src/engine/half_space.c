/* The linear problem of a half-space, from the simplest shapes on. */
#include "engine/half_space.h"

#include "base/map.h"
#include "base/work.h"
#include "engine/literal_sum.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* Of the search for one half-space, in work (base/work.h). Coefficients that are larger say nothing of use. */
enum { MOST_WORK = 100 * 1000, LARGEST = 1000 * 1000 };

/* How large coefficients may be, each and (their absolute values) all together; 0: any fractions. Of each shape so many
 * are shown to the one who wishes. */
static const struct shape {
  int64_t each, together;
  size_t shown;
} shapes[] = {{1, 1, 4}, {1, 2, 6}, {2, 4, 4}, {0, 0, 1}};

/* ---- samples ---- */

static term indicator(terms *ts, term condition) { return term_ite(ts, condition, term_int(ts, 1), term_int(ts, 0)); }

static void add_equation(terms *ts, sample *s, term sum) {
  VECTOR_PUSH(s->sums, sum);
  VECTOR_PUSH(s->sums, term_negate(ts, sum));
}

static void add_enumeration(terms *ts, sample *s, variable v) {
  for (size_t i = 0; i < variable_type(ts, v)->name_count; i++) {
    term value = term_int(ts, (int64_t)i), here = indicator(ts, term_eq(ts, term_of_variable(ts, v), value));
    add_equation(ts, s, term_sub(ts, here, term_int(ts, number_is(s->values.at[v.x], (int64_t)i))));
  }
}

static void add_literal(terms *ts, sample *s, term literal) {
  term sum;
  bool is_strict = false;
  if (term_kind_of(ts, literal) == TERM_BOOL_VARIABLE) {
    term one = indicator(ts, term_positive(literal));
    VECTOR_PUSH(s->sums, term_is_negated(literal) ? one : term_sub(ts, term_int(ts, 1), one));
  } else if (literal_sum(ts, literal, &sum, &is_strict)) {
    if (is_strict) VECTOR_PUSH(s->strict, (uint32_t)s->sums.count);
    VECTOR_PUSH(s->sums, sum);
  }
}

sample sample_of(terms *ts, size_t count, const variable *variables, const number *values,
                 const term_vector *literals) {
  sample made = {0};
  substitution *fixed = substitution_new(ts);
  size_t known = variable_count(ts);
  for (size_t i = 0; i < known; i++) VECTOR_PUSH(made.values, number_of(0));
  for (size_t i = 0; i < count; i++) {
    made.values.at[variables[i].x] = values[variables[i].x];
    if (!variable_type(ts, variables[i])->names) continue;
    substitution_set(fixed, variables[i], term_number(ts, values[variables[i].x]));
    add_enumeration(ts, &made, variables[i]);
  }
  for (size_t i = 0; i < literals->count; i++) add_literal(ts, &made, substitution_apply(fixed, literals->at[i]));
  substitution_free(fixed);
  return made;
}

sample sample_of_point(terms *ts, size_t count, const variable *variables, const number_vector *point) {
  sample made = {.is_point = true};
  size_t known = variable_count(ts);
  for (size_t i = 0; i < known; i++) VECTOR_PUSH(made.values, number_of(0));
  for (size_t i = 0; i < count; i++) made.values.at[variables[i].x] = point->at[i];
  return made;
}

void sample_vector_clear(sample_vector *v) {
  for (size_t i = 0; i < v->count; i++) {
    VECTOR_FREE(v->at[i].values);
    VECTOR_FREE(v->at[i].sums);
    VECTOR_FREE(v->at[i].strict);
  }
  VECTOR_FREE(*v);
}

/* ---- the problem ---- */

typedef struct factor_problem {
  terms *ts;          /* of the samples */
  terms *own;         /* of the unknowns */
  map *leaf_at;       /* leaf -> in `leaves` */
  term_vector leaves; /* of sums */
  term_vector coefficients, wholes,
      sizes;                 /* unknowns by leaf: its coefficient, the same as an integer, not less than it is large */
  variable_vector unknowns;  /* the coefficients again */
  variable bound;            /* the first unknown */
  term_vector inside_bounds; /* of each set inside: the least bound for which its factors will do */
  bool is_strict;
  solver *solver;
} factor_problem;

struct half_space_search {
  terms *ts;
  budget *budget;
  variable_vector variables;
  struct budget of_one; /* of one search */
};

static variable new_unknown(factor_problem *p, sort of) {
  type t = {.sort = of};
  return variable_fresh(p->own, "u", &t);
}

static term new_factor(factor_problem *p) {
  term t = term_of_variable(p->own, new_unknown(p, SORT_REAL));
  solver_assert(p->solver, term_ge(p->own, t, term_int(p->own, 0)));
  return t;
}

static void add_leaf(factor_problem *p, term leaf) {
  if (map_get(p->leaf_at, leaf.x, NULL)) return;
  map_set(p->leaf_at, leaf.x, p->leaves.count);
  VECTOR_PUSH(p->leaves, leaf);
  variable c = new_unknown(p, SORT_REAL);
  VECTOR_PUSH(p->unknowns, c);
  VECTOR_PUSH(p->coefficients, term_of_variable(p->own, c));
  VECTOR_PUSH(p->wholes, term_of_variable(p->own, new_unknown(p, SORT_INT)));
  VECTOR_PUSH(p->sizes, term_of_variable(p->own, new_unknown(p, SORT_REAL)));
}

/* ---- leaves ---- */

static void add_leaves_of_variables(const half_space_search *s, term_vector *out) {
  for (size_t i = 0; i < s->variables.count; i++) {
    const type *t = variable_type(s->ts, s->variables.at[i]);
    term v = term_of_variable(s->ts, s->variables.at[i]);
    for (size_t j = 0; j < t->name_count && t->names; j++)
      VECTOR_PUSH(*out, indicator(s->ts, term_eq(s->ts, v, term_int(s->ts, (int64_t)j))));
    if (!t->names) VECTOR_PUSH(*out, t->sort == SORT_BOOL ? indicator(s->ts, v) : v);
  }
}

/* In how many of the sets that are no points each leaf is. */
static size_t count_leaves(const half_space_search *s, const sample_group *group, map *times) {
  size_t sets = 0;
  for (size_t i = 0; i < group->count; i++) {
    map *seen = map_new();
    for (size_t j = 0; j < group->at[i]->sums.count && !group->at[i]->is_point; j++) {
      linear l = term_linear(s->ts, group->at[i]->sums.at[j]);
      for (size_t k = 0; k < l.count; k++) {
        uint64_t before = 0;
        if (map_get(seen, l.leaves[k].x, NULL)) continue;
        map_set(seen, l.leaves[k].x, 1);
        map_get(times, l.leaves[k].x, &before);
        map_set(times, l.leaves[k].x, before + 1);
      }
    }
    sets += !group->at[i]->is_point;
    map_free(seen);
  }
  return sets;
}

static void add_leaves_of_sums(const half_space_search *s, const sample *of, map *times, size_t sets,
                               term_vector *out) {
  for (size_t j = 0; j < of->sums.count; j++) {
    linear l = term_linear(s->ts, of->sums.at[j]);
    for (size_t k = 0; k < l.count; k++) {
      uint64_t found = 0;
      map_get(times, l.leaves[k].x, &found);
      if (found == sets) VECTOR_PUSH(*out, l.leaves[k]);
      map_set(times, l.leaves[k].x, 0); /* it is there now */
    }
  }
}

/* Those that a half-space can be about: a set in whose inequalities a leaf is not allows any value of it. */
static void collect_leaves(const half_space_search *s, const sample_group *inside, const sample_group *outside,
                           term_vector *out) {
  map *times = map_new();
  size_t sets = count_leaves(s, inside, times);
  sets += count_leaves(s, outside, times);
  const sample_group *groups[] = {inside, outside};
  const sample *first = NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(groups); i++)
    for (size_t j = 0; j < groups[i]->count && !first; j++)
      if (!groups[i]->at[j]->is_point) first = groups[i]->at[j];
  if (first)
    add_leaves_of_sums(s, first, times, sets, out);
  else
    add_leaves_of_variables(s, out);
  map_free(times);
}

static bool has_strict_sums(const sample_group *group) {
  for (size_t i = 0; i < group->count; i++)
    if (group->at[i]->strict.count && !group->at[i]->is_point) return true;
  return false;
}

/* What the coefficients make of a point. */
static term value_at(const factor_problem *p, const sample *s) {
  number_vector by = {0};
  for (size_t i = 0; i < p->leaves.count; i++) VECTOR_PUSH(by, term_evaluate(p->ts, p->leaves.at[i], s->values.at));
  term sum = term_sum(p->own, number_of(0), p->leaves.count, p->coefficients.at, by.at);
  VECTOR_FREE(by);
  return sum;
}

/* What follows from the sums of a set: with these factors, sum of leaves <= `most`, less if `strict` is more than 0. */
typedef struct consequence {
  term_vector by_leaf;
  term most, strict;
} consequence;

static consequence combine(factor_problem *p, const sample *s) {
  consequence made = {.most = term_int(p->own, 0), .strict = term_int(p->own, 0)};
  map *other_at = map_new(); /* of leaves that are in no answer: they must cancel out */
  for (size_t i = 0; i < p->leaves.count; i++) VECTOR_PUSH(made.by_leaf, term_int(p->own, 0));
  for (size_t j = 0; j < s->sums.count; j++) {
    term factor = new_factor(p);
    linear l = term_linear(p->ts, s->sums.at[j]);
    made.most = term_sub(p->own, made.most, term_scale(p->own, l.constant, factor));
    for (size_t k = 0; k < l.count; k++) {
      uint64_t at = 0;
      if (!map_get(p->leaf_at, l.leaves[k].x, &at) && !map_get(other_at, l.leaves[k].x, &at)) {
        map_set(other_at, l.leaves[k].x, at = made.by_leaf.count);
        VECTOR_PUSH(made.by_leaf, term_int(p->own, 0));
      }
      made.by_leaf.at[at] = term_add(p->own, made.by_leaf.at[at], term_scale(p->own, l.coefficients[k], factor));
    }
    for (size_t k = 0; k < s->strict.count; k++)
      if (s->strict.at[k] == j) made.strict = term_add(p->own, made.strict, factor);
  }
  for (size_t i = p->leaves.count; i < made.by_leaf.count; i++)
    solver_assert(p->solver, term_eq(p->own, made.by_leaf.at[i], term_int(p->own, 0)));
  map_free(other_at);
  return made;
}

/* The set is where sum <= bound, or < bound. */
static void add_inside(factor_problem *p, const sample *s) {
  terms *ts = p->own;
  term bound = term_of_variable(ts, p->bound), least, strict = term_int(ts, 0);
  if (s->is_point) {
    least = value_at(p, s);
  } else {
    consequence c = combine(p, s);
    for (size_t i = 0; i < p->leaves.count; i++)
      solver_assert(p->solver, term_eq(ts, c.by_leaf.at[i], p->coefficients.at[i]));
    least = c.most;
    strict = c.strict;
    VECTOR_FREE(c.by_leaf);
  }
  VECTOR_PUSH(p->inside_bounds, least);
  term below = term_lt(ts, least, bound);
  if (p->is_strict)
    below = term_or(ts, below, term_and(ts, term_le(ts, least, bound), term_gt(ts, strict, term_int(ts, 0))));
  solver_assert(p->solver, p->is_strict ? below : term_le(ts, least, bound));
}

/* The set is where sum > bound, or >= bound. */
static void add_outside(factor_problem *p, const sample *s) {
  terms *ts = p->own;
  term bound = term_of_variable(ts, p->bound), greatest, strict = term_int(ts, 0);
  if (s->is_point) {
    greatest = value_at(p, s);
  } else {
    consequence c = combine(p, s);
    for (size_t i = 0; i < p->leaves.count; i++)
      solver_assert(p->solver, term_eq(ts, c.by_leaf.at[i], term_negate(ts, p->coefficients.at[i])));
    greatest = term_negate(ts, c.most);
    strict = c.strict;
    VECTOR_FREE(c.by_leaf);
  }
  term above = term_gt(ts, greatest, bound);
  above = term_or(ts, above, term_and(ts, term_ge(ts, greatest, bound), term_gt(ts, strict, term_int(ts, 0))));
  solver_assert(p->solver, p->is_strict ? term_ge(ts, greatest, bound) : above);
}

static void limit_sizes(factor_problem *p, const struct shape *s) {
  terms *ts = p->own;
  term together = term_int(ts, 0), each = term_int(ts, s->each);
  if (!s->each) return;
  for (size_t i = 0; i < p->leaves.count; i++) {
    term c = p->coefficients.at[i], size = p->sizes.at[i];
    solver_assert(p->solver, term_eq(ts, c, p->wholes.at[i]));
    solver_assert(p->solver, term_ge(ts, size, c));
    solver_assert(p->solver, term_ge(ts, size, term_negate(ts, c)));
    solver_assert(p->solver, term_le(ts, size, each));
    together = term_add(ts, together, size);
  }
  solver_assert(p->solver, term_le(ts, together, term_int(ts, s->together)));
}

/* ---- the answer ---- */

static number least_common(number a, number b) { return number_quotient(number_mul(a, b), number_gcd(a, b)); }

static term inequality(const factor_problem *p, number_vector *by, number bound) {
  terms *ts = p->ts;
  number scale = number_denominator(bound);
  size_t used = 0, last = 0;
  for (size_t i = 0; i < by->count; i++) {
    scale = least_common(scale, number_denominator(by->at[i]));
    if (number_is(by->at[i], 0)) continue;
    used++;
    last = i;
  }
  if (used == 1) return half_space_of_leaf(ts, p->leaves.at[last], by->at[last], bound, p->is_strict);
  for (size_t i = 0; i < by->count; i++) by->at[i] = number_mul(scale, by->at[i]);
  term sum = term_sum(ts, number_of(0), by->count, p->leaves.at, by->at);
  term most = term_number(ts, number_mul(scale, bound));
  return p->is_strict ? term_lt(ts, sum, most) : term_le(ts, sum, most);
}

/* The bound is the least that has all sets inside, for those are known better than what is outside. */
static term read_answer(factor_problem *p) {
  number_vector by = {0};
  number *values = MEMORY_ARRAY(number, variable_count(p->own) + 1);
  for (uint32_t i = p->bound.x; i < variable_count(p->own); i++) values[i] = solver_value(p->solver, (variable){i});
  for (size_t i = 0; i < p->unknowns.count; i++) VECTOR_PUSH(by, values[p->unknowns.at[i].x]);
  number bound = values[p->bound.x];
  for (size_t i = 0; i < p->inside_bounds.count && !p->is_strict; i++) {
    number least = term_evaluate(p->own, p->inside_bounds.at[i], values);
    if (!i || number_compare(least, bound) > 0) bound = least;
  }
  term result = inequality(p, &by, bound);
  VECTOR_FREE(by);
  memory_free(values);
  return result;
}

/* ---- all of it ---- */

half_space_search *half_space_search_new(terms *ts, budget *b, size_t count, const variable *variables) {
  half_space_search *s = MEMORY_NEW(half_space_search);
  *s = (half_space_search){.ts = ts, .budget = b};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(s->variables, variables[i]);
  return s;
}

void half_space_search_free(half_space_search *s) {
  VECTOR_FREE(s->variables);
  memory_free(s);
}

static void open_problem(factor_problem *p, half_space_search *s, const term_vector *leaves, bool is_strict) {
  *p = (factor_problem){.ts = s->ts, .own = terms_new(), .leaf_at = map_new(), .is_strict = is_strict};
  p->solver = solver_new(p->own, &s->of_one);
  p->bound = new_unknown(p, SORT_REAL);
  for (size_t i = 0; i < leaves->count; i++) add_leaf(p, leaves->at[i]);
}

static void close_problem(factor_problem *p) {
  solver_free(p->solver);
  terms_free(p->own);
  map_free(p->leaf_at);
  VECTOR_FREE(p->leaves);
  VECTOR_FREE(p->coefficients);
  VECTOR_FREE(p->wholes);
  VECTOR_FREE(p->sizes);
  VECTOR_FREE(p->unknowns);
  VECTOR_FREE(p->inside_bounds);
}

/* Other coefficients than those of the last answer. */
static void exclude_answer(factor_problem *p) {
  term_vector parts = {0};
  for (size_t i = 0; i < p->unknowns.count; i++)
    VECTOR_PUSH(
        parts, term_eq(p->own, p->coefficients.at[i], term_number(p->own, solver_value(p->solver, p->unknowns.at[i]))));
  solver_assert(p->solver, term_not(term_and_all(p->own, parts.count, parts.at)));
  VECTOR_FREE(parts);
}

static bool is_small(const factor_problem *p) {
  for (size_t i = 0; i < p->unknowns.count; i++) {
    number c = solver_value(p->solver, p->unknowns.at[i]);
    if (number_compare(number_abs(number_numerator(c)), number_of(LARGEST)) > 0 ||
        number_compare(number_denominator(c), number_of(LARGEST)) > 0)
      return false;
  }
  return true;
}

/* Answers of one shape, until one is liked; the first of all is kept too. */
static bool solve_in_shape(factor_problem *p, const struct shape *shape, half_space_wish *wish, bool *found,
                           term *out) {
  bool is_liked = false;
  solver_push(p->solver);
  limit_sizes(p, shape);
  for (size_t i = 0; i < shape->shown && !is_liked; i++) {
    if (!answer_is_yes(solver_check(p->solver, 0)) || !is_small(p)) break;
    term made = read_answer(p);
    is_liked = !wish || wish->likes(wish->context, made);
    if (is_liked || !*found) *out = made;
    *found = true;
    if (!is_liked) exclude_answer(p);
  }
  solver_pop(p->solver);
  return is_liked;
}

/* `found`: there is one already, which is simpler. True if one is liked. */
static bool solve(factor_problem *p, half_space_wish *wish, bool *found, term *out) {
  bool is_liked = false;
  /* Whether there is one at all is asked first: that is linear. */
  if (!answer_is_yes(solver_check(p->solver, 0))) return false;
  for (size_t i = 0; i < ARRAY_LENGTH(shapes) && !is_liked; i++)
    is_liked = solve_in_shape(p, &shapes[i], wish, found, out);
  return is_liked;
}

static bool find_by_factors(half_space_search *s, const term_vector *leaves, const sample_group *inside,
                            const sample_group *outside, half_space_wish *wish, bool *found, term *out) {
  bool is_liked = false, has_strict = true;
  for (size_t is_strict = false; is_strict <= true && has_strict && !is_liked && !(is_strict && *found); is_strict++) {
    factor_problem p;
    open_problem(&p, s, leaves, is_strict);
    has_strict = has_strict_sums(inside) || has_strict_sums(outside);
    for (size_t i = 0; i < inside->count; i++) add_inside(&p, inside->at[i]);
    for (size_t i = 0; i < outside->count; i++) add_outside(&p, outside->at[i]);
    is_liked = solve(&p, wish, found, out);
    close_problem(&p);
  }
  return is_liked;
}

/* So long as the whole budget is not spent, each search has some of it. */
static void begin_search(half_space_search *s) {
  s->of_one = *s->budget;
  uint64_t most = work_done() + MOST_WORK;
  if (!s->of_one.work || s->of_one.work > most) s->of_one.work = most;
}

bool half_space_find(half_space_search *s, const sample_group *inside, const sample_group *outside,
                     half_space_wish *wish, term *out) {
  term_vector leaves = {0};
  bool found = false;
  begin_search(s);
  collect_leaves(s, inside, outside, &leaves);
  bool is_liked = half_space_find_bound(s->ts, &leaves, inside, outside, wish, &found, out) ||
                  find_by_factors(s, &leaves, inside, outside, wish, &found, out);
  if (wish) wish->is_liked = is_liked;
  VECTOR_FREE(leaves);
  return found;
}
