/* A class is a list of positions. The value of a boolean is taken relative to its first one, so that those that are always
 * different are alike. */
#include "run/correspondence/classes.h"

typedef struct class {
  bool has_one_value;
  number value;
  VECTOR(size_t) members; /* positions, ascending */
} class;

struct classes {
  const model *m;
  bool *is_negated; /* by position: a boolean that was false at first */
  VECTOR(class) all;
};

static const type *type_at(const classes *c, size_t position) {
  return variable_type(c->m->terms, c->m->variables.at[position].var);
}

/* False is 1 for one that was false at first. */
static number relative(const classes *c, size_t position, const number *state) {
  return c->is_negated[position] ? number_of(number_is(state[position], 0)) : state[position];
}

/* The class for a value among those from `first` on, made if there is none. Booleans and numbers are not mixed. */
static class *class_for(classes *c, size_t first, size_t position, number value, bool has_one_value) {
  for (size_t i = first; i < c->all.count; i++) {
    class *k = &c->all.at[i];
    if (number_equal(k->value, value) && type_at(c, k->members.at[0])->sort == type_at(c, position)->sort) return k;
  }
  VECTOR_PUSH(c->all, (class){.has_one_value = has_one_value, .value = value});
  return &VECTOR_LAST(c->all);
}

static bool is_treated(const classes *c, size_t position) {
  sort s = type_at(c, position)->sort;
  return c->m->variables.at[position].role != ROLE_LOCATION && (s == SORT_BOOL || s == SORT_INT);
}

classes *classes_new(const model *m, const number *state) {
  classes *c = MEMORY_NEW(classes);
  c->m = m;
  c->is_negated = MEMORY_ARRAY(bool, m->variables.count);
  for (size_t i = 0; i < m->variables.count; i++) {
    if (!is_treated(c, i)) continue;
    c->is_negated[i] = type_at(c, i)->sort == SORT_BOOL && number_is(state[i], 0);
    class *k = class_for(c, 0, i, relative(c, i, state), true);
    VECTOR_PUSH(k->members, i);
  }
  return c;
}

void classes_free(classes *c) {
  if (!c) return;
  for (size_t i = 0; i < c->all.count; i++) VECTOR_FREE(c->all.at[i].members);
  VECTOR_FREE(c->all);
  memory_free(c->is_negated);
  memory_free(c);
}

/* Those that have the value of the first member, or of the class if that has one value, stay; others make new classes. */
static bool split(classes *c, size_t index, const number *state) {
  size_t others = c->all.count, kept = 0;
  class k = c->all.at[index];
  number value = k.has_one_value ? k.value : relative(c, k.members.at[0], state);
  for (size_t i = 0; i < k.members.count; i++) {
    size_t position = k.members.at[i];
    number own = relative(c, position, state);
    if (number_equal(own, value)) {
      k.members.at[kept++] = position;
      continue;
    }
    class *other = class_for(c, others, position, own, false);
    VECTOR_PUSH(other->members, position);
  }
  k.members.count = kept;
  c->all.at[index] = k;
  return c->all.count > others;
}

bool classes_refine(classes *c, const number *state) {
  bool changed = false;
  for (size_t i = 0, count = c->all.count; i < count; i++)
    if (c->all.at[i].members.count) changed |= split(c, i, state);
  return changed;
}

static term value_of(const classes *c, size_t position) {
  term t = term_of_variable(c->m->terms, c->m->variables.at[position].var);
  return c->is_negated[position] ? term_not(t) : t;
}

void classes_equalities(const classes *c, term_vector *out) {
  terms *ts = c->m->terms;
  for (size_t i = 0; i < c->all.count; i++) {
    const class *k = &c->all.at[i];
    for (size_t j = !k->has_one_value; j < k->members.count; j++) {
      term t = value_of(c, k->members.at[j]);
      bool is_bool = type_at(c, k->members.at[j])->sort == SORT_BOOL;
      term other = !k->has_one_value ? value_of(c, k->members.at[0]) : is_bool ? TERM_TRUE : term_number(ts, k->value);
      VECTOR_PUSH(*out, term_eq(ts, t, other));
    }
  }
}
