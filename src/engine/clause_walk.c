/* Steps of runs: a plan for each clause says which variables are computed, and which are chosen. A number is chosen
 * within the bounds that the constraint gives by itself; whether it does is computed afterwards, and if not, tried again
 * a few times. */
#include "engine/clause_walk.h"

#include "base/random.h"
#include "base/work.h"
#include "proof/clause_plan.h"
#include "term/array_value.h"
#include "term/evaluate.h"

/* A unit is a microsecond, about. A run that only comes to what is known ends soon. */
enum { TRIES = 6, ARRAYS_OF_SIZE = 40, WORK_OF_STEP = 15, MOST_REPEATED = 64 };

/* coefficient * var + rest <= 0, if the variables of `rest` have values. */
typedef struct open_bound {
  variable var;
  number coefficient;
  term rest;
} open_bound;

typedef struct walk_clause {
  clause_plan *plan; /* NULL if it cannot be used */
  bool is_chosen;    /* some variable */
  VECTOR(open_bound) bounds;
} walk_clause;

typedef struct clause_use {
  uint32_t clause, atom;
} clause_use;
typedef VECTOR(clause_use) clause_uses;

struct clause_walk {
  terms *ts;
  const clauses *all;
  budget *budget;
  ground_facts known;
  random_source random;
  walk_clause *clauses;
  index_vector starts;
  clause_uses *queries, *steps; /* by predicate: atoms of bodies */
  number_vector constants;      /* of the clauses */
  number_vector arrays[2];      /* to choose from: of booleans, and of numbers */
  size_t size, pool_size;       /* of what is chosen in this run; of those arrays */
  uint32_t clause;              /* which is tried */
  bool has_run, is_open;        /* there was a choice */
};

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

static number new_array(clause_walk *w, sort element) {
  VECTOR(array_entry) entries = {0};
  int64_t end = 2 * (int64_t)w->size + 2;
  for (int64_t i = -1; i < end; i++) VECTOR_PUSH(entries, ((array_entry){number_of(i), any_element(w, element)}));
  number made = array_value_of(w->ts, any_element(w, element), entries.count, entries.at);
  VECTOR_FREE(entries);
  return made;
}

/* Values are kept for ever: so of each size there are some arrays, which are used again. */
static number any_array(clause_walk *w, sort element) {
  number_vector *pool = &w->arrays[element == SORT_BOOL ? 0 : 1];
  if (w->pool_size != w->size) w->arrays[0].count = w->arrays[1].count = 0;
  w->pool_size = w->size;
  if (pool->count < ARRAYS_OF_SIZE) {
    VECTOR_PUSH(*pool, new_array(w, element));
    return VECTOR_LAST(*pool);
  }
  return pool->at[random_below(&w->random, pool->count)];
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
  const walk_clause *c = &w->clauses[w->clause];
  interval made = {of->has_low, of->has_high, of->low, of->high};
  for (size_t i = 0; i < c->bounds.count; i++) {
    const open_bound *b = &c->bounds.at[i];
    if (!variable_same(b->var, v)) continue;
    number rest = term_evaluate(w->ts, b->rest, values);
    bool is_low = number_sign(b->coefficient) < 0;
    meet(&made, is_low,
         is_low ? number_ceil_div(rest, number_negate(b->coefficient))
                : number_floor_div(number_negate(rest), b->coefficient));
  }
  return made;
}

