/* A round takes some states of a level in their order, in *cells* of a few hundred. The threads expand the cells, each
 * into a batch of its own, and add the batches to the store (store/store.h says how numbers come out right). What a
 * cell meets first counts, and of the cells the first: so what is found does not depend on which was faster. */
#include "engine/explicit/breadth.h"

#include <stdatomic.h>

#include "base/instruments/check.h"
#include "base/instruments/log.h"
#include "engine/explicit/expand.h"

enum { LARGEST_CELL = 512, SMALLEST_CELL = 32, CELLS_A_MEMBER = 8 };
/* Successors of a round take about so much memory at most, or those of one state if that is more. */
static const uint64_t ROUND_BYTES = 64 << 20;

typedef struct cell {
  batch *batch;
  uint64_t first, count; /* the states to expand */
  VECTOR(uint32_t) ends; /* size of the batch after each of them; in the end, how many new states each has found */
  expanded met;          /* while expanding */
  uint64_t bad_state;    /* first bad one among those that the cell found, or NO_STATE */
  bool bad_lacks_size;
} cell;

#define NO_STATE UINT64_MAX

struct breadth {
  search *search;
  lineage lineage;
  uint64_t depth, level_end; /* states before `level_end` have been expanded or are of the level under way */
  uint64_t next;             /* to expand */
  size_t cell_count;
  cell *cells;
  batch **batches; /* those of the cells in use */
  size_t in_use;
  uint64_t bytes_a_state; /* what the successors of a state take, as a guess from the round before */
  atomic_bool halt;
  uint64_t **packed; /* room for a state, one a member */
};

breadth *breadth_new(search *s) {
  breadth *b = MEMORY_NEW(breadth);
  unsigned members = threads_members(s->threads);
  b->search = s;
  b->cell_count = members == 1 ? 1 : (size_t)members * CELLS_A_MEMBER;
  b->cells = MEMORY_ARRAY(cell, b->cell_count);
  b->batches = MEMORY_ARRAY(batch *, b->cell_count);
  for (size_t i = 0; i < b->cell_count; i++) b->batches[i] = b->cells[i].batch = batch_new(s->store);
  b->packed = MEMORY_ARRAY(uint64_t *, members);
  for (unsigned i = 0; i < members; i++) b->packed[i] = MEMORY_ARRAY(uint64_t, s->model->variables.count + 1);
  b->level_end = s->initial;
  b->bytes_a_state = 8 * s->layout->words * (1 + s->model->transitions.count);
  lineage_add(&b->lineage, s->initial);
  return b;
}

void breadth_free(breadth *b) {
  if (!b) return;
  for (size_t i = 0; i < b->cell_count; i++) {
    batch_free(b->cells[i].batch, b->search->store);
    VECTOR_FREE(b->cells[i].ends);
    expanded_clear(&b->cells[i].met);
  }
  for (unsigned i = 0; i < threads_members(b->search->threads); i++) memory_free(b->packed[i]);
  memory_free(b->packed);
  memory_free(b->cells);
  memory_free(b->batches);
  lineage_clear(&b->lineage);
  memory_free(b);
}

uint64_t breadth_depth(const breadth *b) { return b->depth; }

void breadth_path(const breadth *b, uint64_t state, state_path *out) { lineage_path(&b->lineage, state, out); }

/* ---- expanding ---- */

typedef struct adding {
  const store *store;
  batch *batch;
} adding;

static void add_successor(void *context, const uint64_t *packed) {
  adding *a = context;
  batch_add(a->batch, a->store, packed);
}

static void expand_cell(void *context, size_t item, unsigned member) {
  breadth *b = context;
  cell *c = &b->cells[item];
  batch_clear(c->batch, b->search->store);
  VECTOR_CLEAR(c->ends);
  expanded_begin(&c->met);
  c->bad_lacks_size = false;
  c->bad_state = NO_STATE;
  adding to = {b->search->store, c->batch};
  for (uint64_t i = 0; i < c->count && !atomic_load_explicit(&b->halt, memory_order_relaxed); i++) {
    store_read(b->search->store, c->first + i, b->packed[member]);
    if (!expand_state(b->search, member, b->packed[member], c->first + i, add_successor, &to, &c->met)) break;
    VECTOR_PUSH(c->ends, (uint32_t)c->batch->count);
  }
  if (c->met.is_stopped) atomic_store(&b->halt, true);
}

/* ---- adding ---- */

static void rebuild_part(void *context, size_t item, unsigned member) {
  (void)member;
  store_rebuild(((breadth *)context)->search->store, (unsigned)item);
}

static void claim_part(void *context, size_t item, unsigned member) {
  breadth *b = context;
  (void)member;
  store_claim(b->search->store, b->in_use, b->batches, (unsigned)item);
}

static void count_children(cell *c) {
  size_t at = 0;
  for (size_t i = 0; i < c->ends.count; i++) {
    uint32_t children = 0;
    for (; at < c->ends.at[i]; at++) children += batch_is_new(c->batch, at);
    c->ends.at[i] = children;
  }
}

static void settle_cell(void *context, size_t item, unsigned member) {
  breadth *b = context;
  search *s = b->search;
  cell *c = &b->cells[item];
  uint64_t number = c->batch->first;
  store_settle(s->store, c->batch);
  count_children(c);
  if (!s->bad) return;
  for (size_t i = 0; i < c->batch->count; i++) {
    if (!batch_is_new(c->batch, i)) continue;
    if (search_is_bad(s, s->steppers[member], batch_state(c->batch, i), &c->bad_lacks_size)) {
      c->bad_state = number;
      return;
    }
    number++;
  }
}

