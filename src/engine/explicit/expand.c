/* The steps of a state, for a search breadth first. */
#include "engine/explicit/expand.h"

void expanded_clear(expanded *e) { VECTOR_FREE(e->violation.inputs); }

void expanded_begin(expanded *e) {
  word_vector inputs = e->violation.inputs;
  *e = (expanded){.violation.inputs = inputs};
  VECTOR_CLEAR(e->violation.inputs);
}

typedef struct visit {
  search *search;
  uint64_t state;
  void (*add)(void *context, const uint64_t *packed);
  void *context;
  expanded *out;
} visit;

static bool add_step(void *context, const machine_step *taken) {
  visit *v = context;
  if (taken->packed) {
    v->add(v->context, taken->packed);
    return true;
  }
  v->out->violation.is_found = true;
  v->out->violation.state = v->state;
  search_set_fault(&v->out->violation, taken, v->search->model->transitions.at[taken->transition].inputs.count);
  return false;
}

bool expand_state(search *s, unsigned member, const uint64_t *packed, uint64_t state,
                  void (*add)(void *context, const uint64_t *packed), void *context, expanded *out) {
  visit v = {s, state, add, context, out};
  bool with_faults = s->property->kind == PROPERTY_NO_FAULT;
  expansion e = stepper_expand(s->steppers[member], packed, with_faults, member ? NULL : s->env->budget, add_step, &v);
  out->taken += e.taken;
  out->gaps.lacks_inputs |= e.lacks_inputs;
  out->gaps.lacks_size |= e.lacks_size;
  if (out->violation.is_found) return false;
  if (e.end == EXPANSION_STOPPED) {
    out->is_stopped = true;
    return false;
  }
  if (e.end == EXPANSION_MISFIT) {
    out->has_misfit = true;
    out->misfit = e.misfit;
    out->misfit_value = e.misfit_value;
    return false;
  }
  if (s->property->kind == PROPERTY_DEADLOCKFREE && e.taken == 0 && !e.lacks_inputs && !e.lacks_size) {
    out->violation.is_found = true;
    out->violation.state = state;
    return false;
  }
  return true;
}

void expanded_take_violation(search *s, const violation *found) {
  word_vector inputs = s->violation.inputs;
  s->violation = *found;
  s->violation.inputs = inputs;
  VECTOR_CLEAR(s->violation.inputs);
  for (size_t i = 0; i < found->inputs.count; i++) VECTOR_PUSH(s->violation.inputs, found->inputs.at[i]);
}
