/* From a chain of obligations to a run: each step is chosen so that it leads into the next cube, by one question. */
#include "engine/pdr/block.h"
#include "term/evaluate.h"

/* The state as equations. */
static void assert_state(blocking *b, solver *s, const number_vector *state) {
  for (size_t i = 0; i < b->model->variables.count; i++)
    solver_assert(s, fixed_term(b->ts, b->model->variables.at[i].var, state->at[i]));
}

static void read_inputs(solver *s, const transition *t, number_vector *out) {
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(*out, solver_value(s, t->inputs.at[i]));
}

/* The state after the last one, which has to be in the cube. */
static bool add_step(blocking *b, solver *s, uint32_t transition, const cube *into, evidence *out) {
  const model *m = b->model;
  const struct transition *t = &m->transitions.at[transition];
  trace_step made = {.transition = transition};
  number_vector before = {0};
  solver_push(s);
  assert_state(b, s, &VECTOR_LAST(out->steps).values);
  solver_assert(s, blocking_before(b, transition, into));
  bool found = answer_is_yes(solver_check(s, 0));
  if (found) read_inputs(s, t, &made.inputs);
  solver_pop(s);
  if (found) {
    trace_assignment(m, VECTOR_LAST(out->steps).values.at, t, made.inputs.at, &before);
    for (size_t i = 0; i < m->variables.count; i++)
      VECTOR_PUSH(made.values, term_evaluate(b->ts, transition_value_after(m, t, m->variables.at[i].var), before.at));
    VECTOR_PUSH(out->steps, made);
  }
  VECTOR_FREE(before);
  return found;
}

/* The inputs that make the last state bad, and the fault they make happen. */
static bool add_fault(blocking *b, solver *s, evidence *out) {
  if (b->model->properties.at[b->env->property].kind != PROPERTY_NO_FAULT) return true;
  number_vector values = {0};
  solver_push(s);
  assert_state(b, s, &VECTOR_LAST(out->steps).values);
  solver_assert(s, b->violation->bad);
  bool found = answer_is_yes(solver_check(s, 0));
  for (size_t i = 0; found && i < variable_count(b->ts); i++) {
    variable v = {(uint32_t)i};
    VECTOR_PUSH(values, solver_value(s, v));
  }
  solver_pop(s);
  found = found && violation_find_fault(b->model, values.at, out);
  VECTOR_FREE(values);
  return found;
}

bool run_from(blocking *b, size_t start, evidence *out) {
  solver *s = solver_new(b->ts, b->env->budget);
  trace_step first = {0};
  for (size_t i = 0; i < b->model->variables.count; i++)
    VECTOR_PUSH(first.values, b->values.at[b->model->variables.at[i].var.x]);
  out->kind = EVIDENCE_TRACE;
  VECTOR_PUSH(out->steps, first);
  bool fine = true;
  for (size_t at = start; fine && b->obligations.at[at].next != NO_OBLIGATION;) {
    const obligation *o = &b->obligations.at[at];
    fine = add_step(b, s, o->transition, &b->obligations.at[o->next].cube, out);
    at = o->next;
  }
  fine = fine && add_fault(b, s, out);
  solver_free(s);
  return fine;
}
