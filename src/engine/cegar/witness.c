/* From a list of actions to a run: the actions are executed on terms over the initial state and a copy of the inputs
 * for each step; the solver finds values for them, and the trace is computed from these exactly. */
#include "base/map.h"
#include "engine/cegar/path.h"
#include "term/evaluate.h"
#include "term/substitute.h"

variable tools_copy_of_input(cegar_tools *t, variable input, size_t step) {
  uint64_t key = (uint64_t)input.x << 32 | (uint32_t)step, known;
  if (map_get(t->copies, key, &known)) return (variable){(uint32_t)known};
  type of = *variable_type(t->ts, input); /* a copy: making a variable moves the table of types */
  variable copy = variable_fresh(t->ts, variable_name(t->ts, input), &of);
  map_set(t->copies, key, copy.x);
  return copy;
}

typedef struct execution {
  cegar_tools *t;
  term_vector now; /* of each state variable, in the order of the model */
  substitution *by;
} execution;

static void bind(execution *x, const transition *tr, size_t step) {
  const model *m = x->t->env->model;
  substitution_clear(x->by);
  for (size_t i = 0; i < m->variables.count; i++) substitution_set(x->by, m->variables.at[i].var, x->now.at[i]);
  for (size_t i = 0; tr && i < tr->inputs.count; i++)
    substitution_set(x->by, tr->inputs.at[i],
                     term_of_variable(x->t->ts, tools_copy_of_input(x->t, tr->inputs.at[i], step)));
}

static void execute(execution *x, const transition *tr, size_t step) {
  const model *m = x->t->env->model;
  bind(x, tr, step);
  solver_assert(x->t->solver, substitution_apply(x->by, transition_enabled(m, tr)));
  term_vector next = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(next, x->now.at[i]);
  for (size_t i = 0; i < tr->updates.count; i++)
    next.at[model_position(m, tr->updates.at[i].var)] = substitution_apply(x->by, tr->updates.at[i].value);
  VECTOR_FREE(x->now);
  x->now.at = next.at;
  x->now.count = next.count;
  x->now.room = next.room;
}

static void assert_bad(execution *x, size_t step) {
  const model *m = x->t->env->model;
  bind(x, NULL, step);
  if (m->properties.at[x->t->env->property].kind == PROPERTY_NO_FAULT)
    for (size_t i = 0; i < m->transitions.count; i++) {
      const transition *tr = &m->transitions.at[i];
      for (size_t j = 0; j < tr->inputs.count; j++)
        substitution_set(x->by, tr->inputs.at[j],
                         term_of_variable(x->t->ts, tools_copy_of_input(x->t, tr->inputs.at[j], step)));
    }
  solver_assert(x->t->solver, substitution_apply(x->by, x->t->system->bad));
}

static void read_inputs(execution *x, const transition *tr, size_t step, number_vector *out) {
  for (size_t i = 0; i < tr->inputs.count; i++)
    VECTOR_PUSH(*out, solver_value(x->t->solver, tools_copy_of_input(x->t, tr->inputs.at[i], step)));
}

/* The fault that the model's values make happen in the last state. */
static bool find_fault(execution *x, size_t step, evidence *out) {
  const model *m = x->t->env->model;
  const trace_step *last = &VECTOR_LAST(out->steps);
  bool found = false;
  for (uint32_t i = 0; i < m->transitions.count && !found; i++) {
    const transition *tr = &m->transitions.at[i];
    number_vector inputs = {0}, values = {0};
    read_inputs(x, tr, step, &inputs);
    trace_assignment(m, last->values.at, tr, inputs.at, &values);
    for (uint32_t j = 0; j < tr->faults.count && !found; j++) {
      found = !number_is(term_evaluate(x->t->ts, tr->faults.at[j].when, values.at), 0);
      if (!found) continue;
      out->fault_transition = i;
      out->fault = j;
      for (size_t k = 0; k < inputs.count; k++) VECTOR_PUSH(out->fault_inputs, inputs.at[k]);
    }
    VECTOR_FREE(inputs);
    VECTOR_FREE(values);
  }
  return found;
}

static bool read_run(execution *x, size_t count, const uint32_t *actions, evidence *out) {
  const model *m = x->t->env->model;
  out->kind = EVIDENCE_TRACE;
  for (size_t i = 0; i <= count; i++) {
    trace_step made = {0};
    if (i > 0) {
      made.transition = x->t->system->actions.at[actions[i - 1]].transition;
      read_inputs(x, &m->transitions.at[made.transition], i - 1, &made.inputs);
    }
    for (size_t j = 0; j < m->variables.count; j++)
      VECTOR_PUSH(made.values, i ? number_of(0) : solver_value(x->t->solver, m->variables.at[j].var));
    VECTOR_PUSH(out->steps, made);
  }
  trace_recompute(m, &out->steps);
  return m->properties.at[x->t->env->property].kind != PROPERTY_NO_FAULT || find_fault(x, count, out);
}

answer witness_find(cegar_tools *t, size_t count, const uint32_t *actions, evidence *out) {
  const model *m = t->env->model;
  execution x = {.t = t, .by = substitution_new(t->ts)};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(x.now, term_of_variable(t->ts, m->variables.at[i].var));
  solver_push(t->solver);
  solver_assert(t->solver, m->init);
  for (size_t i = 0; i < count; i++) execute(&x, &m->transitions.at[t->system->actions.at[actions[i]].transition], i);
  assert_bad(&x, count);
  answer found = solver_check(t->solver, 0);
  if (answer_is_yes(found) && !read_run(&x, count, actions, out)) {
    evidence_free(out);
    found = answer_unsure("the run found cannot be repeated");
  }
  solver_pop(t->solver);
  VECTOR_FREE(x.now);
  substitution_free(x.by);
  return found;
}
