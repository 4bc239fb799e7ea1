/* Steps of runs: a plan for each clause says which variables are computed, and which are chosen. A number is chosen
 * within the bounds that the constraint gives by itself; whether it does is computed afterwards, and if not, tried again
 * a few times. Translators write the branches of a step with truth values that select them: there is a plan for each. */
#include "base/work.h"
#include "engine/clause_walk_inside.h"
#include "term/array_value.h"
#include "term/evaluate.h"

/* A unit is a microsecond, about. A run that only comes to what is known ends soon. */
enum { MOST_FIXED = 8, MOST_WAYS = 32, ARRAYS_OF_SIZE = 40, TERMS_A_UNIT = 100, MOST_REPEATED = 64 };

/* ---- which values ---- */

static number small_number(clause_walk *w) {
  if (w->constants.count && !random_below(&w->random, 4))
    return number_add(w->constants.at[random_below(&w->random, w->constants.count)],
                      number_of(random_between(&w->random, -1, 1)));
  return number_of(random_between(&w->random, random_below(&w->random, 3) ? 0 : -(int64_t)w->size, (int64_t)w->size));
}

static number any_element(clause_walk *w, sort of) {
  return of == SORT_BOOL ? number_of((int64_t)random_below(&w->random, 2)) : small_number(w);
}

/* Arrays to choose from, of booleans or of numbers, or of arrays of them. Values are kept until all are forgotten: so there
 * are some of each size, which are used again. */
static number_vector *pool_of(clause_walk *w, sort element, unsigned nesting) {
  return &w->pools.at[2 * (w->size * (w->nesting + 1) + nesting) + (element != SORT_BOOL)];
}

static number any_array(clause_walk *w, sort element, unsigned nesting) {
  const number_vector *pool = pool_of(w, element, nesting);
  return pool->at[random_below(&w->random, pool->count)];
}

static number new_array(clause_walk *w, sort element, unsigned nesting) {
  VECTOR(array_entry) entries = {0};
  int64_t end = 2 * (int64_t)w->size + 2;
  for (int64_t i = -1; i <= end; i++) {
    number value = nesting ? any_array(w, element, nesting - 1) : any_element(w, element);
    VECTOR_PUSH(entries, ((array_entry){number_of(i), value}));
  }
  number made = array_value_of(w->ts, VECTOR_LAST(entries).element, entries.count, entries.at);
  VECTOR_FREE(entries);
  return made;
}

static void fill_pools(clause_walk *w) {
  while (w->pools.count < 2 * (w->size + 1) * (w->nesting + 1)) VECTOR_PUSH(w->pools, (number_vector){0});
  for (unsigned nesting = 0; nesting <= w->nesting; nesting++)
    for (int i = 0; i < 2; i++) {
      sort element = i ? SORT_INT : SORT_BOOL;
      number_vector *pool = pool_of(w, element, nesting);
      while (pool->count < ARRAYS_OF_SIZE) VECTOR_PUSH(*pool, new_array(w, element, nesting));
    }
}

typedef struct interval {
  bool has_low, has_high;
  number low, high;
} interval;

static void meet(interval *i, bool is_low, number n) {
  if (is_low && (!i->has_low || number_compare(n, i->low) > 0)) i->low = n, i->has_low = true;
  if (!is_low && (!i->has_high || number_compare(n, i->high) < 0)) i->high = n, i->has_high = true;
}

static interval bounds_of(const clause_walk *w, variable v, const number *values) {
  const type *of = variable_type(w->ts, v);
  const clause_way *c = &w->ways.at[w->way];
  interval made = {of->has_low, of->has_high, of->low, of->high};
  for (size_t i = 0; i < c->bounds.count; i++) {
    const open_bound *b = &c->bounds.at[i];
    if (!variable_same(b->var, v)) continue;
    exact_code_run(b->rest, 0, values, w->arrays);
    number rest = exact_code_value(b->rest, b->value);
    bool is_low = number_sign(b->coefficient) < 0;
    meet(&made, is_low,
         is_low ? number_ceil_div(rest, number_negate(b->coefficient))
                : number_floor_div(number_negate(rest), b->coefficient));
  }
  return made;
}

