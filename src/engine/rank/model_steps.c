/* A solver that has what is known of states, and the steps that it gave (model_steps.h). */
#include "engine/rank/model_steps.h"

#include "engine/rank/overflow.h"
#include "model/transform.h"
#include "term/evaluate.h"

typedef struct found_step {
  uint32_t transition;
  number_vector values; /* by variable: of states and inputs */
} found_step;

struct model_steps {
  const model *model;
  terms *ts;
  term open;
  bool is_careful; /* what speaks of the bounds of types is not used */
  solver *solver;
  VECTOR(found_step) found;
  uint64_t questions;
};

model_steps *model_steps_new(engine_environment *env, term open, bool is_careful) {
  model_steps *s = MEMORY_NEW(model_steps);
  terms *ts = env->model->terms;
  *s = (model_steps){.model = env->model, .ts = ts, .open = open, .is_careful = is_careful};
  s->solver = solver_new(ts, env->budget);
  if (is_careful) solver_assume_types(s->solver, false);
  for (size_t i = 0; i < env->facts.count; i++)
    solver_assert(s->solver, is_careful ? overflow_leave_out_bounds(ts, env->facts.at[i]) : env->facts.at[i]);
  if (!is_careful) solver_assert(s->solver, open);
  return s;
}

void model_steps_free(model_steps *s) {
  if (!s) return;
  for (size_t i = 0; i < s->found.count; i++) VECTOR_FREE(s->found.at[i].values);
  VECTOR_FREE(s->found);
  solver_free(s->solver);
  memory_free(s);
}

static void keep_found(model_steps *s, uint32_t transition) {
  const struct transition *t = &s->model->transitions.at[transition];
  found_step found = {.transition = transition};
  for (size_t i = 0; i < variable_count(s->ts); i++) VECTOR_PUSH(found.values, number_of(0));
  for (size_t i = 0; i < s->model->variables.count; i++) {
    variable v = s->model->variables.at[i].var;
    found.values.at[v.x] = solver_value(s->solver, v);
  }
  for (size_t i = 0; i < t->inputs.count; i++)
    found.values.at[t->inputs.at[i].x] = solver_value(s->solver, t->inputs.at[i]);
  VECTOR_PUSH(s->found, found);
}

answer model_steps_ask(model_steps *s, uint32_t transition, term condition, bool keep) {
  const struct transition *t = &s->model->transitions.at[transition];
  term enabled = transition_enabled(s->model, t);
  solver_push(s->solver);
  solver_assert(s->solver, s->is_careful ? overflow_leave_out_bounds(s->ts, enabled) : enabled);
  if (!s->is_careful) solver_assert(s->solver, transform_after(s->model, t, s->open));
  solver_assert(s->solver, condition);
  answer a = solver_check(s->solver, 0);
  s->questions++;
  if (answer_is_yes(a) && keep) keep_found(s, transition);
  solver_pop(s->solver);
  return a;
}

size_t model_steps_found(const model_steps *s) { return s->found.count; }
uint32_t model_steps_transition(const model_steps *s, size_t found) { return s->found.at[found].transition; }
uint64_t model_steps_questions(const model_steps *s) { return s->questions; }

bool model_steps_satisfies(const model_steps *s, size_t found, term condition) {
  return number_is(term_evaluate(s->ts, condition, s->found.at[found].values.at), 1);
}

void model_steps_values(const model_steps *s, size_t found, const term_vector *of, number_vector *before,
                        number_vector *after) {
  const found_step *f = &s->found.at[found];
  for (size_t i = 0; i < of->count; i++) {
    term later = transform_after(s->model, &s->model->transitions.at[f->transition], of->at[i]); /* no new variables */
    VECTOR_PUSH(*before, term_evaluate(s->ts, of->at[i], f->values.at));
    VECTOR_PUSH(*after, term_evaluate(s->ts, later, f->values.at));
  }
}
