/* Invariants, run-time errors and deadlocks as formulas of bad states. */
#include "engine/widen/graph/bad_states.h"

#include "term/substitute.h"

enum { MOST_CHOICES = 256 };

/* The next choice, like an odometer, as distances from the least values; false after the last. */
static bool advance(const terms *ts, const variable_vector *inputs, uint64_t *distances) {
  for (size_t i = 0; i < inputs->count; i++) {
    if (++distances[i] < type_size(variable_type(ts, inputs->at[i]), MOST_CHOICES + 1)) return true;
    distances[i] = 0;
  }
  return false;
}

static term chosen_value(terms *ts, variable input, uint64_t distance) {
  const type *of = variable_type(ts, input);
  if (of->sort == SORT_BOOL) return term_of_bool(distance);
  return term_number(ts, number_add(of->low, number_of((int64_t)distance)));
}

/* Some value of each type, so that there is a choice. */
static bool has_choices(const terms *ts, const variable_vector *inputs) {
  for (size_t i = 0; i < inputs->count; i++)
    if (!type_size(variable_type(ts, inputs->at[i]), 1)) return false;
  return true;
}

static term for_each_choice(terms *ts, const variable_vector *inputs, term condition) {
  term_vector all = {0};
  uint64_t *distances = MEMORY_ARRAY(uint64_t, inputs->count + 1);
  substitution *s = substitution_new(ts);
  if (has_choices(ts, inputs)) do {
      substitution_clear(s);
      for (size_t i = 0; i < inputs->count; i++)
        substitution_set(s, inputs->at[i], chosen_value(ts, inputs->at[i], distances[i]));
      VECTOR_PUSH(all, substitution_apply(s, condition));
    } while (advance(ts, inputs, distances));
  term result = term_or_all(ts, all.count, all.at);
  substitution_free(s);
  memory_free(distances);
  VECTOR_FREE(all);
  return result;
}

/* The inputs that `condition` mentions, every way to choose them: whether one of them allows it. */
static const char *for_some_inputs(const model *m, const transition *t, term condition, term *out) {
  terms *ts = m->terms;
  uint64_t choices = 1;
  variable_vector mentioned = {0};
  for (size_t i = 0; i < t->inputs.count; i++) {
    if (!term_mentions(ts, condition, t->inputs.at[i])) continue;
    VECTOR_PUSH(mentioned, t->inputs.at[i]);
    const type *of = variable_type(ts, t->inputs.at[i]);
    choices *= type_is_finite(of) ? type_size(of, MOST_CHOICES + 1) : MOST_CHOICES + 1;
    if (choices > MOST_CHOICES) {
      VECTOR_FREE(mentioned);
      return "deadlocks of steps that depend on unbounded or many inputs";
    }
  }
  *out = for_each_choice(ts, &mentioned, condition);
  VECTOR_FREE(mentioned);
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
