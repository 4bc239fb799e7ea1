/* Invariants, run-time errors and deadlocks as formulas of bad states. */
#include "engine/widen/graph/bad_states.h"

#include "model/semantics.h"
#include "term/substitute.h"

enum { MOST_CHOICES = 256 };

/* The inputs that `condition` mentions, every way to choose them: whether one of them allows it. */
static const char *for_some_inputs(const model *m, const transition *t, term condition, term *out) {
  terms *ts = m->terms;
  uint64_t choices = 1;
  transition mentioned = {0};
  for (size_t i = 0; i < t->inputs.count; i++) {
    if (!term_mentions(ts, condition, t->inputs.at[i])) continue;
    VECTOR_PUSH(mentioned.inputs, t->inputs.at[i]);
    const type *of = variable_type(ts, t->inputs.at[i]);
    choices *= type_is_finite(of) ? type_size(of, MOST_CHOICES + 1) : MOST_CHOICES + 1;
    if (choices > MOST_CHOICES) {
      VECTOR_FREE(mentioned.inputs);
      return "deadlocks of steps that depend on unbounded or many inputs";
    }
  }
  term_vector all = {0};
  int64_t *values = MEMORY_ARRAY(int64_t, mentioned.inputs.count + 1);
  substitution *s = substitution_new(ts);
  inputs_first(m, &mentioned, values);
  do {
    substitution_clear(s);
    for (size_t i = 0; i < mentioned.inputs.count; i++) {
      bool is_bool = variable_type(ts, mentioned.inputs.at[i])->sort == SORT_BOOL;
      substitution_set(s, mentioned.inputs.at[i], is_bool ? term_of_bool(values[i]) : term_int(ts, values[i]));
    }
    VECTOR_PUSH(all, substitution_apply(s, condition));
  } while (inputs_advance(m, &mentioned, values));
  *out = term_or_all(ts, all.count, all.at);
  substitution_free(s);
  memory_free(values);
  VECTOR_FREE(all);
  VECTOR_FREE(mentioned.inputs);
  return NULL;
}

static const char *no_step(const model *m, term *out) {
  term_vector steps = {0};
  const char *why = NULL;
  for (size_t i = 0; i < m->transitions.count && !why; i++) {
    term possible = TERM_FALSE;
    why = for_some_inputs(m, &m->transitions.at[i], transition_enabled(m, &m->transitions.at[i]), &possible);
    VECTOR_PUSH(steps, possible);
  }
  *out = term_not(term_or_all(m->terms, steps.count, steps.at));
  VECTOR_FREE(steps);
  return why;
}

const char *bad_states_of(const model *m, const property *p, term *out) {
  switch (p->kind) {
    case PROPERTY_SAFE:
    case PROPERTY_NO_FAULT: *out = p->bad; return NULL;
    case PROPERTY_DEADLOCKFREE: return no_step(m, out);
    default: return "temporal properties are not for this engine";
  }
}
