/* Integers start as candidates if they begin with a constant; those that are set to anything but constants and other
 * candidates fall, until nothing changes. */
#include "engine/widen/graph/location_variables.h"

#include <stdlib.h>

#include "proof/evidence.h"

enum { MOST_VALUES = 64 };

typedef struct candidate {
  bool stands;
  number_vector constants; /* it starts with or is set to */
} candidate;

typedef struct search {
  const model *model;
  candidate *candidates; /* by position */
} search;

static bool is_small(const type *t) { return type_is_finite(t) && type_size(t, MOST_VALUES + 1) <= MOST_VALUES; }

/* Places, booleans and enumerations are finite whatever is done with them. */
static bool is_control_by_type(const terms *ts, const state_variable *v) {
  const type *t = variable_type(ts, v->var);
  if (v->role == ROLE_LOCATION) return true;
  return t->sort == SORT_BOOL || (t->names && is_small(t));
}

/* The constants that `value` may be; false if it may be anything else than those and values of other candidates. */
static bool constants_of(const search *s, term value, number_vector *out) {
  const terms *ts = s->model->terms;
  term_vector pending = {0};
  bool fine = true;
  VECTOR_PUSH(pending, value);
  while (pending.count && fine && out->count <= MOST_VALUES) {
    term t = VECTOR_POP(pending);
    number n;
    if (term_is_number(ts, t, &n)) {
      VECTOR_PUSH(*out, n);
    } else if (term_kind_of(ts, t) == TERM_INT_VARIABLE) {
      size_t at = model_position(s->model, term_variable(ts, t));
      fine = at != SIZE_MAX && s->candidates[at].stands;
    } else if (term_kind_of(ts, t) == TERM_INT_ITE) {
      VECTOR_PUSH(pending, term_argument(ts, t, 1));
      VECTOR_PUSH(pending, term_argument(ts, t, 2));
    } else {
      fine = false;
    }
  }
  VECTOR_FREE(pending);
  return fine && out->count <= MOST_VALUES;
}

static void nominate(search *s) {
  const model *m = s->model;
  term_vector first = {0};
  term_conjuncts(m->terms, m->init, &first);
  for (size_t i = 0; i < first.count; i++) {
    fixed_value f;
    if (!fixed_of_literal(m->terms, first.at[i], &f)) continue;
    size_t at = model_position(m, f.var);
    if (at == SIZE_MAX || variable_type(m->terms, f.var)->sort != SORT_INT) continue;
    s->candidates[at].stands = true;
    VECTOR_PUSH(s->candidates[at].constants, f.value);
  }
  VECTOR_FREE(first);
}

/* Those that are set to something else fall, and with them those that copy them. */
static void drop_others(search *s) {
  const model *m = s->model;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m->transitions.count; i++) {
      const transition *t = &m->transitions.at[i];
      for (size_t j = 0; j < t->updates.count; j++) {
        candidate *c = &s->candidates[model_position(m, t->updates.at[j].var)];
        number_vector seen = {0};
        if (c->stands && !constants_of(s, t->updates.at[j].value, &seen)) {
          c->stands = false;
          changed = true;
        }
        VECTOR_FREE(seen);
      }
    }
  }
}

static int compare_numbers(const void *a, const void *b) {
  return number_compare(*(const number *)a, *(const number *)b);
}

static void make_ascending(number_vector *all) {
  if (!all->count) return;
  qsort(all->at, all->count, sizeof(number), compare_numbers);
  size_t kept = 1;
  for (size_t i = 1; i < all->count; i++)
    if (!number_equal(all->at[kept - 1], all->at[i])) all->at[kept++] = all->at[i];
  all->count = kept;
}

/* Candidates copy from each other, so each gets the constants of all. */
static void gather_constants(search *s, number_vector *out) {
  const model *m = s->model;
  for (size_t i = 0; i < m->variables.count; i++)
    for (size_t j = 0; s->candidates[i].stands && j < s->candidates[i].constants.count; j++)
      VECTOR_PUSH(*out, s->candidates[i].constants.at[j]);
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    for (size_t j = 0; j < t->updates.count; j++) {
      number_vector here = {0};
      if (s->candidates[model_position(m, t->updates.at[j].var)].stands) constants_of(s, t->updates.at[j].value, &here);
      for (size_t k = 0; k < here.count; k++) VECTOR_PUSH(*out, here.at[k]);
      VECTOR_FREE(here);
    }
  }
  make_ascending(out);
}

static void add_values_of_type(const type *t, number_vector *out) {
  number low = t->sort == SORT_BOOL ? number_of(0) : t->low, high = t->sort == SORT_BOOL ? number_of(1) : t->high;
  for (number n = low; number_compare(n, high) <= 0; n = number_add(n, number_of(1))) VECTOR_PUSH(*out, n);
}

static bool is_assigned(const model *m, variable v) {
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++)
      if (variable_same(m->transitions.at[i].updates.at[j].var, v)) return true;
  return false;
}

void location_variables_find(const model *m, control_choice choice, location_variables *out) {
  search s = {m, MEMORY_ARRAY(candidate, m->variables.count + 1)};
  number_vector constants = {0};
  nominate(&s);
  drop_others(&s);
  gather_constants(&s, &constants);
  bool few = constants.count <= MOST_VALUES;
  for (size_t i = 0; i < m->variables.count; i++) {
    const state_variable *v = &m->variables.at[i];
    location_variable c = {.var = v->var};
    if (v->role != ROLE_LOCATION && choice == CONTROL_PLACES) continue;
    if (is_control_by_type(m->terms, v)) {
      add_values_of_type(variable_type(m->terms, v->var), &c.values);
    } else if (s.candidates[i].stands && few && is_assigned(m, v->var)) {
      for (size_t j = 0; j < constants.count; j++) VECTOR_PUSH(c.values, constants.at[j]);
    } else {
      continue;
    }
    VECTOR_PUSH(*out, c);
  }
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_FREE(s.candidates[i].constants);
  memory_free(s.candidates);
  VECTOR_FREE(constants);
}

void location_variables_clear(location_variables *all) {
  for (size_t i = 0; i < all->count; i++) VECTOR_FREE(all->at[i].values);
  VECTOR_FREE(*all);
}
