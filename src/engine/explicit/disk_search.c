/* The levels of a search on disk. A key is a packed state with its bytes in the order in which states are compared
 * (store/layout.h), so that the order of keys is that of the values of variables, whatever the widths of fields are:
 * when a field must be wider, files are written again in the same order. */
#include "engine/explicit/disk_search.h"

#include <stdatomic.h>

#include "base/instruments/log.h"
#include "base/work.h"
#include "engine/explicit/checkpoint.h"
#include "engine/explicit/expand.h"
#include "store/disk/set.h"
#include "store/disk/sorter.h"

enum { KEYS_A_CELL = 256, CELLS_A_MEMBER = 8, KEYS_BETWEEN_LOOKS = 1024, KEYS_A_UNIT = 16 };
/* For sorting: a third of what the search may take, but not more than LARGEST. */
static const uint64_t SMALLEST_SORTER = 1 << 20, LARGEST_SORTER = 1 << 30;

/* Some states of the level, which one thread expands. */
typedef struct cell {
  VECTOR(uint8_t) keys;
  expanded met;
} cell;

struct disk_search {
  search *search;
  size_t bytes; /* of a key */
  size_t *order;
  disk_folder *folder;
  checkpoint *checkpoint; /* NULL if nothing is kept */
  key_log *log;           /* the levels, */
  VECTOR(uint64_t) ends;  /* where each of them ends */
  key_set *visited;
  key_sorter **sorters; /* one a member */
  uint64_t **packed;    /* room for a state, one a member */
  cell *cells;
  size_t cell_count;
  uint64_t taken; /* steps, of the level under way */
  atomic_bool halt;
  VECTOR(uint8_t) found; /* the key at which a violation was found, */
  size_t found_level;    /* in this level */
};

/* ---- keys ---- */

static void to_key(const disk_search *d, const uint64_t *packed, uint8_t *key) {
  for (size_t i = 0; i < d->bytes; i++) key[i] = ((const uint8_t *)packed)[d->order[i]];
}

static void from_key(const disk_search *d, const uint8_t *key, uint64_t *packed) {
  packed[d->search->layout->words - 1] = 0;
  for (size_t i = 0; i < d->bytes; i++) ((uint8_t *)packed)[d->order[i]] = key[i];
}

static void set_layout(disk_search *d) {
  d->bytes = d->search->layout->bytes;
  memory_free(d->order);
  d->order = MEMORY_ARRAY(size_t, d->bytes);
  layout_byte_order(d->search->layout, d->order);
}

/* ---- making ---- */

static uint64_t sorter_memory(const search *s) {
  uint64_t limit = s->env->budget->memory, resident = memory_resident();
  uint64_t part = !limit ? LARGEST_SORTER : limit > resident ? (limit - resident) / 3 : 0;
  if (part < SMALLEST_SORTER) part = SMALLEST_SORTER;
  return (part > LARGEST_SORTER ? LARGEST_SORTER : part) / threads_members(s->threads);
}

static void make_sorters(disk_search *d) {
  unsigned members = threads_members(d->search->threads);
  uint64_t memory = sorter_memory(d->search);
  for (unsigned i = 0; i < members; i++) {
    key_sorter_free(d->sorters[i]);
    d->sorters[i] = key_sorter_new(d->folder, d->bytes, memory);
  }
}

static void open_log(disk_search *d) {
  char *name = d->checkpoint ? checkpoint_log_name(d->checkpoint) : NULL;
  d->log = key_log_new(d->folder, name, d->bytes);
  if (d->checkpoint) checkpoint_lock(d->checkpoint, d->log);
  memory_free(name);
}

/* The run is the next level. False if the budget is spent. */
static bool add_level(disk_search *d, TAKE key_run *r) {
  VECTOR_PUSH(d->ends, key_log_end(d->log));
  return key_set_add(d->visited, r, d->search->env->budget);
}

static GIVE key_run *level_run(const disk_search *d, size_t level) {
  return key_log_run(d->log, level ? d->ends.at[level - 1] : 0, d->ends.at[level]);
}

static void set_found(disk_search *d, size_t level, const uint8_t *key) {
  VECTOR_CLEAR(d->found);
  for (size_t i = 0; i < d->bytes; i++) VECTOR_PUSH(d->found, key[i]);
  d->found_level = level;
}

