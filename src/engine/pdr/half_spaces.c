/* Interpolants by Farkas' lemma, which Z3 finds as the solution of linear inequalities: no interpolation of its own is
 * needed.
 *
 * That the literals of the path, each a sum that is at most 0, have no rational solution, is shown by factors, at least
 * 0, with which their sum is a positive number. The sum of those up to a place, with these factors, is an inequality
 * about the state there. The factors are the unknowns; that nothing but the state there is left in it is linear in
 * them, and so is the wish that two places have the same inequality: places with the same control are then in one set
 * that the steps between them do not leave, so that a loop's invariant may be found from one round of it.
 *
 * An expression that is not linear is treated as a variable of its own. Integers may have no solution although
 * rationals have one: then nothing is found here. */
#include "base/map.h"
#include "base/work.h"
#include "engine/literal_sum.h"
#include "engine/pdr/path.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* Of the search for factors, in work (base/work.h); and more literals are not tried. */
enum { MOST_WORK = 400 * 1000, MOST_LITERALS = 4000 };

/* What part of the path a leaf of a sum is about. */
typedef enum about { ABOUT_BEFORE, ABOUT_AFTER, ABOUT_CONSTANTS, ABOUT_STEP, ABOUTS } about;

/* Factors of literals, times the coefficients that a leaf has in them. */
typedef struct combination {
  about about;
  term_vector factors;
  number_vector by;
} combination;

/* The sum of a group of literals: a combination for each leaf that is in them. */
typedef struct group_sum {
  map *place_of; /* leaf and what it is about -> in `sums` */
  VECTOR(combination) sums;
  combination constant, strict;
} group_sum;

typedef struct factor_search {
  const path *p;
  terms *ts;     /* of the path */
  terms *own;    /* of the factors */
  map *class_of; /* variable -> about */
  substitution *to_before;
  map *leaf_at;       /* leaf, said of the state before -> in `leaves` */
  term_vector leaves; /* about states; what is about a step alone is known by its group */
  VECTOR(bool) is_constant;
  VECTOR(variable) factors;
  VECTOR(group_sum) groups;
  /* Of place i: the coefficient of each leaf, then the constant, then how much of it is strict. */
  VECTOR(term_vector) places;
  budget budget;
  solver *solver;
} factor_search;

/* ---- leaves ---- */

/* Enumerations are no numbers to calculate with: they belong to steps, and nothing is said of them. */
static void classify_variables(factor_search *s) {
  const model *m = s->p->b->model;
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var, after = unrolling_variable(s->p->unrolling, v, 1);
    bool is_constant = variable_same(v, after);
    if (variable_type(s->ts, v)->names) continue;
    map_set(s->class_of, v.x, is_constant ? ABOUT_CONSTANTS : ABOUT_BEFORE);
    if (is_constant) continue;
    map_set(s->class_of, after.x, ABOUT_AFTER);
    substitution_set(s->to_before, after, term_of_variable(s->ts, v));
  }
}

static about about_of(const factor_search *s, term leaf) {
  variable_vector inside = {0};
  bool is[ABOUTS] = {false};
  term_variables(s->ts, 1, &leaf, &inside);
  for (size_t i = 0; i < inside.count; i++) {
    uint64_t known;
    is[map_get(s->class_of, inside.at[i].x, &known) ? known : ABOUT_STEP] = true;
  }
  VECTOR_FREE(inside);
  if (is[ABOUT_STEP] || (is[ABOUT_BEFORE] && is[ABOUT_AFTER])) return ABOUT_STEP;
  return is[ABOUT_BEFORE] ? ABOUT_BEFORE : is[ABOUT_AFTER] ? ABOUT_AFTER : ABOUT_CONSTANTS;
}

/* The number of a leaf that is about states; the state before and after a step have the same leaves. */
static size_t number_of_leaf(factor_search *s, term leaf, about a) {
  term before = a == ABOUT_AFTER ? substitution_apply(s->to_before, leaf) : leaf;
  uint64_t known;
  if (map_get(s->leaf_at, before.x, &known)) return known;
  map_set(s->leaf_at, before.x, s->leaves.count);
  VECTOR_PUSH(s->leaves, before);
  VECTOR_PUSH(s->is_constant, a == ABOUT_CONSTANTS);
  return s->leaves.count - 1;
}

