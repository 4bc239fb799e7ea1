/* The states along the transitions are terms over the first state and the copies of inputs; one question finds values
 * for all of them. */
#include "engine/follow.h"

#include "model/transform.h"
#include "term/substitute.h"

typedef struct execution {
  const follow_question *q;
  terms *ts;
  VECTOR(term_vector) states;     /* the value of each variable, in each state, over the first state and inputs */
  VECTOR(variable_vector) inputs; /* the copies for each step, and for the end */
  substitution *by;
} execution;

static void copy_inputs(execution *x, uint32_t transition) {
  variable_vector copies = {0};
  const model *m = x->q->model;
  for (size_t i = 0; transition != FOLLOW_NO_TRANSITION && i < m->transitions.at[transition].inputs.count; i++) {
    variable v = m->transitions.at[transition].inputs.at[i];
    type of = *variable_type(x->ts, v); /* a copy: making a variable moves the table of types */
    VECTOR_PUSH(copies, variable_fresh(x->ts, variable_name(x->ts, v), &of));
  }
  VECTOR_PUSH(x->inputs, copies);
}

/* From now on `by` reads formulas in the last state, with the inputs copied for it. */
static void bind(execution *x, uint32_t transition) {
  const model *m = x->q->model;
  substitution_clear(x->by);
  for (size_t i = 0; i < m->variables.count; i++)
    substitution_set(x->by, m->variables.at[i].var, VECTOR_LAST(x->states).at[i]);
  for (size_t i = 0; i < VECTOR_LAST(x->inputs).count; i++)
    substitution_set(x->by, m->transitions.at[transition].inputs.at[i],
                     term_of_variable(x->ts, VECTOR_LAST(x->inputs).at[i]));
}

static void step(execution *x, uint32_t transition) {
  const model *m = x->q->model;
  const struct transition *t = &m->transitions.at[transition];
  term_vector after = {0};
  solver_assert(x->q->solver, substitution_apply(x->by, transition_enabled(m, t)));
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(after, VECTOR_LAST(x->states).at[i]);
  for (size_t i = 0; i < t->updates.count; i++)
    after.at[model_position(m, t->updates.at[i].var)] = substitution_apply(x->by, t->updates.at[i].value);
  VECTOR_PUSH(x->states, after);
}

static void execute(execution *x) {
  const follow_question *q = x->q;
  term_vector first = {0};
  for (size_t i = 0; i < q->model->variables.count; i++)
    VECTOR_PUSH(first, term_of_variable(x->ts, q->model->variables.at[i].var));
  VECTOR_PUSH(x->states, first);
  solver_assert(q->solver, q->model->init);
  for (size_t i = 0; i <= q->count; i++) {
    uint32_t transition = i < q->count ? q->transitions[i] : q->end;
    copy_inputs(x, transition);
    bind(x, transition);
    if (q->where) solver_assert(q->solver, substitution_apply(x->by, q->where[i]));
    if (i < q->count) step(x, transition);
  }
  solver_assert(q->solver, substitution_apply(x->by, q->at_end));
  if (q->loop == FOLLOW_NO_LOOP) return;
  for (size_t i = 0; i < q->model->variables.count; i++)
    solver_assert(q->solver, term_eq(x->ts, VECTOR_LAST(x->states).at[i], x->states.at[q->loop].at[i]));
}

static void read_inputs(const execution *x, size_t step, number_vector *out) {
  for (size_t i = 0; i < x->inputs.at[step].count; i++)
    VECTOR_PUSH(*out, solver_value(x->q->solver, x->inputs.at[step].at[i]));
}

static void read_run(const execution *x, trace *out, number_vector *end_inputs) {
  const follow_question *q = x->q;
  for (size_t i = 0; i <= q->count; i++) {
    trace_step made = {0};
    if (i > 0) {
      made.transition = q->transitions[i - 1];
      read_inputs(x, i - 1, &made.inputs);
    }
    for (size_t j = 0; j < q->model->variables.count; j++)
      VECTOR_PUSH(made.values, i ? number_of(0) : solver_value(q->solver, q->model->variables.at[j].var));
    VECTOR_PUSH(*out, made);
  }
  if (end_inputs) read_inputs(x, q->count, end_inputs);
  trace_recompute(q->model, out);
}

answer follow_run(const follow_question *q, trace *out, number_vector *end_inputs) {
  execution x = {.q = q, .ts = q->model->terms, .by = substitution_new(q->model->terms)};
  solver_push(q->solver);
  execute(&x);
  answer found = solver_check(q->solver, 0);
  if (answer_is_yes(found)) read_run(&x, out, end_inputs);
  solver_pop(q->solver);
  for (size_t i = 0; i < x.states.count; i++) VECTOR_FREE(x.states.at[i]);
  for (size_t i = 0; i < x.inputs.count; i++) VECTOR_FREE(x.inputs.at[i]);
  VECTOR_FREE(x.states);
  VECTOR_FREE(x.inputs);
  substitution_free(x.by);
  return found;
}