/* Any number of the interval, if it is one that is not too large. */
static bool choose_wide(clause_walk *w, const interval *i, number *out) {
  int64_t low, high;
  if (!w->is_wide || !i->has_low || !i->has_high || !number_to_int64(i->low, &low) || !number_to_int64(i->high, &high))
    return false;
  if (low > high || (uint64_t)high - (uint64_t)low == UINT64_MAX) return false;
  *out = number_of((int64_t)((uint64_t)low + random_below(&w->random, (uint64_t)high - (uint64_t)low + 1)));
  return true;
}

static number choose_number(clause_walk *w, variable v, const number *values) {
  interval i = bounds_of(w, v, values);
  number any;
  if (choose_wide(w, &i, &any)) return any;
  number offset = number_of((int64_t)random_below(&w->random, w->size + 1)), made = small_number(w);
  bool is_inside =
      (!i.has_low || number_compare(made, i.low) >= 0) && (!i.has_high || number_compare(made, i.high) <= 0);
  if (is_inside && random_below(&w->random, 4)) return made;
  if (i.has_low && (!i.has_high || random_below(&w->random, 2))) {
    made = number_add(i.low, offset);
    return i.has_high && number_compare(made, i.high) > 0 ? i.high : made;
  }
  if (!i.has_high) return made;
  made = number_sub(i.high, offset);
  return i.has_low && number_compare(made, i.low) < 0 ? i.low : made;
}

number clause_walk_choose(void *context, variable v, const number *values) {
  clause_walk *w = context;
  const type *of = variable_type(w->ts, v);
  switch (of->sort) {
    case SORT_ARRAY: {
      number chosen = any_array(w, of->element, of->nesting);
      return w->arrays ? array_versions_of_value(w->arrays, w->ts, chosen) : chosen;
    }
    case SORT_BOOL: return any_element(w, SORT_BOOL);
    case SORT_INT: return choose_number(w, v, values);
    default: return small_number(w);
  }
}

/* ---- preparation ---- */

/* What the literal says about `v`, of which it is linear. */
static void add_bound(clause_walk *w, clause_way *to, term literal, variable v) {
  if (term_kind_of(w->ts, literal) != TERM_LE || term_is_real_atom(w->ts, literal)) return;
  term sum = term_argument(w->ts, literal, 0);
  if (term_is_negated(literal)) sum = term_sub(w->ts, term_int(w->ts, 1), sum);
  linear l = term_linear(w->ts, sum);
  for (size_t i = 0; i < l.count; i++) {
    if (term_kind_of(w->ts, l.leaves[i]) != TERM_INT_VARIABLE || !variable_same(term_variable(w->ts, l.leaves[i]), v))
      continue;
    open_bound made = {.var = v, .coefficient = l.coefficients[i]};
    term rest = term_sub(w->ts, sum, term_scale(w->ts, made.coefficient, term_of_variable(w->ts, v)));
    if (term_mentions(w->ts, rest, v)) return;
    made.rest = exact_code_new(w->ts);
    exact_code_add(made.rest, 1, &rest);
    made.value = exact_code_place(made.rest, rest);
    VECTOR_PUSH(to->bounds, made);
    return;
  }
}

static bool is_all_given(const clause_walk *w, const clause_plan *p, term t, variable but) {
  variable_vector inside = {0};
  bool given = true;
  term_variables(w->ts, 1, &t, &inside);
  for (size_t i = 0; i < inside.count && given; i++)
    given = variable_same(inside.at[i], but) || clause_plan_gives(p, inside.at[i]);
  VECTOR_FREE(inside);
  return given;
}

static void choose_variable(clause_walk *w, clause_way *to, variable v) {
  const term_vector *parts = clause_plan_parts(to->plan);
  to->is_chosen = true;
  for (size_t i = 0; i < parts->count; i++)
    if (term_mentions(w->ts, parts->at[i], v) && is_all_given(w, to->plan, parts->at[i], v))
      add_bound(w, to, parts->at[i], v);
  clause_plan_choose(to->plan, v, clause_walk_choose, w);
}

static void find_divisors(clause_walk *w, const clause *c, term_vector *out) {
  term_vector roots = {0};
  index_vector cone = {0};
  number n;
  clause_terms(c, &roots);
  terms_cone(w->ts, roots.count, roots.at, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term t = {2 * cone.at[i]};
    term_kind kind = term_kind_of(w->ts, t);
    if ((kind == TERM_DIV || kind == TERM_MOD) && !term_is_number(w->ts, term_argument(w->ts, t, 1), &n))
      VECTOR_PUSH(*out, term_argument(w->ts, t, 1));
  }
  VECTOR_FREE(roots);
  VECTOR_FREE(cone);
}