/* ---- sums ---- */

static void combine(combination *c, term factor, number by) {
  VECTOR_PUSH(c->factors, factor);
  VECTOR_PUSH(c->by, by);
}

static term combination_term(factor_search *s, const combination *c) {
  return term_sum(s->own, number_of(0), c->factors.count, c->factors.at, c->by.at);
}

static combination *sum_of(group_sum *g, about a, size_t leaf) {
  uint64_t key = (uint64_t)leaf << 3 | a, known;
  if (!map_get(g->place_of, key, &known)) {
    map_set(g->place_of, key, known = g->sums.count);
    VECTOR_PUSH(g->sums, (combination){.about = a});
  }
  return &g->sums.at[known];
}

static term new_factor(factor_search *s) {
  static const type real = {.sort = SORT_REAL};
  variable v = variable_fresh(s->own, "factor", &real);
  VECTOR_PUSH(s->factors, v);
  term t = term_of_variable(s->own, v);
  solver_assert(s->solver, term_ge(s->own, t, term_int(s->own, 0)));
  return t;
}

/* In the group of the initial condition states are those after it. */
static void add_literal(factor_search *s, group_sum *g, bool is_initial, term literal) {
  term sum;
  bool is_strict;
  if (!literal_sum(s->ts, literal, &sum, &is_strict)) return;
  term factor = new_factor(s);
  term_vector leaves = {0};
  number_vector by = {0};
  linear l = term_linear(s->ts, sum);
  combine(&g->constant, factor, l.constant);
  if (is_strict) combine(&g->strict, factor, number_of(1));
  for (size_t i = 0; i < l.count; i++) {
    VECTOR_PUSH(leaves, l.leaves[i]);
    VECTOR_PUSH(by, l.coefficients[i]);
  }
  for (size_t i = 0; i < leaves.count; i++) {
    about a = about_of(s, leaves.at[i]);
    size_t which = a == ABOUT_STEP ? leaves.at[i].x : number_of_leaf(s, leaves.at[i], a);
    if (is_initial && a == ABOUT_BEFORE) a = ABOUT_AFTER;
    combine(sum_of(g, a, which), factor, by.at[i]);
  }
  VECTOR_FREE(leaves);
  VECTOR_FREE(by);
}

/* One that always holds: -1 <= 0. It makes inequalities weaker. */
static void add_slack(factor_search *s, group_sum *g) { combine(&g->constant, new_factor(s), number_of(-1)); }

static void add_groups(factor_search *s) {
  for (size_t i = 0; i < s->p->groups.count; i++) {
    const term_vector *literals = &s->p->groups.at[i];
    VECTOR_PUSH(s->groups, (group_sum){.place_of = map_new()});
    for (size_t j = 0; j < literals->count; j++) add_literal(s, &s->groups.at[i], i == 0, literals->at[j]);
    add_slack(s, &s->groups.at[i]);
  }
}

/* ---- what factors must be ---- */

static term part_of(factor_search *s, const group_sum *g, about a, size_t leaf) {
  uint64_t known;
  return map_get(g->place_of, (uint64_t)leaf << 3 | a, &known) ? combination_term(s, &g->sums.at[known])
                                                               : term_int(s->own, 0);
}

static void must_be_zero(factor_search *s, term t) {
  solver_assert(s->solver, term_eq(s->own, t, term_int(s->own, 0)));
}

/* What speaks of the step alone: inputs, and what is not linear in both states. */
static void forget_step(factor_search *s, const group_sum *g) {
  for (size_t i = 0; i < g->sums.count; i++)
    if (g->sums.at[i].about == ABOUT_STEP) must_be_zero(s, combination_term(s, &g->sums.at[i]));
}

