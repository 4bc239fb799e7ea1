/* An initial state is guessed and checked; from there breadth first, with a few values for inputs. */
#include "run/coverage/coverage_walk.h"

#include "base/map.h"
#include "model/semantics.h"
#include "term/evaluate.h"

enum { MOST_VARIABLES = 200, MOST_TRANSITIONS = 1000, MOST_STATES = 200, MOST_STEPS = 4000, MOST_CHOICES = 8 };

typedef struct walking {
  const model *model;
  semantics *semantics;
  coverage_walk *found;
  VECTOR(state_condition *) triggers; /* by property; NULL if it need not be looked at */
  VECTOR(int64_t) states;             /* one after the other */
  map *known;                         /* hashes of states: two that share one are taken for the same */
  size_t width, count, steps;
} walking;

/* ---- the guess ---- */

static number first_value(const type *t) { return t->has_low ? t->low : t->has_high ? t->high : number_of(0); }

/* `x = 3`, `b`, `!b`. */
static void take_value(const terms *ts, term t, number *values) {
  term_kind kind = term_kind_of(ts, t);
  if (kind == TERM_BOOL_VARIABLE) values[term_variable(ts, t).x] = number_of(!term_is_negated(t));
  if (kind != TERM_EQ || term_is_negated(t)) return;
  linear l = term_linear(ts, term_argument(ts, t, 0));
  if (l.count != 1 || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE || !number_is(l.coefficients[0], 1)) return;
  values[term_variable(ts, l.leaves[0]).x] = number_negate(l.constant);
}

bool coverage_guess(const terms *ts, term t, number *values) {
  term_vector conjuncts = {0};
  for (uint32_t i = 0; i < variable_count(ts); i++) values[i] = first_value(variable_type(ts, (variable){i}));
  term_conjuncts(ts, t, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) take_value(ts, conjuncts.at[i], values);
  VECTOR_FREE(conjuncts);
  return number_is(term_evaluate(ts, t, values), 1);
}

/* ---- the walk ---- */

static void look_at(walking *w, const int64_t *state) {
  for (size_t i = 0; i < w->triggers.count; i++)
    if (w->triggers.at[i] && !w->found->triggered[i])
      w->found->triggered[i] = state_condition_holds(w->triggers.at[i], state) == 1;
}

static void add_state(walking *w, const int64_t *state) {
  uint64_t hash = hash_bytes(state, w->width * sizeof(int64_t), 0);
  if (w->count >= MOST_STATES || map_get(w->known, hash, NULL)) return;
  map_set(w->known, hash, 1);
  for (size_t i = 0; i < w->width; i++) VECTOR_PUSH(w->states, state[i]);
  w->count++;
  look_at(w, state);
}

static void step(walking *w, size_t which, const int64_t *state, const int64_t *inputs, int64_t *after) {
  step_status s = semantics_step(w->semantics, which, state, inputs, after, NULL);
  w->steps++;
  if ((s == STEP_TAKEN || s == STEP_FAULT) && !w->found->taken[which]) {
    w->found->taken[which] = true;
    w->found->not_taken--;
  }
  if (s == STEP_TAKEN) add_state(w, after);
}

static void steps_of(walking *w, size_t which, const int64_t *state, int64_t *after) {
  const transition *t = &w->model->transitions.at[which];
  int64_t *inputs = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  bool finite = transition_has_finite_inputs(w->model, t), fits = true;
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(w->model->terms, t->inputs.at[i]);
    fits &= finite ? type_fits_in_words(of) : number_to_int64(first_value(of), &inputs[i]);
  }
  if (fits && finite) inputs_first(w->model, t, inputs);
  for (size_t i = 0; fits && i < MOST_CHOICES; i++) {
    step(w, which, state, inputs, after);
    fits = finite && inputs_advance(w->model, t, inputs);
  }
  memory_free(inputs);
}

static void walk(walking *w) {
  int64_t *state = MEMORY_ARRAY(int64_t, w->width + 1), *after = MEMORY_ARRAY(int64_t, w->width + 1);
  for (size_t at = 0; at < w->count && w->steps < MOST_STEPS; at++) {
    for (size_t i = 0; i < w->width; i++) state[i] = w->states.at[at * w->width + i]; /* the list may move */
    for (size_t i = 0; i < w->model->transitions.count; i++) steps_of(w, i, state, after);
  }
  memory_free(state);
  memory_free(after);
}

static bool start(walking *w) {
  const model *m = w->model;
  number *values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  int64_t *state = MEMORY_ARRAY(int64_t, w->width + 1);
  bool fine = coverage_guess(m->terms, m->init, values);
  for (size_t i = 0; i < m->variables.count && fine; i++)
    fine = number_to_int64(values[m->variables.at[i].var.x], &state[i]);
  if (fine) add_state(w, state);
  memory_free(values);
  memory_free(state);
  return fine;
}

static void prepare(walking *w) {
  for (size_t i = 0; i < w->model->properties.count; i++) {
    term trigger = w->model->properties.at[i].trigger;
    w->found->triggered[i] = term_is_true(trigger);
    VECTOR_PUSH(w->triggers, term_is_true(trigger) ? NULL : state_condition_new(w->model, trigger));
  }
}

coverage_walk *coverage_walk_of(const model *m) {
  coverage_walk *found = MEMORY_NEW(coverage_walk);
  *found = (coverage_walk){.taken = MEMORY_ARRAY(bool, m->transitions.count + 1),
                           .triggered = MEMORY_ARRAY(bool, m->properties.count + 1),
                           .not_taken = m->transitions.count};
  if (m->has_heap || m->clauses || m->variables.count > MOST_VARIABLES || m->transitions.count > MOST_TRANSITIONS)
    return found;
  walking w = {.model = m, .semantics = semantics_new(m), .found = found, .known = map_new()};
  w.width = semantics_width(w.semantics);
  prepare(&w);
  found->has_start = start(&w);
  walk(&w);
  for (size_t i = 0; i < w.triggers.count; i++)
    if (w.triggers.at[i]) state_condition_free(w.triggers.at[i]);
  VECTOR_FREE(w.triggers);
  VECTOR_FREE(w.states);
  map_free(w.known);
  semantics_free(w.semantics);
  return found;
}

void coverage_walk_free(coverage_walk *w) {
  if (!w) return;
  memory_free(w->taken);
  memory_free(w->triggered);
  memory_free(w);
}
