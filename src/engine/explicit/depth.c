/* A frame is a state on the way and the successors of it that have not been tried; those stand, packed, one frame's
 * after the other's. */
#include "engine/explicit/depth.h"

typedef struct frame {
  uint64_t state;
  size_t first, next, end; /* successors */
} frame;

struct depth {
  search *search;
  VECTOR(frame) frames;
  VECTOR(uint64_t) packed; /* successors of all frames */
  size_t words;            /* of each */
  uint64_t next_initial, deepest;
  uint64_t *state; /* room for one, unpacked or packed */
};

depth *depth_new(search *s) {
  depth *d = MEMORY_NEW(depth);
  d->search = s;
  d->words = s->layout->words;
  d->state = MEMORY_ARRAY(uint64_t, s->model->variables.count + 1);
  return d;
}

void depth_free(depth *d) {
  if (!d) return;
  VECTOR_FREE(d->frames);
  VECTOR_FREE(d->packed);
  memory_free(d->state);
  memory_free(d);
}

uint64_t depth_deepest(const depth *d) { return d->deepest ? d->deepest - 1 : 0; }

void depth_path(const depth *d, state_path *out) {
  uint64_t last = d->search->violation.state;
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < d->frames.count; i++) VECTOR_PUSH(*out, d->frames.at[i].state);
  if (!out->count || VECTOR_LAST(*out) != last) VECTOR_PUSH(*out, last);
}

static bool keep_step(void *context, const machine_step *taken) {
  depth *d = context;
  if (taken->packed) {
    VECTOR_RESERVE(d->packed, d->packed.count + d->words);
    memcpy(d->packed.at + d->packed.count, taken->packed, d->words * sizeof *taken->packed);
    d->packed.count += d->words;
    return true;
  }
  search *s = d->search;
  s->violation.is_found = true;
  search_set_fault(&s->violation, taken, s->model->transitions.at[taken->transition].inputs.count);
  return false;
}

/* Successors that wait are packed again as well. */
static void widen(depth *d, size_t position, int64_t value) {
  search *s = d->search;
  layout *old = layout_new(s->layout->count, s->low, s->high);
  search_widen(s, position, value);
  size_t count = d->packed.count / d->words, words = s->layout->words;
  uint64_t *fresh = MEMORY_ARRAY(uint64_t, count * words);
  int64_t *values = MEMORY_ARRAY(int64_t, old->count);
  for (size_t i = 0; i < count; i++) {
    layout_unpack(old, d->packed.at + i * d->words, values);
    bool fits = layout_pack(s->layout, values, fresh + i * words, NULL);
    REQUIRE(fits, "ranges that only grow");
  }
  VECTOR_FREE(d->packed);
  d->packed.at = fresh;
  d->packed.count = d->packed.room = count * words;
  d->words = words;
  memory_free(values);
  layout_free(old);
}

/* The state is on the way from now on. */
static void enter(depth *d, uint64_t state) {
  search *s = d->search;
  size_t first = d->packed.count / d->words;
  bool with_faults = s->property->kind == PROPERTY_NO_FAULT;
  expansion e;
  for (;;) {
    store_read(s->store, state, d->state);
    e = stepper_expand(s->steppers[0], d->state, with_faults, s->env->budget, keep_step, d);
    if (e.end != EXPANSION_MISFIT) break;
    d->packed.count = first * d->words;
    widen(d, e.misfit, e.misfit_value);
  }
  VECTOR_PUSH(d->frames, (frame){state, first, first, d->packed.count / d->words});
  if (d->frames.count > d->deepest) d->deepest = d->frames.count;
  s->env->statistics->transitions += e.taken;
  search_note_gap(s, &e);
  if (e.end == EXPANSION_STOPPED && !s->violation.is_found) search_stop(s);
  if (s->property->kind == PROPERTY_DEADLOCKFREE && e.end == EXPANDED && e.taken == 0 && !e.lacks_inputs &&
      !e.lacks_size)
    s->violation.is_found = true;
  s->violation.state = state;
}

/* Adds the next successor of the last frame; if it is new, goes there. */
static void descend(depth *d) {
  search *s = d->search;
  frame *f = &VECTOR_LAST(d->frames);
  const uint64_t *packed = d->packed.at + f->next++ * d->words;
  uint64_t number;
  store_answer answer = store_add(s->store, packed, &number);
  if (answer == STORE_FULL) s->is_full = true;
  if (answer != STORE_NEW) return;
  bool lacks_size = false;
  s->violation.state = number;
  s->violation.is_found = search_is_bad(s, s->steppers[0], packed, &lacks_size);
  if (lacks_size) search_note_size_gap(s);
  if (!s->violation.is_found) enter(d, number);
}

static void leave(depth *d) {
  d->packed.count = VECTOR_LAST(d->frames).first * d->words;
  d->frames.count--;
}

bool depth_run(depth *d, uint64_t steps) {
  search *s = d->search;
  while (steps-- && !search_is_over(s)) {
    if (!d->frames.count) {
      if (d->next_initial == s->initial) break;
      enter(d, d->next_initial++);
    } else if (VECTOR_LAST(d->frames).next == VECTOR_LAST(d->frames).end) {
      leave(d);
    } else {
      descend(d);
    }
  }
  statistics *n = s->env->statistics;
  n->states = store_count(s->store);
  n->store_bytes = store_memory(s->store);
  n->depth = depth_deepest(d);
  return !search_is_over(s) && (d->frames.count || d->next_initial < s->initial);
}