typedef struct first_level {
  disk_search *search;
  uint8_t *key;
  uint64_t count;
} first_level;

static bool add_initial(void *context, const uint64_t *packed) {
  first_level *f = context;
  disk_search *d = f->search;
  search *s = d->search;
  bool lacks_size = false;
  to_key(d, packed, f->key);
  key_sorter_add(d->sorters[0], f->key);
  if (f->count++ % KEYS_BETWEEN_LOOKS == 0) work_add(KEYS_BETWEEN_LOOKS / KEYS_A_UNIT);
  if (search_is_bad(s, s->steppers[0], packed, &lacks_size)) {
    s->violation.is_found = true;
    set_found(d, 0, f->key);
  }
  if (lacks_size) search_note_size_gap(s);
  return !search_is_over(s) && !disk_folder_problem(d->folder);
}

/* Initial states are level 0. */
static void find_initial_states(disk_search *d) {
  search *s = d->search;
  first_level f = {d, memory_alloc(d->bytes), 0};
  search_each_initial(s, add_initial, &f);
  key_sorter_finish(d->sorters[0]);
  key_merge *m = key_merge_new(d->bytes);
  run_writer *w = run_writer_new_in(d->log);
  key_sorter_give(d->sorters[0], m);
  for (const uint8_t *next; !s->spent && (next = key_merge_next(m)) != NULL;) {
    run_writer_add(w, next);
    if (budget_spent(s->env->budget)) search_stop(s);
  }
  key_merge_free(m);
  key_sorter_clear(d->sorters[0]);
  memory_free(f.key);
  if (!add_level(d, run_writer_finish(w))) search_stop(s);
}

static void forget_store(search *s) {
  store_free(s->store);
  s->store = store_new(s->layout->bytes, 1);
}

/* Reads the levels that an earlier search wrote. */
static void read_levels(disk_search *d, const earlier_search *from) {
  search *s = d->search;
  while (key_log_end(d->log) < from->end && !s->spent) {
    key_run *r = key_log_next(d->log, from->end);
    if (!r) break;
    if (!add_level(d, r)) search_stop(s);
  }
  if (s->spent || disk_folder_problem(d->folder)) return;
  if (key_log_sum(d->log) != from->sum || key_set_count(d->visited) != from->states || d->ends.count != from->levels)
    disk_folder_set_problem(d->folder, text_format("the levels in %s are not those that its record of the search names",
                                                   disk_folder_path(d->folder)));
}

static void begin(disk_search *d) {
  search *s = d->search;
  earlier_search from = {0};
  bool resumes = d->checkpoint && checkpoint_read(d->checkpoint, &from);
  if (resumes) {
    forget_store(s);
    search_set_ranges(s, from.low, from.high);
    if (from.gap) {
      memory_free(s->gap);
      s->gap = memory_copy_string(from.gap);
    }
  }
  set_layout(d);
  d->visited = key_set_new(d->folder, d->bytes);
  make_sorters(d);
  open_log(d);
  if (disk_folder_problem(d->folder))
    ;
  else if (resumes)
    read_levels(d, &from);
  else
    find_initial_states(d);
  earlier_search_clear(&from);
}

disk_search *disk_search_new(search *s) {
  disk_search *d = MEMORY_NEW(disk_search);
  unsigned members = threads_members(s->threads);
  const options *o = s->env->options;
  d->search = s;
  d->folder = disk_folder_new(o->disk);
  if (o->checkpoint || o->resume) d->checkpoint = checkpoint_new(s, d->folder);
  d->sorters = MEMORY_ARRAY(key_sorter *, members);
  d->packed = MEMORY_ARRAY(uint64_t *, members);
  for (unsigned i = 0; i < members; i++) d->packed[i] = MEMORY_ARRAY(uint64_t, s->model->variables.count + 1);
  d->cell_count = members == 1 ? 1 : (size_t)members * CELLS_A_MEMBER;
  d->cells = MEMORY_ARRAY(cell, d->cell_count);
  begin(d);
  return d;
}

/* What an earlier search needs to be gone on with; `is_last`: whatever time has passed. */
static void keep(disk_search *d, bool is_last) {
  search *s = d->search;
  if (!d->checkpoint || !d->ends.count || disk_folder_problem(d->folder)) return;
  checkpoint_write(d->checkpoint, d->log,
                   &(earlier_search){.end = VECTOR_LAST(d->ends),
                                     .sum = key_log_sum(d->log),
                                     .states = key_set_count(d->visited),
                                     .levels = d->ends.count,
                                     .low = s->low,
                                     .high = s->high,
                                     .gap = s->gap},
                   is_last);
}