static size_t count_terms(const clause_walk *w, const clause *c) {
  term_vector roots = {0};
  index_vector cone = {0};
  clause_terms(c, &roots);
  terms_cone(w->ts, roots.count, roots.at, &cone);
  size_t count = cone.count;
  VECTOR_FREE(roots);
  VECTOR_FREE(cone);
  return count;
}

/* Later variables of a clause are mostly those that earlier ones give bounds for; arrays come first. */
static void add_way(clause_walk *w, uint32_t number, TAKE clause_plan *plan) {
  const clause *c = &w->all->clauses.at[number];
  clause_way made = {.clause = number, .plan = plan, .work = count_terms(w, c) / TERMS_A_UNIT};
  if (!w->all->is_program) find_divisors(w, c, &made.divisors);
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < c->variables.count; i++) {
      variable v = c->variables.at[i];
      bool is_array = variable_type(w->ts, v)->sort == SORT_ARRAY;
      if (is_array == !round && !clause_plan_gives(plan, v)) choose_variable(w, &made, v);
    }
  VECTOR_PUSH(w->ways, made);
}

typedef struct fixed_truth {
  variable var;
  bool is_true;
} fixed_truth;

/* A boolean variable that what is left of the constraint depends on; false if there is none. */
static bool find_open_truth(const clause_walk *w, const clause *c, const clause_plan *p, variable *out) {
  for (size_t i = 0; i < c->variables.count; i++) {
    *out = c->variables.at[i];
    if (variable_type(w->ts, *out)->sort == SORT_BOOL && !clause_plan_gives(p, *out) &&
        term_mentions(w->ts, clause_plan_rest(p), *out))
      return true;
  }
  return false;
}

/* All ways with these truth values; others are tried with both. */
static void add_ways(clause_walk *w, uint32_t number, fixed_truth *fixed, size_t count, size_t *made) {
  const clause *c = &w->all->clauses.at[number];
  clause_plan *plan = clause_plan_new(w->ts, c, false);
  variable open;
  for (size_t i = 0; i < count; i++)
    if (!clause_plan_gives(plan, fixed[i].var)) clause_plan_assume(plan, fixed[i].var, fixed[i].is_true);
  if (term_is_false(clause_plan_rest(plan))) {
    clause_plan_free(plan);
  } else if (count < MOST_FIXED && *made < MOST_WAYS && find_open_truth(w, c, plan, &open)) {
    clause_plan_free(plan);
    for (int i = 0; i < 2; i++) {
      fixed[count] = (fixed_truth){open, i};
      add_ways(w, number, fixed, count + 1, made);
    }
  } else {
    add_way(w, number, plan);
    *made += 1;
  }
}

/* Takes note of what the ways of the clause lead from. */
static void add_uses(clause_walk *w, uint32_t number) {
  const clause *c = &w->all->clauses.at[number];
  fixed_truth fixed[MOST_FIXED];
  size_t first = w->ways.count, made = 0;
  if (!c->has_constants) add_ways(w, number, fixed, 0, &made);
  for (uint32_t i = (uint32_t)first; i < w->ways.count; i++) {
    if (!c->body.count) VECTOR_PUSH(w->starts, i);
    for (uint32_t j = 0; j < c->body.count; j++) {
      clause_uses *of = c->head == NO_PREDICATE ? w->queries : w->steps;
      VECTOR_PUSH(of[c->body.at[j].predicate], ((clause_use){i, j}));
    }
  }
}

static void add_constants(clause_walk *w, const clause *c) {
  enum { MOST_CONSTANTS = 64 };
  term_vector roots = {0};
  index_vector cone = {0};
  clause_terms(c, &roots);
  terms_cone(w->ts, roots.count, roots.at, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term t = {2 * cone.at[i]};
    number n;
    if (term_kind_of(w->ts, t) != TERM_SUM || w->constants.count >= MOST_CONSTANTS) continue;
    n = number_abs(term_constant(w->ts, t));
    bool is_known = !number_is_integer(n) || number_compare(n, number_of(1)) <= 0;
    for (size_t j = 0; j < w->constants.count && !is_known; j++) is_known = number_equal(w->constants.at[j], n);
    if (!is_known) VECTOR_PUSH(w->constants, n);
  }
  VECTOR_FREE(roots);
  VECTOR_FREE(cone);
}

