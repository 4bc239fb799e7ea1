/* Copies of variables by time, made when first asked for, and a substitution for each time. */
#include "model/unroll.h"

#include "base/map.h"
#include "term/substitute.h"

/* More are not looked through for what they have in common. */
enum { MOST_CONJUNCTS = 100000 };

typedef struct instant {
  substitution *by;
  variable_vector choice; /* digits of the number of the transition taken */
} instant;

struct unrolling {
  const model *model;
  terms *ts;
  map *assigned; /* state variables that some transition assigns */
  map *copies;   /* variable and time -> copy */
  VECTOR(instant) instants;
  bool has_step;
  term step; /* from time 0 to 1 */
};

unrolling *unrolling_new(const model *m) {
  unrolling *u = MEMORY_NEW(unrolling);
  u->model = m;
  u->ts = m->terms;
  u->assigned = map_new();
  u->copies = map_new();
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    for (size_t j = 0; j < t->updates.count; j++) map_set(u->assigned, t->updates.at[j].var.x, 1);
  }
  return u;
}

void unrolling_free(unrolling *u) {
  if (!u) return;
  for (size_t i = 0; i < u->instants.count; i++) {
    substitution_free(u->instants.at[i].by);
    VECTOR_FREE(u->instants.at[i].choice);
  }
  VECTOR_FREE(u->instants);
  map_free(u->assigned);
  map_free(u->copies);
  memory_free(u);
}

static bool is_constant(const unrolling *u, variable v) {
  return model_is_state_variable(u->model, v) && !map_get(u->assigned, v.x, NULL);
}

variable unrolling_variable(unrolling *u, variable v, size_t time) {
  if (!time || is_constant(u, v)) return v;
  uint64_t key = (uint64_t)v.x << 32 | (uint32_t)time, known;
  if (map_get(u->copies, key, &known)) return (variable){(uint32_t)known};
  type of = *variable_type(u->ts, v); /* a copy: making a variable moves the table of types */
  char *stem = text_format("%s@%zu", variable_name(u->ts, v), time);
  variable copy = variable_fresh(u->ts, stem, &of);
  memory_free(stem);
  map_set(u->copies, key, copy.x);
  return copy;
}

static void replace(unrolling *u, substitution *by, variable v, size_t time) {
  variable copy = unrolling_variable(u, v, time);
  if (!variable_same(copy, v)) substitution_set(by, v, term_of_variable(u->ts, copy));
}

static GIVE substitution *substitution_at(unrolling *u, size_t time) {
  const model *m = u->model;
  substitution *by = substitution_new(u->ts);
  for (size_t i = 0; i < m->variables.count; i++) replace(u, by, m->variables.at[i].var, time);
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    for (size_t j = 0; j < t->inputs.count; j++) replace(u, by, t->inputs.at[j], time);
  }
  return by;
}

static instant *instant_at(unrolling *u, size_t time) {
  while (u->instants.count <= time) {
    instant made = {.by = substitution_at(u, u->instants.count)};
    type truth = {.sort = SORT_BOOL};
    for (size_t count = u->model->transitions.count; count > 1; count = (count + 1) / 2)
      VECTOR_PUSH(made.choice, variable_fresh(u->ts, "choice", &truth));
    VECTOR_PUSH(u->instants, made);
  }
  return &u->instants.at[time];
}

term unrolling_at(unrolling *u, term t, size_t time) {
  return time ? substitution_apply(instant_at(u, time)->by, t) : t;
}

const variable_vector *unrolling_choice(unrolling *u, size_t time) { return &instant_at(u, time)->choice; }

/* ---- the step ---- */

/* Guard, no fault, and every variable that anything assigns has its new value: as conjuncts. */
static void add_effect(unrolling *u, const transition *t, term_vector *out) {
  const model *m = u->model;
  term_conjuncts(u->ts, transition_enabled(m, t), out);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (is_constant(u, v)) continue;
    term after = term_of_variable(u->ts, unrolling_variable(u, v, 1));
    term_conjuncts(u->ts, term_eq(u->ts, after, transition_value_after(m, t, v)), out);
  }
}

/* A transition that is still to be distinguished from others: what is not said yet of it. */
typedef struct alternative {
  uint32_t transition;
  term_vector conjuncts;
} alternative;

typedef VECTOR(alternative) alternatives;

/* How often each conjunct occurs; the one that occurs most often, but the latest of these. */
static term most_common(const alternatives *all, map *counts, uint64_t *count) {
  term best = TERM_TRUE;
  *count = 0;
  map_clear(counts);
  for (size_t i = 0; i < all->count; i++)
    for (size_t j = 0; j < all->at[i].conjuncts.count; j++) {
      term t = all->at[i].conjuncts.at[j];
      uint64_t n = 0;
      map_get(counts, t.x, &n);
      map_set(counts, t.x, ++n);
      if (n <= *count) continue;
      *count = n;
      best = t;
    }
  return best;
}

