/* Copies are made when a time is first asked for, and each time has one substitution from the model's variables to its
 * own; the step is built once, over the model's variables, and moved to each time by it. */
#include "proof/copies.h"

#include "base/map.h"
#include "model/transform.h"
#include "proof/type_and_input_conditions.h"
#include "term/substitute.h"

typedef struct instant {
  variable_vector states, inputs;
  substitution *by; /* also for what is next: the copies of the time after; NULL before it is needed */
} instant;

struct copies {
  const model *model;
  terms *ts;
  VECTOR(instant) instants;
  variable_vector inputs; /* of all transitions, each once */
  term relation;          /* a step, over states, inputs and next states */
};

static term relation_of(const model *m) {
  term_vector ways = {0};
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    VECTOR_PUSH(ways, term_and(m->terms, condition_input_types(m, t), transform_relation(m, t)));
  }
  term result = term_or_all(m->terms, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

copies *copies_new(const model *m) {
  copies *p = MEMORY_NEW(copies);
  p->model = m;
  p->ts = m->terms;
  p->relation = relation_of(m);
  map *known = map_new();
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      variable v = m->transitions.at[i].inputs.at[j];
      if (!map_get(known, v.x, NULL)) VECTOR_PUSH(p->inputs, v);
      map_set(known, v.x, 1);
    }
  map_free(known);
  return p;
}

void copies_free(copies *p) {
  if (!p) return;
  for (size_t i = 0; i < p->instants.count; i++) {
    VECTOR_FREE(p->instants.at[i].states);
    VECTOR_FREE(p->instants.at[i].inputs);
    substitution_free(p->instants.at[i].by);
  }
  VECTOR_FREE(p->instants);
  VECTOR_FREE(p->inputs);
  memory_free(p);
}

static variable copy_at(copies *p, variable v, size_t time) {
  if (!time) return v;
  type of = *variable_type(p->ts, v); /* a copy: making a variable moves the table of types */
  char *stem = text_format("%s@%zu", variable_name(p->ts, v), time);
  variable copy = variable_fresh(p->ts, stem, &of);
  memory_free(stem);
  return copy;
}

static instant make_instant(copies *p, size_t time) {
  const model *m = p->model;
  instant made = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(made.states, copy_at(p, m->variables.at[i].var, time));
  for (size_t i = 0; i < p->inputs.count; i++) VECTOR_PUSH(made.inputs, copy_at(p, p->inputs.at[i], time));
  return made;
}

static instant *instant_at(copies *p, size_t time) {
  while (p->instants.count <= time) {
    instant made = make_instant(p, p->instants.count);
    VECTOR_PUSH(p->instants, made);
  }
  return &p->instants.at[time];
}

const variable_vector *copies_states(copies *p, size_t time) { return &instant_at(p, time)->states; }
const variable_vector *copies_inputs(copies *p, size_t time) { return &instant_at(p, time)->inputs; }

static void replace_all(copies *p, substitution *by, const variable_vector *old, const variable_vector *new) {
  for (size_t i = 0; i < old->count; i++) substitution_set(by, old->at[i], term_of_variable(p->ts, new->at[i]));
}

static substitution *substitution_at(copies *p, size_t time) {
  instant_at(p, time + 1);
  instant *now = &p->instants.at[time], *first = &p->instants.at[0], *after = &p->instants.at[time + 1];
  if (now->by) return now->by;
  now->by = substitution_new(p->ts);
  replace_all(p, now->by, &first->states, &now->states);
  replace_all(p, now->by, &first->inputs, &now->inputs);
  for (size_t i = 0; i < first->states.count; i++)
    substitution_set(now->by, variable_next(p->ts, first->states.at[i]), term_of_variable(p->ts, after->states.at[i]));
  return now->by;
}

term copies_at(copies *p, term t, size_t time) { return substitution_apply(substitution_at(p, time), t); }

term copies_step(copies *p, size_t time) { return copies_at(p, p->relation, time); }

term copies_differ(copies *p, size_t one, size_t other) {
  instant_at(p, one > other ? one : other);
  const variable_vector *a = copies_states(p, one), *b = copies_states(p, other);
  term_vector parts = {0};
  for (size_t i = 0; i < a->count; i++)
    VECTOR_PUSH(parts, term_not(term_eq(p->ts, term_of_variable(p->ts, a->at[i]), term_of_variable(p->ts, b->at[i]))));
  term result = term_or_all(p->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}