void disk_search_free(disk_search *d) {
  if (!d) return;
  for (unsigned i = 0; i < threads_members(d->search->threads); i++) {
    key_sorter_free(d->sorters[i]);
    memory_free(d->packed[i]);
  }
  for (size_t i = 0; i < d->cell_count; i++) {
    VECTOR_FREE(d->cells[i].keys);
    expanded_clear(&d->cells[i].met);
  }
  memory_free(d->sorters);
  memory_free(d->packed);
  memory_free(d->cells);
  memory_free(d->order);
  VECTOR_FREE(d->ends);
  VECTOR_FREE(d->found);
  key_set_free(d->visited);
  key_log_free(d->log);
  checkpoint_free(d->checkpoint);
  disk_folder_free(d->folder);
  memory_free(d);
}

uint64_t disk_search_depth(const disk_search *d) { return d->ends.count ? d->ends.count - 1 : 0; }
uint64_t disk_search_states(const disk_search *d) { return key_set_count(d->visited); }
const char *disk_search_problem(const disk_search *d) { return disk_folder_problem(d->folder); }

void disk_search_decided(disk_search *d) {
  if (d->checkpoint) checkpoint_remove(d->checkpoint);
}

/* ---- wider fields ---- */

/* All levels again, as the new layout packs them. */
static void write_levels_again(disk_search *d, const layout *old, const size_t *old_order, key_log *old_log,
                               const uint64_t *old_ends, size_t count) {
  search *s = d->search;
  int64_t *values = MEMORY_ARRAY(int64_t, old->count);
  uint64_t *packed = MEMORY_ARRAY(uint64_t, old->words);
  uint8_t *key = memory_alloc(d->bytes);
  for (size_t level = 0; level < count && !s->spent; level++) {
    key_run *from = key_log_run(old_log, level ? old_ends[level - 1] : 0, old_ends[level]);
    run_reader *reader = run_reader_new(from);
    run_writer *w = run_writer_new_in(d->log);
    for (const uint8_t *k; !s->spent && (k = run_reader_next(reader)) != NULL;) {
      for (size_t i = 0; i < old->bytes; i++) ((uint8_t *)packed)[old_order[i]] = k[i];
      layout_unpack(old, packed, values);
      bool fits = layout_pack(s->layout, values, d->packed[0], NULL);
      REQUIRE(fits, "ranges that only grow");
      to_key(d, d->packed[0], key);
      run_writer_add(w, key);
      if (budget_spent(s->env->budget)) search_stop(s);
    }
    run_reader_free(reader);
    key_run_free(from);
    if (!add_level(d, run_writer_finish(w))) search_stop(s);
  }
  memory_free(values);
  memory_free(packed);
  memory_free(key);
}

static void widen(disk_search *d, size_t position, int64_t value) {
  search *s = d->search;
  layout *old = layout_new(s->layout->count, s->low, s->high);
  size_t *old_order = d->order, count = d->ends.count;
  uint64_t *old_ends = d->ends.at;
  key_log *old_log = d->log;
  d->order = NULL;
  d->ends.at = NULL;
  d->ends.count = d->ends.room = 0;
  search_widen(s, position, value);
  set_layout(d);
  key_set_free(d->visited);
  d->visited = key_set_new(d->folder, d->bytes);
  make_sorters(d);
  if (d->checkpoint) checkpoint_begin_log(d->checkpoint);
  open_log(d);
  write_levels_again(d, old, old_order, old_log, old_ends, count);
  memory_free(old_ends);
  memory_free(old_order);
  key_log_free(old_log);
  layout_free(old);
}

/* ---- expanding ---- */

typedef struct adding {
  const disk_search *search;
  key_sorter *sorter;
  uint8_t *key;
} adding;

static void add_successor(void *context, const uint64_t *packed) {
  adding *a = context;
  to_key(a->search, packed, a->key);
  key_sorter_add(a->sorter, a->key);
}