clause_walk *clause_walk_new(terms *ts, const clauses *of, size_t property, budget *b) {
  clause_walk *w = MEMORY_NEW(clause_walk);
  *w = (clause_walk){.ts = ts, .all = of, .budget = b};
  facts_open(&w->known, ts, of);
  for (size_t i = 0; i < of->clauses.count; i++)
    for (size_t j = 0; j < of->clauses.at[i].variables.count; j++) {
      const type *t = variable_type(ts, of->clauses.at[i].variables.at[j]);
      if (t->sort == SORT_ARRAY && t->nesting > w->nesting) w->nesting = t->nesting;
    }
  w->queries = MEMORY_ARRAY(clause_uses, of->predicates.count + 1);
  w->steps = MEMORY_ARRAY(clause_uses, of->predicates.count + 1);
  for (uint32_t i = 0; i < of->clauses.count && !budget_spent(b); i++) {
    const clause *c = &of->clauses.at[i];
    if (c->head == NO_PREDICATE && c->property != property) continue;
    add_constants(w, c);
    add_uses(w, i);
  }
  w->before = array_values_mark(ts);
  return w;
}

void clause_walk_free(clause_walk *w) {
  if (!w) return;
  for (size_t i = 0; i < w->ways.count; i++) {
    clause_plan_free(w->ways.at[i].plan);
    for (size_t j = 0; j < w->ways.at[i].bounds.count; j++) exact_code_free(w->ways.at[i].bounds.at[j].rest);
    VECTOR_FREE(w->ways.at[i].bounds);
    VECTOR_FREE(w->ways.at[i].divisors);
  }
  for (size_t i = 0; i < w->all->predicates.count; i++) {
    VECTOR_FREE(w->queries[i]);
    VECTOR_FREE(w->steps[i]);
  }
  facts_close(&w->known);
  VECTOR_FREE(w->starts);
  VECTOR_FREE(w->constants);
  for (size_t i = 0; i < w->pools.count; i++) VECTOR_FREE(w->pools.at[i]);
  VECTOR_FREE(w->pools);
  VECTOR_FREE(w->ways);
  memory_free(w->queries);
  memory_free(w->steps);
  memory_free(w);
}

/* ---- steps ---- */

static const clause *clause_of(const clause_walk *w, clause_use use) {
  return &w->all->clauses.at[w->ways.at[use.way].clause];
}

/* Facts for all atoms but the given one, any that are known; false if there are none. */
static bool choose_premises(clause_walk *w, clause_use use, uint32_t fact, index_vector *out) {
  const clause *c = clause_of(w, use);
  for (uint32_t i = 0; i < c->body.count; i++) {
    const index_vector *of = &w->known.of_predicate[c->body.at[i].predicate];
    if (i != use.atom && !of->count) return false;
    VECTOR_PUSH(*out, i == use.atom ? fact : of->at[random_below(&w->random, of->count)]);
  }
  return true;
}

static bool divides_by_zero(const clause_walk *w, clause_use use, const number_vector *values) {
  const term_vector *divisors = &w->ways.at[use.way].divisors;
  const variable_vector *variables = &clause_of(w, use)->variables;
  if (!divisors->count) return false;
  bool found = false;
  number *assignment = MEMORY_ARRAY(number, variable_count(w->ts) + 1);
  for (size_t i = 0; i < variables->count; i++) assignment[variables->at[i].x] = values->at[i];
  for (size_t i = 0; i < divisors->count && !found; i++)
    found = number_is(term_evaluate(w->ts, divisors->at[i], assignment), 0);
  memory_free(assignment);
  return found;
}