static number choose_number(clause_walk *w, variable v, const number *values) {
  interval i = bounds_of(w, v, values);
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

static number choose_value(void *context, variable v, const number *values) {
  clause_walk *w = context;
  const type *of = variable_type(w->ts, v);
  switch (of->sort) {
    case SORT_ARRAY: return any_array(w, of->element);
    case SORT_BOOL: return any_element(w, SORT_BOOL);
    case SORT_INT: return choose_number(w, v, values);
    default: return small_number(w);
  }
}

/* ---- preparation ---- */

/* What the literal says about `v`, of which it is linear. */
static void add_bound(clause_walk *w, walk_clause *to, term literal, variable v) {
  if (term_kind_of(w->ts, literal) != TERM_LE || term_is_real_atom(w->ts, literal)) return;
  term sum = term_argument(w->ts, literal, 0);
  if (term_is_negated(literal)) sum = term_sub(w->ts, term_int(w->ts, 1), sum);
  linear l = term_linear(w->ts, sum);
  for (size_t i = 0; i < l.count; i++) {
    if (term_kind_of(w->ts, l.leaves[i]) != TERM_INT_VARIABLE || !variable_same(term_variable(w->ts, l.leaves[i]), v))
      continue;
    open_bound made = {.var = v, .coefficient = l.coefficients[i]};
    made.rest = term_sub(w->ts, sum, term_scale(w->ts, made.coefficient, term_of_variable(w->ts, v)));
    if (!term_mentions(w->ts, made.rest, v)) VECTOR_PUSH(to->bounds, made);
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

static void choose_variable(clause_walk *w, walk_clause *to, variable v) {
  const term_vector *parts = clause_plan_parts(to->plan);
  to->is_chosen = true;
  for (size_t i = 0; i < parts->count; i++)
    if (term_mentions(w->ts, parts->at[i], v) && is_all_given(w, to->plan, parts->at[i], v))
      add_bound(w, to, parts->at[i], v);
  clause_plan_choose(to->plan, v, choose_value, w);
}

/* Later variables of a clause are mostly those that earlier ones give bounds for; arrays come first. */
static void prepare_clause(clause_walk *w, uint32_t number) {
  const clause *c = &w->all->clauses.at[number];
  walk_clause *to = &w->clauses[number];
  if (c->has_constants) return;
  to->plan = clause_plan_new(w->ts, c, false);
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < c->variables.count; i++) {
      variable v = c->variables.at[i];
      bool is_array = variable_type(w->ts, v)->sort == SORT_ARRAY;
      if (is_array == !round && !clause_plan_gives(to->plan, v)) choose_variable(w, to, v);
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
  w->clauses = MEMORY_ARRAY(walk_clause, of->clauses.count + 1);
  w->queries = MEMORY_ARRAY(clause_uses, of->predicates.count + 1);
  w->steps = MEMORY_ARRAY(clause_uses, of->predicates.count + 1);
  for (uint32_t i = 0; i < of->clauses.count && !budget_spent(b); i++) {
    const clause *c = &of->clauses.at[i];
    bool is_query = c->head == NO_PREDICATE;
    if (is_query && c->property != property) continue;
    prepare_clause(w, i);
    add_constants(w, c);
    if (!w->clauses[i].plan) continue;
    if (!c->body.count) VECTOR_PUSH(w->starts, i);
    for (uint32_t j = 0; j < c->body.count; j++) {
      if (is_query)
        VECTOR_PUSH(w->queries[c->body.at[j].predicate], ((clause_use){i, j}));
      else
        VECTOR_PUSH(w->steps[c->body.at[j].predicate], ((clause_use){i, j}));
    }
  }
  return w;
}

void clause_walk_free(clause_walk *w) {
  if (!w) return;
  for (size_t i = 0; i < w->all->clauses.count; i++) {
    clause_plan_free(w->clauses[i].plan);
    VECTOR_FREE(w->clauses[i].bounds);
  }
  for (size_t i = 0; i < w->all->predicates.count; i++) {
    VECTOR_FREE(w->queries[i]);
    VECTOR_FREE(w->steps[i]);
  }
  facts_close(&w->known);
  VECTOR_FREE(w->starts);
  VECTOR_FREE(w->constants);
  VECTOR_FREE(w->arrays[0]);
  VECTOR_FREE(w->arrays[1]);
  memory_free(w->clauses);
  memory_free(w->queries);
  memory_free(w->steps);
  memory_free(w);
}

/* ---- steps ---- */

/* Facts for all atoms but the given one, any that are known; false if there are none. */
static bool choose_premises(clause_walk *w, clause_use use, uint32_t fact, index_vector *out) {
  const clause *c = &w->all->clauses.at[use.clause];
  for (uint32_t i = 0; i < c->body.count; i++) {
    const index_vector *of = &w->known.of_predicate[c->body.at[i].predicate];
    if (i != use.atom && !of->count) return false;
    VECTOR_PUSH(*out, i == use.atom ? fact : of->at[random_below(&w->random, of->count)]);
  }
  return true;
}

/* Tries the clause once; the fact that it derives, or NO_FACT. */
static uint32_t try_clause(clause_walk *w, clause_use use, uint32_t fact, bool *is_new) {
  derivation_step by = {.clause = use.clause};
  VECTOR(const number_vector *) body = {0};
  number_vector derived = {0};
  uint32_t made = NO_FACT;
  w->clause = use.clause;
  bool fine = choose_premises(w, use, fact, &by.premises);
  for (size_t i = 0; i < by.premises.count && fine; i++) VECTOR_PUSH(body, &w->known.list.at[by.premises.at[i]].values);
  if (fine && clause_plan_apply(w->clauses[use.clause].plan, body.at, NULL, &by.values, &derived)) {
    *is_new = facts_add(&w->known, w->all->clauses.at[use.clause].head, &derived, by, &made);
  } else {
    VECTOR_FREE(by.premises);
    VECTOR_FREE(by.values);
  }
  VECTOR_FREE(body);
  VECTOR_FREE(derived);
  return made;
}

/* The same a few times, if there is something to choose. */
static uint32_t use_clause(clause_walk *w, clause_use use, uint32_t fact, bool *is_new) {
  const clause *c = &w->all->clauses.at[use.clause];
  bool is_open = w->clauses[use.clause].is_chosen || c->body.count > 1;
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

walk_end clause_walk_run(clause_walk *w, size_t size, uint64_t steps) {
  size_t repeated = 0;
  bool is_new = true;
  w->size = size;
  uint32_t fact = start(w);
  for (; fact != NO_FACT && w->known.query == NO_FACT && steps && repeated < MOST_REPEATED; steps--) {
    work_add(WORK_OF_STEP);
    if (budget_spent(w->budget)) return WALK_LIMITED;
    fact = step_from(w, fact, &is_new);
    repeated = is_new ? 0 : repeated + 1;
  }
  w->has_run = true;
  if (w->known.query != NO_FACT) return WALK_FOUND;
  return fact == NO_FACT || repeated ? WALK_STUCK : WALK_LIMITED;
}

bool clause_walk_is_only_one(const clause_walk *w) { return !w->is_open; }

const ground_facts *clause_walk_facts(const clause_walk *w) { return &w->known; }

void clause_walk_forget(clause_walk *w) {
  facts_close(&w->known);
  facts_open(&w->known, w->ts, w->all);
}