/* From the inequality before the group to the one after it. */
static void add_place(factor_search *s, const group_sum *g, const term_vector *before) {
  term_vector after = {0};
  size_t count = s->leaves.count;
  for (size_t i = 0; i < count; i++) {
    term old = before ? before->at[i] : term_int(s->own, 0);
    if (s->is_constant.at[i]) {
      VECTOR_PUSH(after, term_add(s->own, old, part_of(s, g, ABOUT_CONSTANTS, i)));
      continue;
    }
    must_be_zero(s, term_add(s->own, old, part_of(s, g, ABOUT_BEFORE, i)));
    VECTOR_PUSH(after, part_of(s, g, ABOUT_AFTER, i));
  }
  const combination *others[] = {&g->constant, &g->strict};
  for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
    term old = before ? before->at[count + i] : term_int(s->own, 0);
    VECTOR_PUSH(after, term_add(s->own, old, combination_term(s, others[i])));
  }
  forget_step(s, g);
  VECTOR_PUSH(s->places, after);
}

/* In the end nothing is left but a number that is not at most 0, or not less than 0. */
static void add_places(factor_search *s) {
  for (size_t i = 0; i < s->groups.count; i++) add_place(s, &s->groups.at[i], i ? &s->places.at[i - 1] : NULL);
  const term_vector *last = &VECTOR_LAST(s->places);
  size_t count = s->leaves.count;
  for (size_t i = 0; i < count; i++) must_be_zero(s, last->at[i]);
  solver_assert(s->solver, term_ge(s->own, last->at[count], term_int(s->own, 0)));
  solver_assert(s->solver,
                term_eq(s->own, term_add(s->own, last->at[count], last->at[count + 1]), term_int(s->own, 1)));
}

/* ---- places that are to have the same ---- */

/* Both have the same values of all enumerations. */
static bool same_control(const factor_search *s, size_t one, size_t other) {
  const blocking *b = s->p->b;
  const obligation *x = &b->obligations.at[s->p->places.at[one]], *y = &b->obligations.at[s->p->places.at[other]];
  const variable_vector *read = frames_readable(b->frames);
  for (size_t i = 0; i < read->count; i++)
    if (variable_type(s->ts, read->at[i])->names && model_is_state_variable(b->model, read->at[i]) &&
        !number_equal(x->seen.at[i], y->seen.at[i]))
      return false;
  return true;
}

/* The steps from both are possible by the same literals. */
static bool same_step(const factor_search *s, size_t one, size_t other) {
  const term_vector *x = &s->p->groups.at[one + 1], *y = &s->p->groups.at[other + 1];
  if (x->count != y->count) return false;
  for (size_t i = 0; i < x->count; i++)
    if (!term_same(x->at[i], y->at[i])) return false;
  return true;
}

/* Which places are to have the same inequality. */
typedef struct wish {
  bool for_control; /* with the same control: the same coefficients */
  bool constant;    /* and the same constant */
  bool for_step;    /* with the same control and the same step from them: both */
  bool but_last;    /* the place that is bad is left out: the step to it may be impossible */
} wish;

static void wish_same(factor_search *s, size_t place, size_t as, bool constant) {
  size_t wished = s->leaves.count + constant;
  for (size_t i = 0; i < wished; i++)
    solver_assert(s->solver, term_eq(s->own, s->places.at[place].at[i], s->places.at[as].at[i]));
}

/* False if there is no place to wish it for. */
static bool make_wish(factor_search *s, wish w) {
  bool any = false;
  for (size_t i = 1; i + w.but_last < s->p->places.count; i++) {
    size_t control = 0, step = 0;
    while (control < i && !same_control(s, control, i)) control++;
    while (step < i && !(same_control(s, step, i) && same_step(s, step, i))) step++;
    if (w.for_control && control < i) wish_same(s, i, control, w.constant);
    if (w.for_step && step < i) wish_same(s, i, step, true);
    any |= (w.for_control && control < i) || (w.for_step && step < i);
  }
  return any;
}

