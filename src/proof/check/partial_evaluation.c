/* Memoised substitution of known values; see partial_evaluation.h. */
#include "proof/check/partial_evaluation.h"

#include "base/map.h"
#include "proof/check/number_tuples.h"

/* A memo that grows beyond this is forgotten: if hardly any two parts agree it would only cost memory. */
enum { MEMO_LIMIT = 1 << 14 };

static term constant_term(terms *ts, variable v, number value) {
  if (variable_type(ts, v)->sort == SORT_BOOL) return term_of_bool(!number_is(value, 0));
  return term_number(ts, value);
}

/* The variables of some terms that parts fix: what a memo is keyed by. */
typedef struct memo_key {
  variable_vector variables;
  number *tuple;
  tuples *seen;
} memo_key;

static memo_key key_new(terms *ts, size_t count, const term *roots, const parts *fixing) {
  memo_key k = {0};
  term_variables(ts, count, roots, &k.variables);
  size_t kept = 0;
  for (size_t i = 0; i < k.variables.count; i++)
    if (invariant_index_fix(fixing, k.variables.at[i])) k.variables.at[kept++] = k.variables.at[i];
  k.variables.count = kept;
  k.tuple = MEMORY_ARRAY(number, kept + 1);
  k.seen = number_tuples_new(kept);
  return k;
}

static void key_free(memo_key *k) {
  VECTOR_FREE(k->variables);
  memory_free(k->tuple);
  number_tuples_free(k->seen);
}

/* The number of the values in `known`: number_tuples_count() if they are new. */
static size_t key_look_up(memo_key *k, const number *known) {
  for (size_t i = 0; i < k->variables.count; i++) k->tuple[i] = known[k->variables.at[i].x];
  size_t found = number_tuples_find(k->seen, k->tuple);
  return found == SIZE_MAX ? number_tuples_count(k->seen) : found;
}

/* Makes `shared` put in the values that were looked up last. */
static void key_load(const memo_key *k, terms *ts, substitution *shared) {
  substitution_clear(shared);
  for (size_t i = 0; i < k->variables.count; i++)
    if (number_is_known(k->tuple[i]))
      substitution_set(shared, k->variables.at[i], constant_term(ts, k->variables.at[i], k->tuple[i]));
}

/* ---- one term ---- */

struct partial {
  terms *ts;
  term whole;
  memo_key key;
  term_vector results;
  substitution *shared;
};

partial *partial_evaluation_new(terms *ts, term t, const parts *fixing, substitution *shared) {
  partial *p = MEMORY_NEW(partial);
  *p = (partial){.ts = ts, .whole = t, .key = key_new(ts, 1, &t, fixing), .shared = shared};
  return p;
}

void partial_evaluation_free(partial *p) {
  if (!p) return;
  key_free(&p->key);
  VECTOR_FREE(p->results);
  memory_free(p);
}

term partial_evaluation_value(partial *p, const number *known) {
  if (!p->key.variables.count) return p->whole;
  size_t found = key_look_up(&p->key, known);
  if (found < p->results.count) return p->results.at[found];
  if (found == MEMO_LIMIT) {
    number_tuples_clear(p->key.seen);
    VECTOR_CLEAR(p->results);
  }
  number_tuples_add(p->key.seen, p->key.tuple);
  key_load(&p->key, p->ts, p->shared);
  term result = substitution_apply(p->shared, p->whole);
  VECTOR_PUSH(p->results, result);
  return result;
}

/* ---- one transition ---- */

/* The assignments from one choice of known values. */
typedef struct assignments {
  term_vector values; /* of the updates */
  map *after;         /* term -> what it is after them */
} assignments;

struct move {
  const model *model;
  const transition *transition;
  VECTOR(partial *) guards; /* conjuncts of the guard, fewest variables first */
  partial *enabled;
  memo_key key; /* of the assignments */
  VECTOR(assignments) all;
  const number *known;
  size_t current;
  substitution *shared;
};

