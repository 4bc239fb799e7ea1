/* One solver, with a question at a time. */
#include "run/bounds/step_questions.h"

#include "model/transform.h"
#include "term/evaluate.h"

void step_questions_open(step_questions *q, model *m, term facts, budget *b) {
  *q = (step_questions){.m = m, .budget = b, .solver = solver_new(m->terms, b)};
  solver_assert(q->solver, facts);
}

void step_questions_close(step_questions *q) { solver_free(q->solver); }

term step_questions_after(const step_questions *q, uint32_t t, term of) {
  return transform_after(q->m, &q->m->transitions.at[t], of);
}

/* What the solver has just found, by variable. */
static void read_values(step_questions *q, const transition *t, number_vector *out) {
  const model *m = q->m;
  while (out->count < variable_count(m->terms)) VECTOR_PUSH(*out, number_of(0));
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    out->at[v.x] = solver_value(q->solver, v);
  }
  for (size_t i = 0; i < t->inputs.count; i++) out->at[t->inputs.at[i].x] = solver_value(q->solver, t->inputs.at[i]);
}

static void read_step(step_questions *q, uint32_t t, const term_vector *of, number_vector *before,
                      number_vector *after) {
  number_vector values = {0};
  term_vector later = {0};
  for (size_t i = 0; i < of->count; i++) VECTOR_PUSH(later, step_questions_after(q, t, of->at[i]));
  read_values(q, &q->m->transitions.at[t], &values);
  for (size_t i = 0; i < of->count; i++) {
    VECTOR_PUSH(*before, term_evaluate(q->m->terms, of->at[i], values.at));
    VECTOR_PUSH(*after, term_evaluate(q->m->terms, later.at[i], values.at));
  }
  VECTOR_FREE(values);
  VECTOR_FREE(later);
}

answer step_questions_ask(step_questions *q, uint32_t t, term also, const term_vector *of, number_vector *before,
                          number_vector *after) {
  solver_push(q->solver);
  solver_assert(q->solver, transition_enabled(q->m, &q->m->transitions.at[t]));
  solver_assert(q->solver, also);
  answer a = solver_check(q->solver, 0);
  if (answer_is_yes(a) && before) read_step(q, t, of, before, after);
  solver_pop(q->solver);
  return a;
}

answer step_questions_state(step_questions *q, term also) { return solver_satisfiable(q->solver, also); }