static bool take_away(term_vector *from, term t) {
  for (size_t i = 0; i < from->count; i++) {
    if (!term_same(from->at[i], t)) continue;
    memmove(&from->at[i], &from->at[i + 1], (from->count - i - 1) * sizeof(term));
    from->count--;
    return true;
  }
  return false;
}

/* All that is left of one alternative, and its number. */
static term single(const unrolling *u, const variable_vector *choice, alternative *a) {
  for (size_t i = 0; i < choice->count; i++) {
    term digit = term_of_variable(u->ts, choice->at[i]);
    VECTOR_PUSH(a->conjuncts, a->transition >> i & 1 ? digit : term_not(digit));
  }
  return term_and_all(u->ts, a->conjuncts.count, a->conjuncts.at);
}

static void split(TAKE alternatives all, term by, alternatives *with, alternatives *without) {
  for (size_t i = 0; i < all.count; i++) {
    alternative *a = &all.at[i];
    if (take_away(&a->conjuncts, by))
      VECTOR_PUSH(*with, *a);
    else
      VECTOR_PUSH(*without, *a);
  }
  VECTOR_FREE(all);
}

/* One of the alternatives holds; they are given back. */
static term say_each(const unrolling *u, const variable_vector *choice, alternatives *all) {
  term_vector each = {0};
  for (size_t i = 0; i < all->count; i++) {
    VECTOR_PUSH(each, single(u, choice, &all->at[i]));
    VECTOR_FREE(all->at[i].conjuncts);
  }
  term result = term_or_all(u->ts, each.count, each.at);
  VECTOR_FREE(each);
  VECTOR_FREE(*all);
  return result;
}

/* The same. What all have is said once; then those that have the most common conjunct are
 * written together, and then the others. */
static term say_any(unrolling *u, const variable_vector *choice, TAKE alternatives all, map *counts) {
  term_vector common = {0};
  uint64_t count;
  term by = most_common(&all, counts, &count);
  while (all.count > 1 && count == all.count) {
    for (size_t i = 0; i < all.count; i++) take_away(&all.at[i].conjuncts, by);
    VECTOR_PUSH(common, by);
    by = most_common(&all, counts, &count);
  }
  if (all.count > 1 && count > 1) {
    alternatives with = {0}, without = {0};
    split(all, by, &with, &without);
    term first = term_and(u->ts, by, say_any(u, choice, with, counts));
    VECTOR_PUSH(common, term_or(u->ts, first, say_any(u, choice, without, counts)));
  } else {
    VECTOR_PUSH(common, say_each(u, choice, &all));
  }
  term result = term_and_all(u->ts, common.count, common.at);
  VECTOR_FREE(common);
  return result;
}

/* From time 0 to time 1. */
static term first_step(unrolling *u) {
  const model *m = u->model;
  const variable_vector choice = *unrolling_choice(u, 0);
  alternatives all = {0};
  size_t conjuncts = 0;
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    alternative a = {.transition = i};
    add_effect(u, &m->transitions.at[i], &a.conjuncts);
    conjuncts += a.conjuncts.count;
    VECTOR_PUSH(all, a);
  }
  map *counts = map_new();
  term result = conjuncts > MOST_CONJUNCTS ? say_each(u, &choice, &all) : say_any(u, &choice, all, counts);
  map_free(counts);
  return result;
}

term unrolling_step(unrolling *u, size_t time) {
  const model *m = u->model;
  if (!u->has_step) u->step = first_step(u);
  u->has_step = true;
  if (!time) return u->step;
  const variable_vector from = *unrolling_choice(u, 0), to = *unrolling_choice(u, time);
  substitution *by = substitution_at(u, time);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (is_constant(u, v)) continue;
    substitution_set(by, unrolling_variable(u, v, 1), term_of_variable(u->ts, unrolling_variable(u, v, time + 1)));
  }
  for (size_t i = 0; i < from.count; i++) substitution_set(by, from.at[i], term_of_variable(u->ts, to.at[i]));
  term result = substitution_apply(by, u->step);
  substitution_free(by);
  return result;
}

term unrolling_differ(unrolling *u, size_t one, size_t other) {
  const model *m = u->model;
  term_vector parts = {0};
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    term a = term_of_variable(u->ts, unrolling_variable(u, v, one)),
         b = term_of_variable(u->ts, unrolling_variable(u, v, other));
    VECTOR_PUSH(parts, term_not(term_eq(u->ts, a, b)));
  }
  term result = term_or_all(u->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}
