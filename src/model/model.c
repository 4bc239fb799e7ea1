/* Building models and looking things up in them. */
#include "model/model.h"

#include <stdarg.h>

#include "base/map.h"
#include "base/text.h"
#include "term/bounds.h"
#include "term/fold.h"
#include "term/heap/node_layout.h"

model *model_new(terms *ts, const char *name) {
  model *m = MEMORY_NEW(model);
  m->terms = ts;
  m->owns_terms = m->owns_clauses = true;
  m->positions = map_new();
  m->init = TERM_TRUE;
  m->name = model_string(m, name);
  return m;
}

model *model_derive(const model *from) {
  model *m = MEMORY_NEW(model);
  m->terms = from->terms;
  m->positions = map_new();
  m->name = from->name;
  m->init = TERM_TRUE;
  m->has_heap = from->has_heap;
  m->has_copies = from->has_copies;
  m->nodes = from->nodes;
  m->frees = from->frees;
  m->lost = from->lost;
  m->is_c_program = from->is_c_program;
  m->source = from->source;
  VECTOR_COPY(m->files, from->files);
  return m;
}

static void copy_transition(model *to, const transition *t) {
  transition copy = *t;
  copy.inputs.at = NULL, copy.inputs.count = copy.inputs.room = 0;
  copy.updates.at = NULL, copy.updates.count = copy.updates.room = 0;
  copy.faults.at = NULL, copy.faults.count = copy.faults.room = 0;
  copy.messages.at = NULL, copy.messages.count = copy.messages.room = 0;
  VECTOR_COPY(copy.inputs, t->inputs);
  VECTOR_COPY(copy.updates, t->updates);
  VECTOR_COPY(copy.faults, t->faults);
  VECTOR_COPY(copy.messages, t->messages);
  VECTOR_PUSH(to->transitions, copy);
}

static void copy_fairness(model *to, const fairness *f) {
  fairness copy = {.kind = f->kind, .state = f->state, .formula = f->formula, .place = f->place};
  VECTOR_COPY(copy.transitions, f->transitions);
  VECTOR_PUSH(to->fairness, copy);
}

model *model_copy(const model *from) {
  model *m = model_derive(from);
  m->terms = terms_copy(from->terms);
  m->owns_terms = true;
  m->init = from->init;
  m->clauses = from->clauses;
  for (size_t i = 0; i < from->variables.count; i++) model_adopt_variable(m, from->variables.at[i]);
  for (size_t i = 0; i < from->transitions.count; i++) copy_transition(m, &from->transitions.at[i]);
  for (size_t i = 0; i < from->fairness.count; i++) copy_fairness(m, &from->fairness.at[i]);
  VECTOR_COPY(m->processes, from->processes);
  VECTOR_COPY(m->queues, from->queues);
  VECTOR_COPY(m->properties, from->properties);
  VECTOR_COPY(m->notes, from->notes);
  VECTOR_COPY(m->definitions, from->definitions);
  VECTOR_COPY(m->predicates, from->predicates);
  VECTOR_COPY(m->lemmas, from->lemmas);
  VECTOR_COPY(m->domain, from->domain);
  VECTOR_COPY(m->controls, from->controls);
  m->copies = from->copies;
  m->any_copies = from->any_copies ? model_copy(from->any_copies) : NULL;
  return m;
}

const char *model_file(const model *m, place at) {
  return at.file && at.file <= m->files.count ? m->files.at[at.file - 1] : NULL;
}

void model_free(model *m) {
  if (!m) return;
  for (size_t i = 0; i < m->transitions.count; i++) {
    VECTOR_FREE(m->transitions.at[i].inputs);
    VECTOR_FREE(m->transitions.at[i].updates);
    VECTOR_FREE(m->transitions.at[i].faults);
    VECTOR_FREE(m->transitions.at[i].messages);
  }
  for (size_t i = 0; i < m->fairness.count; i++) VECTOR_FREE(m->fairness.at[i].transitions);
  VECTOR_FREE(m->files);
  VECTOR_FREE(m->variables);
  VECTOR_FREE(m->processes);
  VECTOR_FREE(m->queues);
  VECTOR_FREE(m->transitions);
  VECTOR_FREE(m->properties);
  VECTOR_FREE(m->fairness);
  VECTOR_FREE(m->definitions);
  VECTOR_FREE(m->predicates);
  VECTOR_FREE(m->lemmas);
  VECTOR_FREE(m->domain);
  VECTOR_FREE(m->controls);
  VECTOR_FREE(m->notes);
  if (m->owns_clauses) horn_clauses_free(m->clauses);
  map_free(m->positions);
  model_free(m->any_copies);
  if (m->owns_terms) terms_free(m->terms);
  memory_free(m);
}

arena *model_arena(model *m) { return terms_arena(m->terms); }
const char *model_string(model *m, const char *string) { return arena_copy_string(model_arena(m), string); }

void model_add_note(model *m, const char *format, ...) {
  text words = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&words, format, list);
  va_end(list);
  VECTOR_PUSH(m->notes, model_string(m, text_string(&words)));
  text_clear(&words);
}

void model_adopt_variable(model *m, state_variable v) {
  map_set(m->positions, v.var.x, m->variables.count);
  VECTOR_PUSH(m->variables, v);
  const type *of = variable_type(m->terms, v.var);
  if (of->sort == SORT_NODE) m->nodes = type_layout(of);
}

