/* Traces: their memory, and their states computed again from inputs. */
#include "model/trace.h"

#include "term/evaluate.h"

void trace_clear(trace *t) {
  for (size_t i = 0; i < t->count; i++) {
    VECTOR_FREE(t->at[i].inputs);
    VECTOR_FREE(t->at[i].values);
    VECTOR_FREE(t->at[i].heap);
  }
  VECTOR_FREE(*t);
}

void trace_assignment(const model *m, const number *state, const transition *t, const number *inputs,
                      number_vector *out) {
  size_t count = variable_count(m->terms);
  VECTOR_RESERVE(*out, count);
  while (out->count < count) VECTOR_PUSH(*out, number_of(0));
  for (size_t i = 0; i < m->variables.count; i++) out->at[m->variables.at[i].var.x] = state[i];
  if (!t) return;
  for (size_t i = 0; i < t->inputs.count; i++) out->at[t->inputs.at[i].x] = inputs[i];
}

void trace_step_assignment(const model *m, const trace_step *state, const transition *t, const number *inputs,
                           number_vector *out) {
  trace_assignment(m, state->values.at, t, inputs, out);
  if (m->has_heap) heap_tag(m, &state->heap, out->at);
}

static void recompute_heap(const model *m, const transition *taken, const number_vector *values,
                           const trace_step *before, trace_step *step) {
  const heap_command *h = &taken->heap;
  VECTOR_CLEAR(step->heap);
  for (size_t i = 0; i < before->heap.count; i++) VECTOR_PUSH(step->heap, before->heap.at[i]);
  bool has_value = h->kind == HEAP_NEW || h->kind == HEAP_SET_DATA;
  bool value = has_value && !number_is(term_evaluate(m->terms, h->value, values->at), 0);
  heap_run(m, h, value, before->values.at, step->values.at, &step->heap);
}

void trace_recompute(const model *m, trace *t) {
  number_vector values = {0};
  for (size_t i = 1; i < t->count; i++) {
    const trace_step *before = &t->at[i - 1];
    trace_step *step = &t->at[i];
    const transition *taken = &m->transitions.at[step->transition];
    trace_step_assignment(m, before, taken, step->inputs.at, &values);
    for (size_t j = 0; j < m->variables.count; j++) step->values.at[j] = before->values.at[j];
    for (size_t j = 0; j < taken->updates.count; j++)
      step->values.at[model_position(m, taken->updates.at[j].var)] =
          term_evaluate(m->terms, taken->updates.at[j].value, values.at);
    if (m->has_heap) recompute_heap(m, taken, &values, before, step);
  }
  VECTOR_FREE(values);
}