static void expand_cell(void *context, size_t item, unsigned member) {
  disk_search *d = context;
  cell *c = &d->cells[item];
  size_t count = c->keys.count / d->bytes;
  adding to = {d, d->sorters[member], memory_alloc(d->bytes)};
  expanded_begin(&c->met);
  for (size_t i = 0; i < count && !atomic_load_explicit(&d->halt, memory_order_relaxed); i++) {
    from_key(d, c->keys.at + i * d->bytes, d->packed[member]);
    if (!expand_state(d->search, member, d->packed[member], i, add_successor, &to, &c->met)) break;
  }
  if (c->met.is_stopped) atomic_store(&d->halt, true);
  memory_free(to.key);
}

/* The next states of the level, spread over cells; how many cells there are. */
static size_t fill_cells(disk_search *d, run_reader *level) {
  size_t used = 0;
  const uint8_t *key = NULL;
  for (; used < d->cell_count && (!used || key); used++) {
    cell *c = &d->cells[used];
    VECTOR_RESERVE(c->keys, KEYS_A_CELL * d->bytes);
    for (c->keys.count = 0; c->keys.count < KEYS_A_CELL * d->bytes && (key = run_reader_next(level)) != NULL;
         c->keys.count += d->bytes)
      memcpy(c->keys.at + c->keys.count, key, d->bytes);
    if (!c->keys.count) break;
  }
  return used;
}

/* What the cells met, in their order. False if the level must be begun again. */
static bool take_cells(disk_search *d, size_t used) {
  search *s = d->search;
  if (atomic_load(&d->halt)) search_stop(s);
  for (size_t i = 0; i < used && !s->spent; i++) {
    const expanded *met = &d->cells[i].met;
    if (met->violation.is_found) {
      expanded_take_violation(s, &met->violation);
      set_found(d, d->ends.count - 1, d->cells[i].keys.at + met->violation.state * d->bytes);
      return true;
    }
    if (met->has_misfit) {
      widen(d, met->misfit, met->misfit_value);
      return false;
    }
    d->taken += met->taken;
    search_note_gap(s, &met->gaps);
  }
  return true;
}

static void report(disk_search *d) {
  search *s = d->search;
  statistics *n = s->env->statistics;
  n->states = key_set_count(d->visited);
  n->store_bytes = key_set_memory(d->visited);
  for (unsigned i = 0; i < threads_members(s->threads); i++) n->store_bytes += key_sorter_memory(d->sorters[i]);
  n->disk_bytes = disk_folder_most_bytes(d->folder);
  n->depth = disk_search_depth(d);
  events_progress(s->env->events, "%llu states, depth %llu, %llu MB on disk", (unsigned long long)n->states,
                  (unsigned long long)n->depth, (unsigned long long)(disk_folder_bytes(d->folder) >> 20));
}

/* The successors of the last level into the sorters. False if it must be begun again. */
static bool expand_level(disk_search *d) {
  search *s = d->search;
  key_run *level = level_run(d, d->ends.count - 1);
  run_reader *reader = run_reader_new(level);
  bool is_fine = true;
  d->taken = 0;
  for (size_t used; is_fine && !search_is_over(s) && (used = fill_cells(d, reader)) > 0;) {
    threads_run(s->threads, expand_cell, d, used);
    is_fine = take_cells(d, used);
    report(d);
  }
  if (is_fine) s->env->statistics->transitions += d->taken;
  run_reader_free(reader);
  key_run_free(level);
  return is_fine;
}

/* ---- what is new ---- */

static void sort_part(void *context, size_t item, unsigned member) {
  (void)member;
  key_sorter_finish(((disk_search *)context)->sorters[item]);
}

/* Whether the new state breaks the property; the search is over then. */
static void test_new(disk_search *d, const uint8_t *key) {
  search *s = d->search;
  bool lacks_size = false;
  if (!s->bad) return;
  from_key(d, key, d->packed[0]);
  if (search_is_bad(s, s->steppers[0], d->packed[0], &lacks_size)) {
    s->violation.is_found = true;
    set_found(d, d->ends.count, key);
  }
  if (lacks_size) search_note_size_gap(s);
}

