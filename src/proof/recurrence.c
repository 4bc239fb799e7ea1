/* The obligations of a recurrence as formulas. */
#include "proof/recurrence.h"

#include "model/transform.h"
#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"
#include "term/substitute.h"

const char *recurrence_open(const model *m, const property *p, temporal_promise *out) {
  if (p->kind != PROPERTY_LTL || !temporal_is_promise(m->terms, p->formula, out))
    return "a recurrence is about properties of the shapes F p and G (q => F p) in LTL";
  return m->fairness.count ? "a recurrence says nothing about fair runs" : NULL;
}

static term value_term(terms *ts, variable v, number n) {
  return variable_type(ts, v)->sort == SORT_BOOL ? term_of_bool(!number_is(n, 0)) : term_number(ts, n);
}

term recurrence_stays(const model *m, const evidence *e, const trace_step *choice) {
  const transition *t = &m->transitions.at[choice->transition];
  term parts[] = {condition_input_types(m, t), transition_enabled(m, t), condition_types_after(m, t),
                  transform_after(m, t, e->region)};
  substitution *s = substitution_new(m->terms);
  for (size_t i = 0; i < t->inputs.count; i++)
    substitution_set(s, t->inputs.at[i], value_term(m->terms, t->inputs.at[i], choice->inputs.at[i]));
  term result = substitution_apply(s, term_and_all(m->terms, ARRAY_LENGTH(parts), parts));
  substitution_free(s);
  return result;
}

term recurrence_leaves(const model *m, const evidence *e) {
  term_vector parts = {0};
  VECTOR_PUSH(parts, e->region);
  for (size_t i = 0; i < e->choices.count; i++) VECTOR_PUSH(parts, term_not(recurrence_stays(m, e, &e->choices.at[i])));
  term result = term_and_all(m->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

bool recurrence_holds_at(const model *m, const evidence *e, size_t position, term formula) {
  number_vector values = {0};
  trace_assignment(m, e->steps.at[position].values.at, NULL, NULL, &values);
  bool holds = number_is(term_evaluate(m->terms, formula, values.at), 1);
  VECTOR_FREE(values);
  return holds;
}

bool recurrence_made_at(const model *m, const temporal_promise *p, const evidence *e, size_t *position) {
  for (size_t at = p->is_always ? e->steps.count : 1; at-- > 0;)
    if (recurrence_holds_at(m, e, at, p->asks)) {
      *position = at;
      return true;
    }
  return false;
}
