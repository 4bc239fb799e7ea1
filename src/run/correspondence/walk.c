/* Each step tries transitions, one after the other from a random one on, with random inputs, and takes the first that can
 * be taken. States are 64-bit words: the walk ends at a value that does not fit, and at a run-time error. */
#include "run/correspondence/walk.h"

#include "base/random.h"
#include "base/work.h"
#include "model/semantics.h"

enum {
  STEPS = 32,
  TRIES = 4,         /* of inputs for a transition */
  MOST_TRIES = 2000, /* in all */
  WIDEST_INPUT = 4,  /* of an integer without bounds: so far from 0 */
};

typedef struct walk {
  const model *m;
  semantics *meaning;
  random_source random;
  int64_t *state, *next, *inputs;
  size_t tries;
} walk;

static int64_t random_input(walk *w, const type *t) {
  int64_t low = -WIDEST_INPUT, high = WIDEST_INPUT, bound;
  if (t->sort == SORT_BOOL) return (int64_t)random_below(&w->random, 2);
  if (t->has_low && number_to_int64(t->low, &bound)) low = bound > low || t->has_high ? bound : low;
  if (t->has_high && number_to_int64(t->high, &bound)) high = bound < high || t->has_low ? bound : high;
  if (high < low) high = low;
  return random_between(&w->random, low, high);
}

static step_status try_step(walk *w, size_t index) {
  const transition *t = &w->m->transitions.at[index];
  for (size_t i = 0; i < t->inputs.count; i++)
    w->inputs[i] = random_input(w, variable_type(w->m->terms, t->inputs.at[i]));
  w->tries++;
  work_add(1 + w->m->variables.count / 4);
  return semantics_step(w->meaning, index, w->state, w->inputs, w->next, NULL);
}

/* True if there was a step. */
static bool step(walk *w, budget *b) {
  size_t count = w->m->transitions.count, first = (size_t)random_below(&w->random, count);
  for (size_t i = 0; i < count; i++) {
    size_t index = (first + i) % count, tries = w->m->transitions.at[index].inputs.count ? TRIES : 1;
    for (size_t j = 0; j < tries; j++) {
      if (w->tries >= MOST_TRIES || budget_spent(b)) return false;
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

void walk_from(const model *m, const number *state, budget *b, walk_visit *visit, void *context) {
  size_t width = m->variables.count;
  if (!m->transitions.count) return;
  walk w = {.m = m, .meaning = semantics_new(m), .random = {1}};
  w.state = MEMORY_ARRAY(int64_t, width);
  w.next = MEMORY_ARRAY(int64_t, width);
  w.inputs = MEMORY_ARRAY(int64_t, most_inputs(m) + 1);
  number *values = MEMORY_ARRAY(number, width);
  bool goes_on = read_state(&w, state);
  for (size_t i = 0; i < STEPS && goes_on && step(&w, b); i++) {
    int64_t *old = w.state;
    w.state = w.next;
    w.next = old;
    for (size_t j = 0; j < width; j++) values[j] = number_of(w.state[j]);
    visit(context, values);
  }
  memory_free(values);
  memory_free(w.state);
  memory_free(w.next);
  memory_free(w.inputs);
  semantics_free(w.meaning);
}
