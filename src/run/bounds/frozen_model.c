/* First values are variables that are equal at first and never assigned. Of an input, the value is fixed before the run begins: the
 * guard of the only transition that reads it, which is taken at most once, asks for that value. */
#include "run/bounds/frozen_model.h"

#include "base/text.h"
#include "proof/evidence.h"
#include "run/bounds/control_edges.h"
#include "term/substitute.h"

variable frozen_add_variable(model *m, const char *stem, const type *of, variable_role role) {
  text name = {0};
  variable unused;
  text_add(&name, "%s", stem);
  while (variable_find(m->terms, text_string(&name), &unused)) text_add_char(&name, '\'');
  variable made = model_add_variable(m, model_string(m, text_string(&name)), of, role, (place){0});
  text_clear(&name);
  return made;
}

static bool is_assigned(const model *m, variable v) {
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++)
      if (variable_same(m->transitions.at[i].updates.at[j].var, v)) return true;
  return false;
}

static bool is_number(const model *m, const state_variable *v) {
  const type *of = variable_type(m->terms, v->var);
  return of->sort == SORT_INT && !of->name_count && v->role != ROLE_LOCATION;
}

/* What the initial condition says that `v` is: a number, or a value that never changes. */
static bool first_is_fixed(const frozen_model *f, variable v, term *out) {
  terms *ts = f->m->terms;
  term_vector parts = {0};
  bool found = false;
  term_conjuncts(ts, f->m->init, &parts);
  for (size_t i = 0; i < parts.count && !found; i++) {
    fixed_value fixed;
    found = fixed_of_literal(ts, parts.at[i], &fixed) && variable_same(fixed.var, v);
    if (found && variable_type(ts, v)->sort == SORT_BOOL)
      *out = number_is(fixed.value, 0) ? TERM_FALSE : TERM_TRUE;
    else if (found)
      *out = term_number(ts, fixed.value);
    for (size_t j = 0; j < f->values.count && !found && variable_type(ts, v)->sort == SORT_INT; j++) {
      found = term_same(parts.at[i], term_eq(ts, term_of_variable(ts, v), f->values.at[j]));
      if (found) *out = f->values.at[j];
    }
  }
  VECTOR_FREE(parts);
  return found;
}

/* ---- first values ---- */

static void add_unassigned(frozen_model *f) {
  for (size_t i = 0; i < f->m->variables.count; i++) {
    const state_variable *v = &f->m->variables.at[i];
    if (is_number(f->m, v) && !is_assigned(f->m, v->var)) VECTOR_PUSH(f->values, term_of_variable(f->m->terms, v->var));
  }
}

static void freeze_first_values(frozen_model *f) {
  model *m = f->m;
  size_t count = m->variables.count;
  add_unassigned(f);
  for (size_t i = 0; i < count; i++) {
    state_variable v = m->variables.at[i];
    term fixed;
    if (!is_number(m, &v) || !is_assigned(m, v.var) || first_is_fixed(f, v.var, &fixed)) continue;
    char *stem = text_format("%s@first", variable_name(m->terms, v.var));
    frozen_value made = {.shown = v.var};
    made.var = frozen_add_variable(m, stem, &(type){.sort = SORT_INT}, ROLE_PARAMETER);
    memory_free(stem);
    term value = term_of_variable(m->terms, made.var);
    m->init = term_and(m->terms, m->init, term_eq(m->terms, value, term_of_variable(m->terms, v.var)));
    VECTOR_PUSH(f->made, made);
    VECTOR_PUSH(f->values, value);
  }
}

/* ---- inputs ---- */

/* The only number that becomes the input's value by this transition; false if there is none. */
static bool variable_of_input(const model *m, const transition *t, variable input, variable *out) {
  term value = term_of_variable(m->terms, input);
  bool found = false;
  for (size_t i = 0; i < t->updates.count; i++) {
    if (!term_same(t->updates.at[i].value, value) || found) continue;
    *out = t->updates.at[i].var;
    found = true;
  }
  return found;
}

/* Another transition from the same place reads an input into the same variable: a run takes only one of them. */
static bool share_input(const frozen_model *f, const frozen_value *like, const control_edge *edge,
                        const index_vector *places, variable *out) {
  for (size_t i = 0; i < f->made.count; i++) {
    const frozen_value *v = &f->made.at[i];
    if (!v->is_input || !variable_same(v->shown, like->shown) || places->at[i] != edge->from) continue;
    *out = v->var;
    return true;
  }
  return false;
}