/* Tries the clause once; the fact that it derives, or NO_FACT. */
static uint32_t try_clause(clause_walk *w, clause_use use, uint32_t fact, bool *is_new) {
  derivation_step by = {.clause = w->ways.at[use.way].clause};
  VECTOR(const number_vector *) body = {0};
  number_vector derived = {0};
  uint32_t made = NO_FACT;
  array_mark before = array_values_mark(w->ts);
  *is_new = false;
  w->way = use.way;
  work_add(w->ways.at[use.way].work);
  bool fine = choose_premises(w, use, fact, &by.premises);
  for (size_t i = 0; i < by.premises.count && fine; i++) VECTOR_PUSH(body, &w->known.list.at[by.premises.at[i]].values);
  fine = fine && clause_plan_apply(w->ways.at[use.way].plan, body.at, NULL, &by.values, &derived);
  if (fine && !divides_by_zero(w, use, &by.values)) {
    *is_new = facts_add(&w->known, clause_of(w, use)->head, &derived, by, &made);
  } else {
    VECTOR_FREE(by.premises);
    VECTOR_FREE(by.values);
  }
  if (!*is_new) array_values_release(w->ts, before);
  VECTOR_FREE(body);
  VECTOR_FREE(derived);
  return made;
}

/* The same a few times, if there is something to choose. */
static uint32_t use_clause(clause_walk *w, clause_use use, uint32_t fact, bool *is_new) {
  bool is_open = w->ways.at[use.way].is_chosen || clause_of(w, use)->body.count > 1;
  uint32_t made = NO_FACT;
  w->is_open |= is_open;
  for (int i = 0; i < (is_open ? TRIES : 1) && made == NO_FACT; i++) made = try_clause(w, use, fact, is_new);
  return made;
}

/* The next fact of the run. In the first run all clauses are tried, to see whether there is a choice. */
static uint32_t step_from(clause_walk *w, uint32_t fact, bool *is_new) {
  uint32_t predicate = w->known.list.at[fact].predicate, next = NO_FACT;
  bool is_this_new = false;
  for (size_t i = 0; i < w->queries[predicate].count && w->known.query == NO_FACT; i++)
    use_clause(w, w->queries[predicate].at[i], fact, &is_this_new);
  size_t count = w->steps[predicate].count, first = count ? random_below(&w->random, count) : 0;
  for (size_t i = 0; i < count && w->known.query == NO_FACT; i++) {
    if (next != NO_FACT && (w->has_run || w->is_open)) break;
    uint32_t made = use_clause(w, w->steps[predicate].at[(first + i) % count], fact, &is_this_new);
    if (made == NO_FACT) continue;
    w->is_open |= next != NO_FACT;
    if (next == NO_FACT) *is_new = is_this_new;
    if (next == NO_FACT) next = made;
  }
  return next;
}

static uint32_t start(clause_walk *w) {
  bool is_new;
  if (!w->starts.count) return NO_FACT;
  clause_use use = {w->starts.at[random_below(&w->random, w->starts.count)], 0};
  w->is_open |= w->starts.count > 1;
  return use_clause(w, use, NO_FACT, &is_new);
}

void clause_walk_set_size(clause_walk *w, size_t size) {
  w->size = size;
  fill_pools(w);
}

walk_end clause_walk_run(clause_walk *w, size_t size, uint64_t steps) {
  size_t repeated = 0;
  bool is_new = true, comes_back = false;
  clause_walk_set_size(w, size);
  uint32_t fact = start(w);
  for (; fact != NO_FACT && w->known.query == NO_FACT && steps && !comes_back; steps--) {
    uint32_t before = fact;
    work_add(WORK_OF_STEP);
    if (budget_spent(w->budget)) return WALK_LIMITED;
    fact = step_from(w, fact, &is_new);
    repeated = is_new ? 0 : repeated + 1;
    /* The only run there is begins with what is known of it, in the same order. */
    comes_back = w->is_open ? repeated >= MOST_REPEATED : fact <= before;
  }
  w->has_run = true;
  if (w->known.query != NO_FACT) return WALK_FOUND;
  return fact == NO_FACT || comes_back || (w->is_open && repeated) ? WALK_STUCK : WALK_LIMITED;
}

bool clause_walk_is_only_one(const clause_walk *w) { return !w->is_open; }

const ground_facts *clause_walk_facts(const clause_walk *w) { return &w->known; }

void clause_walk_forget(clause_walk *w) {
  facts_close(&w->known);
  facts_open(&w->known, w->ts, w->all);
  for (size_t i = 0; i < w->pools.count; i++) VECTOR_CLEAR(w->pools.at[i]);
  array_values_release(w->ts, w->before);
}