static bool has_factors(factor_search *s) {
  static const wish wishes[] = {{true, true, false, false}, {true, true, false, true},   {true, false, true, false},
                                {true, false, true, true},  {false, false, true, false}, {true, false, false, false},
                                {true, false, false, true}};
  for (size_t i = 0; i <= ARRAY_LENGTH(wishes); i++) {
    solver_push(s->solver);
    bool is_last = i == ARRAY_LENGTH(wishes), is_asked = is_last || make_wish(s, wishes[i]);
    answer a = is_asked ? solver_check(s->solver, 0) : answer_no();
    if (answer_is_yes(a)) return true;
    solver_pop(s->solver);
    if (answer_is_unsure(a)) return false;
  }
  return false;
}

/* ---- the inequalities ---- */

static number least_common(number a, number b) { return number_quotient(number_mul(a, b), number_gcd(a, b)); }

/* What the place knows, with integers as coefficients; `values` are of the factors. */
static term inequality_at(factor_search *s, const term_vector *place, const number *values) {
  size_t count = s->leaves.count;
  number_vector by = {0};
  number scale = number_of(1);
  for (size_t i = 0; i <= count; i++) {
    VECTOR_PUSH(by, term_evaluate(s->own, place->at[i], values));
    scale = least_common(scale, number_denominator(by.at[i]));
  }
  for (size_t i = 0; i <= count; i++) by.at[i] = number_mul(scale, by.at[i]);
  bool is_strict = number_sign(term_evaluate(s->own, place->at[count + 1], values)) > 0;
  term sum = term_sum(s->ts, by.at[count], count, s->leaves.at, by.at), zero = term_int(s->ts, 0);
  VECTOR_FREE(by);
  return is_strict ? term_lt(s->ts, sum, zero) : term_le(s->ts, sum, zero);
}

static void read_inequalities(factor_search *s, term_vector *out) {
  number *values = MEMORY_ARRAY(number, variable_count(s->own) + 1);
  for (size_t i = 0; i < s->factors.count; i++) values[s->factors.at[i].x] = solver_value(s->solver, s->factors.at[i]);
  for (size_t i = 0; i < s->p->places.count; i++) VECTOR_PUSH(*out, inequality_at(s, &s->places.at[i], values));
  memory_free(values);
}

/* ---- all of it ---- */

static void open_search(factor_search *s, const path *p) {
  *s = (factor_search){.p = p, .ts = p->b->ts, .own = terms_new(), .budget = *p->b->env->budget};
  uint64_t most = work_done() + MOST_WORK;
  if (!s->budget.work || s->budget.work > most) s->budget.work = most;
  s->solver = solver_new(s->own, &s->budget);
  s->class_of = map_new();
  s->leaf_at = map_new();
  s->to_before = substitution_new(s->ts);
}

static void close_search(factor_search *s) {
  for (size_t i = 0; i < s->groups.count; i++) {
    group_sum *g = &s->groups.at[i];
    for (size_t j = 0; j < g->sums.count; j++) {
      VECTOR_FREE(g->sums.at[j].factors);
      VECTOR_FREE(g->sums.at[j].by);
    }
    VECTOR_FREE(g->sums);
    VECTOR_FREE(g->constant.factors);
    VECTOR_FREE(g->constant.by);
    VECTOR_FREE(g->strict.factors);
    VECTOR_FREE(g->strict.by);
    map_free(g->place_of);
  }
  for (size_t i = 0; i < s->places.count; i++) VECTOR_FREE(s->places.at[i]);
  VECTOR_FREE(s->places);
  VECTOR_FREE(s->groups);
  VECTOR_FREE(s->leaves);
  VECTOR_FREE(s->is_constant);
  VECTOR_FREE(s->factors);
  map_free(s->class_of);
  map_free(s->leaf_at);
  substitution_free(s->to_before);
  solver_free(s->solver);
  terms_free(s->own);
}

bool half_spaces_find(const path *p, term_vector *out) {
  size_t literals = 0;
  for (size_t i = 0; i < p->groups.count; i++) literals += p->groups.at[i].count;
  if (literals > MOST_LITERALS) return false;
  factor_search s;
  open_search(&s, p);
  classify_variables(&s);
  add_groups(&s);
  add_places(&s);
  bool found = has_factors(&s);
  if (found) read_inequalities(&s, out);
  close_search(&s);
  return found;
}
