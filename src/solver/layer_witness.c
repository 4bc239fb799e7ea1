/* Counterexamples: the one that the difference bounds suggest, and the latest models of the solver, which often refute
 * the next question too. Only one that makes all that is relevant true, by exact evaluation, is an answer; so guessing
 * is safe. */
#include "solver/layers.h"
#include "term/evaluate.h"

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

static bool holds(prover *p, term t, const state *s) { return number_is(term_evaluate(p->ts, t, s->at), 1); }

static bool refutes(prover *p, const question *q, const state *s) {
  for (size_t i = 0; i < q->count; i++)
    if (!holds(p, q->denial[i], s)) return false;
  for (size_t i = 0; i < context_count(p->context); i++) {
    term literal = context_literal(p->context, i);
    if (context_is_relevant(p->context, literal) && !holds(p, literal, s)) return false;
  }
  return true;
}

static bool speaks_of_heap(prover *p, const question *q) {
  for (size_t i = 0; i < q->count; i++)
    if (shape_of(p->shapes, q->denial[i])->has_heap) return true;
  for (size_t i = 0; i < context_count(p->context); i++)
    if (shape_of(p->shapes, context_literal(p->context, i))->has_heap) return true;
  return false;
}

answer layer_witness(prover *p, const question *q) {
  witnesses *w = p->witnesses;
  if (speaks_of_heap(p, q)) return layer_passes();
  context_mark_relevant(p->context, q->count, q->denial);
  VECTOR_CLEAR(w->guess);
  complete(p->ts, &w->guess);
  if (difference_guess(p->difference, w->guess.count, w->guess.at) && refutes(p, q, &w->guess)) return answer_no();
  for (size_t i = 0; i < w->count; i++) {
    state *latest = &w->models[(w->next + REMEMBERED - 1 - i) % REMEMBERED];
    complete(p->ts, latest);
    if (refutes(p, q, latest)) return answer_no();
  }
  return layer_passes();
}