static void add_batches(breadth *b) {
  search *s = b->search;
  unsigned parts = threads_members(s->threads);
  store_room room = store_prepare(s->store, b->in_use, b->batches);
  if (room == STORE_HAS_NO_ROOM) {
    s->is_full = true;
    return;
  }
  if (room == STORE_MUST_REBUILD) threads_run(s->threads, rebuild_part, b, parts);
  if (b->in_use == 1)
    for (unsigned i = 0; i < parts; i++) claim_part(b, i, 0);
  else
    threads_run(s->threads, claim_part, b, parts);
  store_number(s->store, b->in_use, b->batches);
  threads_run(s->threads, settle_cell, b, b->in_use);
  CHECKED_AT_TIMES(store_check_cost(s->store) / (1 + b->in_use * SMALLEST_CELL), store_check(s->store));
  LOG(explicit, "depth %llu: %llu states", (unsigned long long)b->depth, (unsigned long long)store_count(s->store));
  for (size_t i = 0; i < b->in_use; i++)
    for (size_t j = 0; j < b->cells[i].ends.count; j++) lineage_add(&b->lineage, b->cells[i].ends.at[j]);
}

/* ---- rounds ---- */

/* The next states of the level, spread over cells; at least so many a cell that a thread has something to do. */
static void share_out(breadth *b) {
  uint64_t left = b->level_end - b->next, room = ROUND_BYTES / b->bytes_a_state, at = b->next;
  if (left > room) left = room ? room : 1;
  uint64_t size = (left + b->cell_count - 1) / b->cell_count, end = b->next + left;
  if (size < SMALLEST_CELL) size = SMALLEST_CELL;
  if (size > LARGEST_CELL) size = LARGEST_CELL;
  for (b->in_use = 0; b->in_use < b->cell_count && at < end; b->in_use++) {
    cell *c = &b->cells[b->in_use];
    c->first = at;
    c->count = size < end - at ? size : end - at;
    at += c->count;
  }
}

static void measure(breadth *b) {
  uint64_t states = 0, bytes = 0;
  for (size_t i = 0; i < b->in_use; i++) {
    states += b->cells[i].count;
    bytes += b->cells[i].batch->states.count * sizeof(uint64_t) +
             b->cells[i].batch->count * (sizeof(uint64_t) + sizeof(uint32_t));
  }
  b->bytes_a_state = 1 + bytes / states;
}

/* True if some value did not fit; all that are known of then do. */
static bool widen_for_cells(breadth *b) {
  bool widened = false;
  for (size_t i = 0; i < b->in_use; i++) {
    const cell *c = &b->cells[i];
    if (!c->met.has_misfit) continue;
    if (!field_fits(&b->search->layout->fields[c->met.misfit], c->met.misfit_value))
      search_widen(b->search, c->met.misfit, c->met.misfit_value);
    widened = true;
  }
  return widened;
}

/* The first cell with a violation, if no cell before it is incomplete. */
static const cell *first_violation(const breadth *b) {
  for (size_t i = 0; i < b->in_use; i++) {
    if (b->cells[i].met.violation.is_found) return &b->cells[i];
    if (b->cells[i].met.has_misfit) return NULL;
  }
  return NULL;
}

static void take_results(breadth *b) {
  search *s = b->search;
  for (size_t i = 0; i < b->in_use; i++) {
    const cell *c = &b->cells[i];
    s->env->statistics->transitions += c->met.taken;
    search_note_gap(s, &c->met.gaps);
    if (c->bad_lacks_size) search_note_size_gap(s);
    if (c->bad_state != NO_STATE && !s->violation.is_found)
      expanded_take_violation(s, &(violation){.is_found = true, .state = c->bad_state});
    b->next += c->count;
  }
}

static void run_round(breadth *b) {
  search *s = b->search;
  share_out(b);
  threads_run(s->threads, expand_cell, b, b->in_use);
  if (atomic_load(&b->halt)) {
    search_stop(s);
    return;
  }
  const cell *broken = first_violation(b);
  if (broken) {
    expanded_take_violation(s, &broken->met.violation);
    return;
  }
  if (widen_for_cells(b)) return;
  measure(b);
  add_batches(b);
  if (!s->is_full) take_results(b);
}

static void report(breadth *b) {
  statistics *n = b->search->env->statistics;
  n->states = store_count(b->search->store);
  n->store_bytes = store_memory(b->search->store) + 8 * b->lineage.words.count;
  n->depth = b->depth;
}

bool breadth_level(breadth *b) {
  search *s = b->search;
  report(b);
  while (b->next < b->level_end && !search_is_over(s)) {
    run_round(b);
    report(b);
    events_progress(s->env->events, "%llu states, depth %llu", (unsigned long long)store_count(s->store),
                    (unsigned long long)b->depth);
  }
  if (search_is_over(s) || b->level_end == store_count(s->store)) return false;
  b->level_end = store_count(s->store);
  b->depth++;
  if (!s->gap && !property_is_temporal(s->property)) s->env->statistics->clear_depth = b->depth;
  return true;
}
