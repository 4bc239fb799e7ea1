/* Who moves: of the copies that are in the right local state, the first one. So a round of a loop puts copies into places that depend on where
 * they were alone, and some round begins where an earlier one did. */
#include "model/counted/counted.h"

enum { MOST_STEPS = 20000 };

typedef struct run_back {
  const counter_model *c;
  const trace *from;
  trace made;
  uint32_t *transitions; /* by orbit and copy */
  size_t *at;            /* copy -> its local state */
  VECTOR(size_t) heads;  /* local states of all copies, at each begin of a round */
} run_back;

static void find_transitions(run_back *r) {
  const counter_model *c = r->c;
  r->transitions = MEMORY_ARRAY(uint32_t, c->orbits.count * c->copies + 1);
  for (uint32_t i = 0; i < c->orbit_of.count; i++)
    if (c->mover.at[i] != NO_PROCESS) r->transitions[c->orbit_of.at[i] * c->copies + c->mover.at[i]] = i;
}

static number *value_at(run_back *r, trace_step *s, variable v) {
  return &s->values.at[model_position(r->c->original, v)];
}

/* Copies are put into local states in their order. */
static bool add_start(run_back *r) {
  const counter_model *c = r->c;
  const trace_step *first = &r->from->at[0];
  trace_step step = {0};
  size_t copy = 0;
  for (size_t i = 0; i < c->original->variables.count; i++) VECTOR_PUSH(step.values, number_of(0));
  for (size_t i = 0; i < c->made->variables.count; i++) {
    variable v = c->made->variables.at[i].var;
    if (model_position(c->original, v) != SIZE_MAX) *value_at(r, &step, v) = first->values.at[i];
  }
  for (size_t s = 0; s < c->counters.count; s++) {
    int64_t count = 0;
    bool fine = number_to_int64(first->values.at[model_position(c->made, c->counters.at[s])], &count);
    for (int64_t k = 0; fine && k < count && copy < c->copies; k++, copy++) {
      r->at[copy] = s;
      for (size_t v = 0; v < c->width; v++)
        *value_at(r, &step, c->locals.at[copy * c->width + v]) = c->values.at[s * c->width + v];
    }
  }
  VECTOR_PUSH(r->made, step);
  return copy == c->copies;
}

static bool add_step(run_back *r, const trace_step *s) {
  const counter_model *c = r->c;
  const counted_step *how = &c->steps.at[s->transition];
  trace_step step = {.transition = c->orbits.at[how->orbit]};
  size_t copy = 0;
  while (how->from != NO_LOCAL_STATE && copy < c->copies && r->at[copy] != how->from) copy++;
  if (copy == c->copies) return false;
  if (how->from != NO_LOCAL_STATE) {
    step.transition = r->transitions[how->orbit * c->copies + copy];
    r->at[copy] = how->to;
  }
  VECTOR_COPY(step.inputs, s->inputs);
  for (size_t i = 0; i < c->original->variables.count; i++) VECTOR_PUSH(step.values, number_of(0));
  VECTOR_PUSH(r->made, step);
  return true;
}

/* The round at whose begin copies were where they are now; SIZE_MAX: none. */
static size_t same_head(const run_back *r) {
  size_t width = r->c->copies, count = r->heads.count / width;
  for (size_t i = 0; i < count; i++)
    if (!memcmp(r->heads.at + i * width, r->at, width * sizeof *r->at)) return i;
  return SIZE_MAX;
}

/* Rounds of the loop, as many as are needed. */
static bool add_rounds(run_back *r, size_t loop, size_t *out) {
  size_t last = r->from->count - 1, round = SIZE_MAX;
  for (; round == SIZE_MAX && r->made.count < MOST_STEPS; round = same_head(r)) {
    for (size_t i = 0; i < r->c->copies; i++) VECTOR_PUSH(r->heads, r->at[i]);
    for (size_t i = loop + 1; i <= last; i++)
      if (!add_step(r, &r->from->at[i])) return false;
  }
  *out = round == SIZE_MAX ? 0 : loop + round * (last - loop);
  return round != SIZE_MAX;
}

bool counted_trace_back(const counter_model *c, trace *t, size_t *loop) {
  run_back r = {.c = c, .from = t};
  size_t last = t->count ? t->count - 1 : 0;
  bool goes_round = loop && *loop < last;
  if (!t->count || trace_has_rounds(t)) return false;
  r.at = MEMORY_ARRAY(size_t, c->copies);
  find_transitions(&r);
  bool fine = add_start(&r);
  for (size_t i = 1; i <= (goes_round ? *loop : last) && fine; i++) fine = add_step(&r, &t->at[i]);
  if (fine && goes_round) fine = add_rounds(&r, *loop, loop);
  fine = fine && trace_recompute(c->original, &r.made);
  memory_free(r.at);
  memory_free(r.transitions);
  VECTOR_FREE(r.heads);
  trace_clear(fine ? t : &r.made);
  if (fine) *t = r.made;
  return fine;
}
