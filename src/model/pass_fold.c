/* Constant folding: a variable whose first value is known and that every transition leaves or sets to that value is
 * that value. Lists of values in the initial condition and in guards become ranges. */
#include "model/control.h"
#include "model/pass.h"
#include "term/bounds.h"
#include "term/ranges.h"

typedef struct folding {
  const model *m;
  VECTOR(bool) constant; /* by position */
  number_vector values;
  pass_result out;
  budget *budget;
} folding;

/* Values fixed by conjuncts `x = c`, `b`, `!b` of the initial condition. */
static void find_first_values(folding *f) {
  const terms *ts = f->m->terms;
  term_vector parts = {0};
  term_conjuncts(ts, f->m->init, &parts);
  for (size_t i = 0; i < f->m->variables.count; i++) {
    VECTOR_PUSH(f->constant, false);
    VECTOR_PUSH(f->values, number_of(0));
  }
  for (size_t i = 0; i < parts.count; i++) {
    term p = parts.at[i];
    variable v;
    number value;
    if (term_kind_of(ts, p) == TERM_BOOL_VARIABLE) {
      v = term_variable(ts, p);
      value = number_of(!term_is_negated(p));
    } else if (term_kind_of(ts, p) == TERM_EQ && !term_is_negated(p)) {
      linear l = term_linear(ts, term_argument(ts, p, 0));
      if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE)
        continue;
      v = term_variable(ts, l.leaves[0]);
      value = number_negate(l.constant);
    } else {
      continue;
    }
    size_t at = model_position(f->m, v);
    f->constant.at[at] = true;
    f->values.at[at] = value;
  }
  VECTOR_FREE(parts);
}

static term value_term(const folding *f, size_t position) {
  terms *ts = f->m->terms;
  if (variable_type(ts, f->m->variables.at[position].var)->sort == SORT_BOOL)
    return term_of_bool(!number_is(f->values.at[position], 0));
  return term_number(ts, f->values.at[position]);
}

/* Places stay: engines and readers want them even if a process has only one. */
static void drop_changing(folding *f) {
  const model *m = f->m;
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role == ROLE_LOCATION) f->constant.at[i] = false;
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++) {
      const update *u = &m->transitions.at[i].updates.at[j];
      size_t at = model_position(m, u->var);
      if (f->constant.at[at] && !term_same(u->value, value_term(f, at))) f->constant.at[at] = false;
    }
}

static void fold_transition(folding *f, uint32_t index) {
  const transition *t = &f->m->transitions.at[index];
  terms *ts = f->m->terms;
  term guard = term_with_ranges(ts, term_simplify_in_types(ts, substitution_apply(f->out.by, t->guard)));
  term_vector faults = {0};
  for (size_t i = 0; i < t->faults.count; i++)
    VECTOR_PUSH(faults, term_simplify_in_types(ts, substitution_apply(f->out.by, t->faults.at[i].when)));
  bool can_fault = false;
  for (size_t i = 0; i < faults.count; i++) can_fault |= !term_is_false(faults.at[i]);
  if (!term_is_false(guard) || can_fault) {
    transition *made = model_add_transition(f->out.model, t->name, t->process, guard, t->place);
    VECTOR_PUSH(f->out.transitions, index);
    for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(made->inputs, t->inputs.at[i]);
    for (size_t i = 0; i < faults.count; i++) /* all of them: evidence names a fault by its index */
      VECTOR_PUSH(made->faults, (fault){faults.at[i], t->faults.at[i].what, t->faults.at[i].place});
    for (size_t i = 0; i < t->updates.count; i++)
      if (!f->constant.at[model_position(f->m, t->updates.at[i].var)])
        transition_add_update(made, t->updates.at[i].var, substitution_apply(f->out.by, t->updates.at[i].value));
  }
  VECTOR_FREE(faults);
}

static bool lists_values(const folding *f, term t) { return !term_same(t, term_with_ranges(f->m->terms, t)); }

static bool anything_to_do(const folding *f) {
  for (size_t i = 0; i < f->constant.count; i++)
    if (f->constant.at[i]) return true;
  if (lists_values(f, f->m->init)) return true;
  for (size_t i = 0; i < f->m->transitions.count && !budget_spent(f->budget); i++)
    if (lists_values(f, f->m->transitions.at[i].guard) ||
        term_is_false(term_simplify_in_types(f->m->terms, f->m->transitions.at[i].guard)))
      return true;
  return false;
}

static void fold_model(folding *f, size_t property) {
  const model *m = f->m;
  terms *ts = m->terms;
  f->out.model = model_derive(m);
  f->out.by = substitution_new(ts);
  for (size_t i = 0; i < m->variables.count; i++) {
    VECTOR_PUSH(f->out.first, f->values.at[i]);
    if (!f->constant.at[i]) {
      VECTOR_PUSH(f->out.kept, i);
      continue;
    }
    term x = term_of_variable(ts, m->variables.at[i].var);
    substitution_set(f->out.by, m->variables.at[i].var, value_term(f, i));
    f->out.facts = term_and(ts, f->out.facts, term_eq(ts, x, value_term(f, i)));
  }
  pass_copy_frame(&f->out, m, property);
  f->out.model->init = term_with_ranges(ts, substitution_apply(f->out.by, m->init));
  for (uint32_t i = 0; i < m->transitions.count && !budget_spent(f->budget); i++) fold_transition(f, i);
  f->out.model->properties.at[0].bad = substitution_apply(f->out.by, m->properties.at[property].bad);
  for (size_t i = 0; i < m->predicates.count; i++)
    VECTOR_PUSH(f->out.model->predicates, substitution_apply(f->out.by, m->predicates.at[i]));
  for (size_t i = 0; i < m->lemmas.count; i++)
    VECTOR_PUSH(f->out.model->lemmas, substitution_apply(f->out.by, m->lemmas.at[i]));
  for (size_t i = 0; i < m->domain.count; i++)
    VECTOR_PUSH(f->out.model->domain, substitution_apply(f->out.by, m->domain.at[i]));
  control_follow(m, f->out.model);
}

/* Temporal properties and fairness speak of transitions and states in ways that are not rewritten here: such models
 * stay as they are. */
pass_result pass_fold(const model *m, size_t property, budget *b) {
  folding f = {.m = m, .budget = b, .out = {.facts = TERM_TRUE}};
  if (property_is_temporal(&m->properties.at[property]) || m->fairness.count) return f.out;
  find_first_values(&f);
  drop_changing(&f);
  if (anything_to_do(&f)) fold_model(&f, property);
  VECTOR_FREE(f.constant);
  VECTOR_FREE(f.values);
  return f.out;
}
