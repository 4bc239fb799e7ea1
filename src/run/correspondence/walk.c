/* Each step tries transitions, one after the other from a random one on, with random inputs, and takes the first that can
 * be taken. States are 64-bit words: a walk ends at a value that does not fit, and at a run-time error. */
#include "run/correspondence/walk.h"

#include "base/random.h"
#include "base/work.h"
#include "model/semantics.h"

enum {
  STEPS = 32,
  TRIES = 32,        /* of inputs for a transition */
  MOST_TRIES = 2000, /* in all */
  WIDEST_VALUE = 4,  /* of an integer without bounds: so far from 0 */
  ROUNDS = 4,        /* among the first states */
  VALUES = 3,        /* tried for a variable in a round */
};

struct walk {
  const model *m;
  budget *budget;
  walk_visit *visit;
  void *context;
  semantics *meaning; /* made when first needed */
  state_condition *init;
  random_source random;
  int64_t *state, *next, *inputs;
  size_t tries;
};

static int64_t random_value(walk *w, const type *t) {
  int64_t low = -WIDEST_VALUE, high = WIDEST_VALUE, bound;
  if (t->sort == SORT_BOOL) return (int64_t)random_below(&w->random, 2);
  if (t->has_low && number_to_int64(t->low, &bound)) low = bound > low || t->has_high ? bound : low;
  if (t->has_high && number_to_int64(t->high, &bound)) high = bound < high || t->has_low ? bound : high;
  if (high < low) high = low;
  return random_between(&w->random, low, high);
}

static step_status try_step(walk *w, size_t index) {
  const transition *t = &w->m->transitions.at[index];
  for (size_t i = 0; i < t->inputs.count; i++)
    w->inputs[i] = random_value(w, variable_type(w->m->terms, t->inputs.at[i]));
  w->tries++;
  work_add(1 + w->m->variables.count / 4);
  return semantics_step(w->meaning, index, w->state, w->inputs, w->next, NULL);
}

/* True if there was a step. */
static bool step(walk *w) {
  size_t count = w->m->transitions.count, first = (size_t)random_below(&w->random, count);
  for (size_t i = 0; i < count; i++) {
    size_t index = (first + i) % count, tries = w->m->transitions.at[index].inputs.count ? TRIES : 1;
    for (size_t j = 0; j < tries; j++) {
      if (w->tries >= MOST_TRIES || budget_spent(w->budget)) return false;
      step_status status = try_step(w, index);
      if (status == STEP_DISABLED) continue;
      return status == STEP_TAKEN;
    }
  }
  return false;
}

static size_t most_inputs(const model *m) {
  size_t most = 0;
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].inputs.count > most) most = m->transitions.at[i].inputs.count;
  return most;
}

static bool read_state(walk *w, const number *state) {
  for (size_t i = 0; i < w->m->variables.count; i++)
    if (!number_to_int64(state[i], &w->state[i])) return false;
  return true;
}

walk *walk_new(const model *m, budget *b, walk_visit *visit, void *context) {
  walk *w = MEMORY_NEW(walk);
  *w = (walk){.m = m, .budget = b, .visit = visit, .context = context, .random = {1}};
  w->init = state_condition_new(m, m->init);
  w->state = MEMORY_ARRAY(int64_t, m->variables.count);
  w->next = MEMORY_ARRAY(int64_t, m->variables.count);
  w->inputs = MEMORY_ARRAY(int64_t, most_inputs(m) + 1);
  return w;
}

void walk_free(walk *w) {
  if (!w) return;
  if (w->meaning) semantics_free(w->meaning);
  state_condition_free(w->init);
  memory_free(w->state);
  memory_free(w->next);
  memory_free(w->inputs);
  memory_free(w);
}

static void show(const walk *w) {
  number *values = MEMORY_ARRAY(number, w->m->variables.count);
  for (size_t i = 0; i < w->m->variables.count; i++) values[i] = number_of(w->state[i]);
  w->visit(w->context, values);
  memory_free(values);
}

/* Another value of the variable with which the initial condition still holds, if one is found. */
static void change_value(walk *w, size_t position) {
  const type *t = variable_type(w->m->terms, w->m->variables.at[position].var);
  int64_t before = w->state[position];
  if (t->sort != SORT_BOOL && t->sort != SORT_INT) return;
  for (size_t i = 0; i < VALUES; i++) {
    w->state[position] = random_value(w, t);
    if (w->state[position] != before && state_condition_holds(w->init, w->state) == 1) return;
  }
  w->state[position] = before;
}

void walk_among_first(walk *w, const number *state) {
  for (size_t i = 0; i < ROUNDS && read_state(w, state) && !budget_spent(w->budget); i++) {
    for (size_t j = 0; j < w->m->variables.count; j++) change_value(w, j);
    work_add(w->m->variables.count);
    show(w);
  }
}

void walk_along_steps(walk *w, const number *state) {
  if (!w->meaning) w->meaning = semantics_new(w->m);
  bool goes_on = w->m->transitions.count && read_state(w, state);
  for (size_t i = 0; i < STEPS && goes_on && step(w); i++) {
    int64_t *old = w->state;
    w->state = w->next;
    w->next = old;
    show(w);
  }
}
