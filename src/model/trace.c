/* Traces: their memory, and their states computed again from inputs. */
#include "model/trace.h"

#include "model/rounds.h"
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
  int64_t value = 0;
  if (heap_has_value(h->kind)) number_to_int64(term_evaluate(m->terms, h->value, values->at), &value);
  heap_run(m, h, (unsigned)value, before->values.at, step->values.at, &step->heap);
}

bool trace_has_rounds(const trace *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->at[i].round) return true;
  return false;
}

number trace_length(const trace *t) {
  number all = number_of(0);
  for (size_t i = 1; i < t->count; i++) {
    const trace_step *s = &t->at[i];
    all = number_add(all, s->round ? number_mul(number_of(s->round), s->times) : number_of(1));
  }
  return all;
}

static uint64_t hear_step(const model *m, const trace_step *s, input_hearer *hear, void *context) {
  const transition *t = &m->transitions.at[s->transition];
  for (size_t i = 0; i < t->inputs.count && i < s->inputs.count; i++) hear(context, t->inputs.at[i], s->inputs.at[i]);
  return s->inputs.count;
}

/* False: too many. */
static bool hear_rounds(const model *m, const trace_step *s, uint64_t most, input_hearer *hear, void *context,
                        uint64_t *heard) {
  int64_t times;
  uint64_t inputs = 0;
  for (const trace_step *of = s - s->round; of < s; of++) inputs += of->inputs.count;
  if (!inputs) return true;
  if (!number_to_int64(s->times, &times) || (uint64_t)times > (most - *heard) / inputs) return false;
  for (int64_t i = 0; i < times; i++)
    for (const trace_step *of = s - s->round; of < s; of++) *heard += hear_step(m, of, hear, context);
  return true;
}

bool trace_hear_inputs(const model *m, const trace *t, uint64_t most, input_hearer *hear, void *context) {
  uint64_t heard = 0;
  for (size_t i = 1; i < t->count && heard <= most; i++) {
    if (!t->at[i].round)
      heard += hear_step(m, &t->at[i], hear, context);
    else if (!hear_rounds(m, &t->at[i], most, hear, context, &heard))
      return false;
  }
  return heard <= most;
}

static bool recompute_rounds(const model *m, const trace_step *before, trace_step *step) {
  round_effect form;
  if (!rounds_find(m, step - step->round, step->round, before->values.at, &form)) return false;
  rounds_apply(m, &form, before->values.at, step->times, &step->values);
  rounds_clear(&form);
  return true;
}

bool trace_recompute(const model *m, trace *t) {
  number_vector values = {0};
  bool fine = true;
  for (size_t i = 1; i < t->count && fine; i++) {
    const trace_step *before = &t->at[i - 1];
    trace_step *step = &t->at[i];
    if (step->round) {
      fine = recompute_rounds(m, before, step);
      continue;
    }
    const transition *taken = &m->transitions.at[step->transition];
    trace_step_assignment(m, before, taken, step->inputs.at, &values);
    for (size_t j = 0; j < m->variables.count; j++) step->values.at[j] = before->values.at[j];
    for (size_t j = 0; j < taken->updates.count; j++)
      step->values.at[model_position(m, taken->updates.at[j].var)] =
          term_evaluate(m->terms, taken->updates.at[j].value, values.at);
    if (m->has_heap) recompute_heap(m, taken, &values, before, step);
  }
  VECTOR_FREE(values);
  return fine;
}
