/* Weakest preconditions and preconditions by substitution, the step as a relation over primed variables. */
#include "model/transform.h"

#include "term/substitute.h"

term transform_after(const model *m, const transition *t, term p) {
  substitution *s = substitution_new(m->terms);
  for (size_t i = 0; i < t->updates.count; i++) substitution_set(s, t->updates.at[i].var, t->updates.at[i].value);
  term result = substitution_apply(s, p);
  substitution_free(s);
  return result;
}

term transform_wp(const model *m, const transition *t, term p) {
  return term_implies(m->terms, transition_enabled(m, t), transform_after(m, t, p));
}

term transform_pre(const model *m, const transition *t, term p) {
  return term_and(m->terms, transition_enabled(m, t), transform_after(m, t, p));
}

term transform_relation(const model *m, const transition *t) {
  terms *ts = m->terms;
  term_vector parts = {0};
  VECTOR_PUSH(parts, transition_enabled(m, t));
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (variable_type(ts, v)->sort == SORT_NODE) continue;
    VECTOR_PUSH(parts, term_eq(ts, term_of_variable(ts, variable_next(ts, v)), transition_value_after(m, t, v)));
  }
  term result = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

term transform_prime(const model *m, term p) {
  terms *ts = m->terms;
  substitution *s = substitution_new(ts);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    substitution_set(s, v, term_of_variable(ts, variable_next(ts, v)));
  }
  term result = substitution_apply(s, p);
  substitution_free(s);
  return result;
}
