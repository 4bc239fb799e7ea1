/* The search and the runs of a sample. */
#include "engine/explicit/estimate/sample.h"

#include <time.h>

/* Lengths of runs are powers of two, each as likely as the next. */
enum { SHORTEST_RUN = 32, LONGEST_PART = 16, LONGEST_MEASURED_PART = 64, LIKINGS = 6, LATE_PART = 16 };

void space_sample_init(space_sample *out, search *s, uint64_t seed) {
  size_t words = s->model->variables.count + 1;
  *out = (space_sample){.search = s, .random.state = seed};
  out->packed = MEMORY_ARRAY(uint64_t, words);
  out->next = MEMORY_ARRAY(uint64_t, words);
}

void space_sample_clear(space_sample *s) {
  VECTOR_FREE(s->visits);
  VECTOR_FREE(s->ends);
  VECTOR_FREE(s->starts);
  memory_free(s->packed);
  memory_free(s->next);
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All steps from state `from`; what does not fit its field makes that wider, and they are taken again. */
static expansion take_steps(space_sample *s, uint64_t from, step_visitor *visit, void (*begin)(void *context),
                            void *context) {
  search *all = s->search;
  for (;;) {
    store_read(all->store, from, s->packed);
    if (begin) begin(context);
    expansion e = stepper_expand(all->steppers[0], s->packed, false, all->env->budget, visit, context);
    if (e.end != EXPANSION_MISFIT) return e;
    search_widen(all, e.misfit, e.misfit_value);
  }
}

/* ---- breadth first ---- */

static bool add_state(void *context, const machine_step *taken) {
  search *s = context;
  if (store_add(s->store, taken->packed, NULL) == STORE_FULL) s->is_full = true;
  return !s->is_full;
}

static void report(const space_sample *s) {
  statistics *n = s->search->env->statistics;
  n->states = store_count(s->search->store);
  n->transitions = s->transitions;
  n->depth = s->depth;
  n->store_bytes = store_memory(s->search->store);
}

void space_sample_search(space_sample *s, uint64_t states) {
  search *all = s->search;
  double from = processor_seconds();
  uint64_t level_end = store_count(all->store);
  while (s->expanded < states && s->expanded < store_count(all->store) && !search_is_over(all)) {
    expansion e = take_steps(s, s->expanded, add_state, NULL, all);
    search_note_gap(all, &e);
    if (e.end == EXPANSION_STOPPED && !all->is_full) search_stop(all);
    if (search_is_over(all)) break;
    s->transitions += e.taken;
    if (++s->expanded < level_end) continue;
    s->depth += store_count(all->store) > level_end;
    level_end = store_count(all->store);
  }
  s->seconds = processor_seconds() - from;
  s->is_whole = !search_is_over(all) && s->expanded == store_count(all->store);
  s->searched = s->known = store_count(all->store);
  report(s);
}

/* ---- runs ---- */

typedef struct choice {
  space_sample *sample;
  const double *likings; /* for each transition; NULL: all alike */
  double total;
} choice;

static double random_part(random_source *r) { return (double)(random_next(r) >> 11) / (double)(UINT64_C(1) << 53); }

static void begin_choice(void *context) { ((choice *)context)->total = 0; }

/* The step becomes the chosen one with the probability of its liking among those so far. */
static bool choose_step(void *context, const machine_step *taken) {
  choice *c = context;
  space_sample *s = c->sample;
  double liking = c->likings ? c->likings[taken->transition] : 1;
  c->total += liking;
  if (random_part(&s->random) * c->total < liking)
    memcpy(s->next, taken->packed, s->search->layout->words * sizeof *s->next);
  return true;
}

/* The number of the state after a random step, of `from` itself if there is none. */
static uint64_t random_step(space_sample *s, uint64_t from, const double *likings) {
  search *all = s->search;
  choice c = {s, likings, 0};
  uint64_t to = from;
  expansion e = take_steps(s, from, choose_step, begin_choice, &c);
  search_note_gap(all, &e);
  if (e.end == EXPANSION_STOPPED)
    search_stop(all);
  else if (c.total > 0 && store_add(all->store, s->next, &to) == STORE_FULL)
    all->is_full = true;
  return to;
}

/* Half of the runs like all transitions alike. */
static const double *random_likings(space_sample *s, double *room) {
  if (random_next(&s->random) >> 63) return NULL;
  for (size_t i = 0; i < s->search->model->transitions.count; i++)
    room[i] = 1.0 / (double)(UINT64_C(1) << 2 * random_below(&s->random, LIKINGS));
  return room;
}

/* Half of the exploring runs begin at one of the states that were found last, so that they come far. */
static uint64_t start_exploring(space_sample *s) {
  uint64_t count = store_count(s->search->store), late = count / LATE_PART + 1;
  bool from_late = random_next(&s->random) >> 63;
  return from_late ? count - 1 - random_below(&s->random, late) : random_below(&s->random, count);
}

/* Runs of `steps` steps altogether; `is_measured`: from states that are known, and what else they visit is noted. */
static void run(space_sample *s, uint64_t steps, uint64_t longest, bool is_measured) {
  search *all = s->search;
  double *room = MEMORY_ARRAY(double, all->model->transitions.count + 1);
  unsigned doublings = 1;
  while ((uint64_t)SHORTEST_RUN << doublings <= longest) doublings++;
  for (uint64_t done = 0; done < steps && !search_is_over(all);) {
    const double *likings = random_likings(s, room);
    uint64_t length = (uint64_t)SHORTEST_RUN << random_below(&s->random, doublings);
    VECTOR_PUSH(s->starts, store_count(all->store));
    uint64_t at = is_measured ? random_below(&s->random, s->known) : start_exploring(s);
    for (uint64_t i = 0; i < length && !search_is_over(all); i++, done++) {
      uint64_t to = random_step(s, at, likings);
      if (to == at) to = random_below(&s->random, s->known); /* nothing more can happen: somewhere else */
      at = to;
      if (is_measured && at >= s->known) VECTOR_PUSH(s->visits, (uint32_t)at);
    }
    if (is_measured) VECTOR_PUSH(s->ends, s->visits.count);
    report(s);
  }
  memory_free(room);
}

void space_sample_explore(space_sample *s, uint64_t steps) {
  run(s, steps, steps / LONGEST_PART, false);
  s->known = store_count(s->search->store);
}

void space_sample_measure(space_sample *s, uint64_t steps) { run(s, steps, steps / LONGEST_MEASURED_PART, true); }