variable model_add_variable(model *m, const char *name, const type *t, variable_role role, place at) {
  variable v = variable_new(m->terms, name, t);
  model_adopt_variable(m, (state_variable){.var = v, .role = role, .place = at});
  return v;
}

transition *model_add_transition(model *m, const char *name, uint32_t process, term guard, place at) {
  VECTOR_PUSH(m->transitions,
              (transition){.name = model_string(m, name), .process = process, .guard = guard, .place = at});
  return &VECTOR_LAST(m->transitions);
}

variable transition_add_input(model *m, transition *t, const char *name, const type *of) {
  variable v = variable_fresh(m->terms, name, of);
  VECTOR_PUSH(t->inputs, v);
  return v;
}

void transition_add_update(transition *t, variable v, term value) { VECTOR_PUSH(t->updates, (update){v, value}); }

/* True if the conjuncts of `t` contradict each other by intervals alone. Each is looked at under all others, so
 * large conditions are left as they are. */
static bool is_impossible(terms *ts, term t) {
  enum { MOST_WORK = 20000 };
  term_vector parts = {0}, others = {0};
  term_conjuncts(ts, t, &parts);
  bool impossible = term_is_false(t), is_large = term_size(ts, t) * parts.count > MOST_WORK;
  for (size_t i = 0; i < parts.count && !is_large && !impossible; i++) {
    VECTOR_CLEAR(others);
    for (size_t j = 0; j < parts.count; j++)
      if (j != i) VECTOR_PUSH(others, parts.at[j]);
    impossible = term_is_false(term_simplify_under(ts, parts.at[i], others.count, others.at));
  }
  VECTOR_FREE(parts);
  VECTOR_FREE(others);
  return impossible;
}

void transition_add_fault(model *m, transition *t, term when, const char *what, place at) {
  if (!is_impossible(m->terms, when)) VECTOR_PUSH(t->faults, (fault){when, model_string(m, what), at});
}

property *model_add_property(model *m, const char *name, property_kind kind, place at) {
  VECTOR_PUSH(m->properties, (property){.name = model_string(m, name), .kind = kind, .bad = TERM_FALSE, .place = at});
  return &VECTOR_LAST(m->properties);
}

void model_close(model *m) {
  term_vector faults = {0};
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].faults.count; j++)
      VECTOR_PUSH(faults, m->transitions.at[i].faults.at[j].when);
  if (faults.count)
    model_add_property(m, "no-runtime-error", PROPERTY_NO_FAULT, (place){0})->bad =
        term_or_all(m->terms, faults.count, faults.at);
  VECTOR_FREE(faults);
}

void model_watch_leaks(model *m) {
  variable taken;
  for (size_t i = 0; i < m->transitions.count; i++) m->frees |= m->transitions.at[i].heap.kind == HEAP_FREE;
  if (!m->frees) return;
  const char *name = variable_find(m->terms, "lost", &taken) ? "memory.lost" : "lost";
  m->lost = model_add_variable(m, name, &(type){.sort = SORT_NODE, .layout = m->nodes}, ROLE_STATE, (place){0});
  term none = term_heap_null(m->terms, m->lost);
  m->init = term_and(m->terms, m->init, none);
  model_add_property(m, "no-leak", PROPERTY_SAFE, (place){0})->bad = term_not(none);
}

bool model_find_property(const model *m, const char *name, size_t *index) {
  for (size_t i = 0; i < m->properties.count; i++)
    if (!strcmp(m->properties.at[i].name, name)) {
      *index = i;
      return true;
    }
  return false;
}

size_t model_position(const model *m, variable v) {
  uint64_t at;
  return map_get(m->positions, v.x, &at) ? (size_t)at : SIZE_MAX;
}

bool model_is_state_variable(const model *m, variable v) { return model_position(m, v) != SIZE_MAX; }

bool model_is_finite(const model *m) {
  for (size_t i = 0; i < m->variables.count; i++)
    if (!type_is_finite(variable_type(m->terms, m->variables.at[i].var))) return false;
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++)
      if (!type_is_finite(variable_type(m->terms, m->transitions.at[i].inputs.at[j]))) return false;
  return true;
}

term transition_fault(const model *m, const transition *t) {
  term_vector all = {0};
  for (size_t i = 0; i < t->faults.count; i++) VECTOR_PUSH(all, t->faults.at[i].when);
  term result = term_or_all(m->terms, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

term transition_enabled(const model *m, const transition *t) {
  return term_and(m->terms, t->guard, term_not(transition_fault(m, t)));
}

term transition_value_after(const model *m, const transition *t, variable v) {
  for (size_t i = 0; i < t->updates.count; i++)
    if (variable_same(t->updates.at[i].var, v)) return t->updates.at[i].value;
  return term_of_variable(m->terms, v);
}

term variable_in_type(terms *ts, variable v) {
  const type *t = variable_type(ts, v);
  if (t->sort != SORT_INT) return TERM_TRUE;
  term x = term_of_variable(ts, v), result = TERM_TRUE;
  if (t->has_low) result = term_and(ts, result, term_ge(ts, x, term_number(ts, t->low)));
  if (t->has_high) result = term_and(ts, result, term_le(ts, x, term_number(ts, t->high)));
  return result;
}
