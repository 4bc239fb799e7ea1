/* Counterexamples: the one that the difference bounds suggest, and the latest models of the solver, which often refute
 * the next question too. Only one that makes all that is relevant true, by exact evaluation, is an answer; so guessing
 * is safe. */
#include "solver/layers.h"

enum { REMEMBERED = 8 };

typedef VECTOR(number) state; /* by variable number */

struct witnesses {
  state models[REMEMBERED];
  size_t count, next; /* `next` is the oldest, once all are used */
  state guess;
};

witnesses *witnesses_new(void) { return MEMORY_NEW(witnesses); }

void witnesses_free(witnesses *w) {
  if (!w) return;
  for (size_t i = 0; i < REMEMBERED; i++) VECTOR_FREE(w->models[i]);
  VECTOR_FREE(w->guess);
  memory_free(w);
}

/* Variables that are newer than the state get any value. */
static void complete(const terms *ts, state *s) {
  for (uint32_t v = (uint32_t)s->count; v < variable_count(ts); v++)
    VECTOR_PUSH(*s, solver_any_value(variable_type(ts, (variable){v})));
}

void witnesses_add(prover *p) {
  witnesses *w = p->witnesses;
  state *s = &w->models[w->next];
  VECTOR_CLEAR(*s);
  for (uint32_t v = 0; v < variable_count(p->ts); v++) VECTOR_PUSH(*s, solver_value(p->solver, (variable){v}));
  w->next = (w->next + 1) % REMEMBERED;
  if (w->count < REMEMBERED) w->count++;
}

static bool holds(prover *p, term t, const state *s) { return shape_holds(p->ts, shape_of(p->shapes, t), t, s->at); }

/* The key has the relevant literals and, last, the right side. */
static bool refutes(prover *p, const state *s) {
  if (holds(p, VECTOR_LAST(p->key), s)) return false;
  for (size_t i = 0; i + 1 < p->key.count; i++)
    if (!holds(p, p->key.at[i], s)) return false;
  return true;
}

static bool speaks_of_heap(prover *p) {
  for (size_t i = 0; i < p->key.count; i++)
    if (shape_of(p->shapes, p->key.at[i])->has_heap) return true;
  return false;
}

answer layer_witness(prover *p, const question *q) {
  (void)q;
  witnesses *w = p->witnesses;
  if (speaks_of_heap(p)) return layer_passes();
  VECTOR_CLEAR(w->guess);
  complete(p->ts, &w->guess);
  if (difference_guess(p->difference, w->guess.count, w->guess.at) && refutes(p, &w->guess))
    return cache_answer(p, answer_no());
  for (size_t i = 0; i < w->count; i++) {
    state *latest = &w->models[(w->next + REMEMBERED - 1 - i) % REMEMBERED];
    complete(p->ts, latest);
    if (refutes(p, latest)) return cache_answer(p, answer_no());
  }
  return layer_passes();
}