static void forget_assignments(move *v) {
  for (size_t i = 0; i < v->all.count; i++) {
    VECTOR_FREE(v->all.at[i].values);
    map_free(v->all.at[i].after);
  }
  VECTOR_CLEAR(v->all);
  number_tuples_clear(v->key.seen);
}

/* Few variables first: the test of a place then decides before anything larger is looked at. */
static void add_guards(move *v, const parts *fixing) {
  terms *ts = v->model->terms;
  term_vector conjuncts = {0};
  term_conjuncts(ts, v->transition->guard, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) {
    partial *p = partial_evaluation_new(ts, conjuncts.at[i], fixing, v->shared);
    VECTOR_PUSH(v->guards, p);
    for (size_t j = i; j > 0 && v->guards.at[j - 1]->key.variables.count > p->key.variables.count; j--) {
      v->guards.at[j] = v->guards.at[j - 1];
      v->guards.at[j - 1] = p;
    }
  }
  VECTOR_FREE(conjuncts);
}

move *move_new(const model *m, const transition *t, const parts *fixing, substitution *shared) {
  move *v = MEMORY_NEW(move);
  term_vector values = {0};
  for (size_t i = 0; i < t->updates.count; i++) VECTOR_PUSH(values, t->updates.at[i].value);
  *v = (move){.model = m, .transition = t, .shared = shared};
  add_guards(v, fixing);
  v->enabled = partial_evaluation_new(m->terms, transition_enabled(m, t), fixing, shared);
  v->key = key_new(m->terms, values.count, values.at, fixing);
  VECTOR_FREE(values);
  return v;
}

void move_free(move *v) {
  if (!v) return;
  for (size_t i = 0; i < v->guards.count; i++) partial_evaluation_free(v->guards.at[i]);
  VECTOR_FREE(v->guards);
  partial_evaluation_free(v->enabled);
  forget_assignments(v);
  VECTOR_FREE(v->all);
  key_free(&v->key);
  memory_free(v);
}

static void add_assignments(move *v) {
  assignments a = {.after = NULL};
  number_tuples_add(v->key.seen, v->key.tuple);
  key_load(&v->key, v->model->terms, v->shared);
  for (size_t i = 0; i < v->transition->updates.count; i++)
    VECTOR_PUSH(a.values, substitution_apply(v->shared, v->transition->updates.at[i].value));
  VECTOR_PUSH(v->all, a);
}

bool move_enter(move *v, const number *known) {
  for (size_t i = 0; i < v->guards.count; i++)
    if (term_is_false(partial_evaluation_value(v->guards.at[i], known))) return false;
  v->known = known;
  v->current = key_look_up(&v->key, known);
  if (v->current == MEMO_LIMIT) {
    forget_assignments(v);
    v->current = 0;
  }
  if (v->current == v->all.count) add_assignments(v);
  return true;
}

term move_enabled(move *v) { return partial_evaluation_value(v->enabled, v->known); }

void move_known_after(move *v, number *after) {
  terms *ts = v->model->terms;
  for (size_t i = 0; i < v->transition->updates.count; i++) {
    term value = v->all.at[v->current].values.at[i];
    number n = number_unknown;
    if (term_index(value) == 0)
      n = number_of(term_is_true(value));
    else
      term_is_number(ts, value, &n);
    after[v->transition->updates.at[i].var.x] = n;
  }
}

void move_restore(move *v, number *after) {
  for (size_t i = 0; i < v->transition->updates.count; i++) {
    uint32_t x = v->transition->updates.at[i].var.x;
    after[x] = v->known[x];
  }
}

term move_after(move *v, term t) {
  assignments *a = &v->all.at[v->current];
  uint64_t found;
  if (!a->after) a->after = map_new();
  if (map_get(a->after, t.x, &found)) return (term){(uint32_t)found};
  substitution_clear(v->shared);
  for (size_t i = 0; i < v->transition->updates.count; i++)
    substitution_set(v->shared, v->transition->updates.at[i].var, a->values.at[i]);
  term result = substitution_apply(v->shared, t);
  map_set(a->after, t.x, result.x);
  return result;
}