/* Where the text reads it. */
static place place_of_input(const model *m, const transition *t, variable input) {
  for (size_t i = 0; m->source && i < m->source->input_count; i++)
    if (variable_same(m->source->inputs[i].var, input)) return m->source->inputs[i].at;
  return t->place;
}

static void freeze_inputs_of(frozen_model *f, const control_edge *edge, index_vector *places) {
  model *m = f->m;
  for (size_t i = 0; i < m->transitions.at[edge->transition].inputs.count; i++) {
    transition *t = &m->transitions.at[edge->transition];
    variable input = t->inputs.at[i];
    frozen_value made = {.is_input = true, .at = place_of_input(m, t, input)};
    if (variable_type(m->terms, input)->sort != SORT_INT || !variable_of_input(m, t, input, &made.shown)) continue;
    if (!share_input(f, &made, edge, places, &made.var)) {
      char *stem = text_format("%s@%u", variable_name(m->terms, made.shown), (unsigned)made.at.line);
      made.var = frozen_add_variable(m, stem, &(type){.sort = SORT_INT}, ROLE_PARAMETER);
      memory_free(stem);
      VECTOR_PUSH(f->made, made);
      while (places->count < f->made.count) VECTOR_PUSH(*places, edge->from);
      VECTOR_PUSH(f->values, term_of_variable(m->terms, made.var));
    }
    term is_read = term_eq(m->terms, term_of_variable(m->terms, made.var), term_of_variable(m->terms, input));
    t = &m->transitions.at[edge->transition];
    t->guard = term_and(m->terms, t->guard, is_read);
  }
}

static void freeze_inputs(frozen_model *f) {
  for (uint32_t i = 0; i < f->m->processes.count; i++) {
    control_edges g;
    index_vector places = {0}; /* by value that was made */
    while (places.count < f->made.count) VECTOR_PUSH(places, NO_PLACE);
    control_edges_find(f->m, i, &g);
    for (uint32_t t = 0; t < f->m->transitions.count; t++) {
      const control_edge *edge = f->m->transitions.at[t].inputs.count ? control_edges_once(&g, t) : NULL;
      if (edge) freeze_inputs_of(f, edge, &places);
    }
    control_edges_clear(&g);
    VECTOR_FREE(places);
  }
}

void frozen_model_make(const model *m, frozen_model *out) {
  *out = (frozen_model){.m = model_copy(m)};
  VECTOR_CLEAR(out->m->properties);
  VECTOR_CLEAR(out->m->fairness);
  VECTOR_CLEAR(out->m->lemmas);
  freeze_first_values(out);
  freeze_inputs(out);
}

void frozen_model_clear(frozen_model *f) {
  model_free(f->m);
  VECTOR_FREE(f->made);
  VECTOR_FREE(f->values);
}

/* ---- looking ---- */

static variable first_value_of(const frozen_model *f, variable v) {
  for (size_t i = 0; i < f->made.count; i++)
    if (!f->made.at[i].is_input && variable_same(f->made.at[i].shown, v)) return f->made.at[i].var;
  return v;
}

term frozen_model_first(const frozen_model *f, term of) {
  terms *ts = f->m->terms;
  substitution *s = substitution_new(ts);
  for (size_t i = 0; i < f->m->variables.count; i++) {
    const state_variable *v = &f->m->variables.at[i];
    term fixed;
    if (first_is_fixed(f, v->var, &fixed))
      substitution_set(s, v->var, fixed);
    else
      substitution_set(s, v->var, term_of_variable(ts, first_value_of(f, v->var)));
  }
  term first = substitution_apply(s, of);
  substitution_free(s);
  return first;
}

term frozen_model_shown(const frozen_model *f, term of) {
  terms *ts = f->m->terms;
  substitution *s = substitution_new(ts);
  for (size_t i = 0; i < f->made.count; i++) {
    bool is_alone = true;
    for (size_t j = 0; j < f->made.count; j++)
      is_alone &= i == j || !variable_same(f->made.at[i].shown, f->made.at[j].shown);
    if (is_alone) substitution_set(s, f->made.at[i].var, term_of_variable(ts, f->made.at[i].shown));
  }
  term shown = substitution_apply(s, of);
  substitution_free(s);
  return shown;
}