/* Those successors that were not found before are written; true if there are any. */
static bool write_new(disk_search *d, run_writer *w) {
  search *s = d->search;
  unsigned members = threads_members(s->threads);
  key_merge *m = key_merge_new(d->bytes);
  bool is_any = false;
  uint64_t done = 0;
  for (unsigned i = 0; i < members; i++) key_sorter_give(d->sorters[i], m);
  key_set_begin(d->visited);
  for (const uint8_t *key; !search_is_over(s) && (key = key_merge_next(m)) != NULL; done++) {
    if (done % KEYS_BETWEEN_LOOKS == 0) {
      work_add(KEYS_BETWEEN_LOOKS / KEYS_A_UNIT);
      if (budget_spent(s->env->budget)) search_stop(s);
    }
    if (key_set_has(d->visited, key)) continue;
    is_any = true;
    run_writer_add(w, key);
    test_new(d, key);
  }
  key_set_end(d->visited);
  key_merge_free(m);
  return is_any;
}

/* True if there is a next level. */
static bool settle_level(disk_search *d) {
  search *s = d->search;
  run_writer *w = run_writer_new_in(d->log);
  threads_run(s->threads, sort_part, d, threads_members(s->threads));
  bool is_any = write_new(d, w);
  for (unsigned i = 0; i < threads_members(s->threads); i++) key_sorter_clear(d->sorters[i]);
  if (!is_any || search_is_over(s) || disk_folder_problem(d->folder)) {
    run_writer_drop(w);
    return false;
  }
  if (!add_level(d, run_writer_finish(w))) search_stop(s);
  LOG(explicit, "depth %llu: %llu states", (unsigned long long)disk_search_depth(d),
      (unsigned long long)disk_search_states(d));
  report(d);
  return true;
}

bool disk_search_level(disk_search *d) {
  search *s = d->search;
  if (search_is_over(s) || disk_folder_problem(d->folder) || !d->ends.count) return false;
  report(d);
  while (!expand_level(d) && !search_is_over(s))
    ;
  bool goes_on = !search_is_over(s) && !disk_folder_problem(d->folder) && settle_level(d);
  if (goes_on && !s->gap) s->env->statistics->clear_depth = disk_search_depth(d);
  if (goes_on && budget_spent_now(s->env->budget)) search_stop(s);
  if (goes_on || s->spent) keep(d, s->spent != NULL);
  return goes_on && !s->spent;
}

/* ---- evidence ---- */

typedef struct wanted_step {
  const uint64_t *packed;
  size_t words;
} wanted_step;

static bool is_not_wanted(void *context, const machine_step *taken) {
  const wanted_step *w = context;
  return !taken->packed || memcmp(taken->packed, w->packed, w->words * sizeof *w->packed) != 0;
}

/* A state of `level` with a step to `to`, into `from`. */
static bool find_before(disk_search *d, size_t level, const uint64_t *to, uint64_t *from) {
  search *s = d->search;
  key_run *states = level_run(d, level);
  run_reader *reader = run_reader_new(states);
  wanted_step w = {to, s->layout->words};
  bool is_found = false;
  for (const uint8_t *key; !is_found && !budget_spent(s->env->budget) && (key = run_reader_next(reader)) != NULL;) {
    from_key(d, key, from);
    expansion e = stepper_expand(s->steppers[0], from, false, NULL, is_not_wanted, &w);
    is_found = e.end == EXPANSION_STOPPED;
  }
  run_reader_free(reader);
  key_run_free(states);
  return is_found;
}

bool disk_search_trace(disk_search *d, evidence *out) {
  search *s = d->search;
  size_t words = s->layout->words;
  packed_path path = {0};
  bool is_whole = true;
  VECTOR_RESERVE(path, words * (d->found_level + 1));
  path.count = words * (d->found_level + 1);
  from_key(d, d->found.at, path.at + words * d->found_level);
  for (size_t level = d->found_level; level-- > 0 && is_whole;)
    is_whole = find_before(d, level, path.at + words * (level + 1), path.at + words * level);
  if (is_whole) result_trace(s, &path, out);
  VECTOR_FREE(path);
  return is_whole;
}

typedef struct all_states {
  const disk_search *search;
  key_merge *merge;
} all_states;

static const uint64_t *next_state(void *context) {
  all_states *a = context;
  const uint8_t *key = key_merge_next(a->merge);
  if (!key) return NULL;
  from_key(a->search, key, a->search->packed[0]);
  return a->search->packed[0];
}

bool disk_search_all(disk_search *d, evidence *out) {
  all_states a = {d, key_set_merge(d->visited)};
  bool in_time = result_states_from(d->search, next_state, &a, out);
  key_merge_free(a.merge);
  return in_time && !disk_folder_problem(d->folder);
}
