/* The states along the transitions are terms over the first state and the copies of inputs; one question finds values
 * for all of them. */
#include "engine/concrete_run.h"

#include "base/map.h"
#include "engine/bounded.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* ---- copies of inputs ---- */

struct input_copies {
  terms *ts;
  map *known; /* input variable and step -> its copy */
};

input_copies *input_copies_new(terms *ts) {
  input_copies *c = MEMORY_NEW(input_copies);
  *c = (input_copies){ts, map_new()};
  return c;
}

void input_copies_free(input_copies *c) {
  if (!c) return;
  map_free(c->known);
  memory_free(c);
}

variable input_copies_get(input_copies *c, variable input, size_t step) {
  REQUIRE(step < UINT32_MAX, "a step of a run");
  uint64_t key = (uint64_t)input.x << 32 | (uint32_t)step, known;
  if (map_get(c->known, key, &known)) return (variable){(uint32_t)known};
  type of = *variable_type(c->ts, input); /* a copy: making a variable moves the table of types */
  variable copy = variable_fresh(c->ts, variable_name(c->ts, input), &of);
  map_set(c->known, key, copy.x);
  return copy;
}

/* ---- the question ---- */

typedef struct execution {
  const concrete_run *q;
  terms *ts;
  input_copies *copies;
  VECTOR(term_vector) states; /* the value of each variable, in each state, over the first state and inputs */
  substitution *by;
} execution;

static void bind_inputs(execution *x, const transition *t, size_t step) {
  for (size_t i = 0; i < t->inputs.count; i++)
    substitution_set(x->by, t->inputs.at[i],
                     term_of_variable(x->ts, input_copies_get(x->copies, t->inputs.at[i], step)));
}

/* From now on `by` reads formulas in the last state, with the inputs copied for this step. */
static void bind(execution *x, uint32_t transition, size_t step) {
  const model *m = x->q->model;
  substitution_clear(x->by);
  for (size_t i = 0; i < m->variables.count; i++)
    substitution_set(x->by, m->variables.at[i].var, VECTOR_LAST(x->states).at[i]);
  if (transition == RUN_ENDS_IN_ANY_FAULT)
    for (size_t i = 0; i < m->transitions.count; i++) bind_inputs(x, &m->transitions.at[i], step);
  else if (transition != RUN_ENDS_WITHOUT_INPUTS)
    bind_inputs(x, &m->transitions.at[transition], step);
}

static void take(execution *x, uint32_t transition) {
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
  const concrete_run *q = x->q;
  term_vector first = {0};
  for (size_t i = 0; i < q->model->variables.count; i++)
    VECTOR_PUSH(first, term_of_variable(x->ts, q->model->variables.at[i].var));
  VECTOR_PUSH(x->states, first);
  solver_assert(q->solver, q->model->init);
  for (size_t i = 0; i <= q->count; i++) {
    bind(x, i < q->count ? q->transitions[i] : q->end, i);
    if (q->where) solver_assert(q->solver, substitution_apply(x->by, q->where[i]));
    if (i < q->count) take(x, q->transitions[i]);
  }
  solver_assert(q->solver, substitution_apply(x->by, q->at_end));
  if (q->loop == RUN_HAS_NO_LOOP) return;
  for (size_t i = 0; i < q->model->variables.count; i++)
    solver_assert(q->solver, term_eq(x->ts, VECTOR_LAST(x->states).at[i], x->states.at[q->loop].at[i]));
}

/* ---- the run ---- */

static void read_inputs(const execution *x, uint32_t transition, size_t step, number_vector *out) {
  const struct transition *t = &x->q->model->transitions.at[transition];
  for (size_t i = 0; i < t->inputs.count; i++)
    VECTOR_PUSH(*out, solver_value(x->q->solver, input_copies_get(x->copies, t->inputs.at[i], step)));
}

/* The fault that the solver's values make happen in the last state; false if there is none. */
static bool find_fault(const execution *x, evidence *out) {
  const model *m = x->q->model;
  number_vector values = {0};
  trace_assignment(m, VECTOR_LAST(out->steps).values.at, NULL, NULL, &values);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      variable input = m->transitions.at[i].inputs.at[j];
      values.at[input.x] = solver_value(x->q->solver, input_copies_get(x->copies, input, x->q->count));
    }
  bool found = violation_find_fault(m, values.at, out);
  VECTOR_FREE(values);
  return found;
}

static bool read_run(const execution *x, evidence *out) {
  const concrete_run *q = x->q;
  for (size_t i = 0; i <= q->count; i++) {
    trace_step made = {0};
    if (i > 0) {
      made.transition = q->transitions[i - 1];
      read_inputs(x, made.transition, i - 1, &made.inputs);
    }
    for (size_t j = 0; j < q->model->variables.count; j++)
      VECTOR_PUSH(made.values, i ? number_of(0) : solver_value(q->solver, q->model->variables.at[j].var));
    VECTOR_PUSH(out->steps, made);
  }
  trace_recompute(q->model, &out->steps);
  if (q->end == RUN_ENDS_IN_ANY_FAULT) return find_fault(x, out);
  if (q->end != RUN_ENDS_WITHOUT_INPUTS) read_inputs(x, q->end, q->count, &out->fault_inputs);
  return true;
}

answer concrete_run_find(const concrete_run *q, evidence *out) {
  terms *ts = q->model->terms;
  input_copies *own = q->copies ? NULL : input_copies_new(ts);
  execution x = {.q = q, .ts = ts, .copies = own ? own : q->copies, .by = substitution_new(ts)};
  solver_push(q->solver);
  execute(&x);
  answer found = solver_check(q->solver, 0);
  if (answer_is_yes(found) && !read_run(&x, out)) {
    evidence_clear(out);
    found = answer_unsure("the run found cannot be repeated");
  }
  solver_pop(q->solver);
  for (size_t i = 0; i < x.states.count; i++) VECTOR_FREE(x.states.at[i]);
  VECTOR_FREE(x.states);
  substitution_free(x.by);
  input_copies_free(own);
  return found;
}
