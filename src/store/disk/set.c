/* The runs of a set, and when they are merged. */
#include "store/disk/set.h"

#include "base/work.h"

enum { RUNS_OF_A_SIZE = 4, KEYS_A_UNIT = 32, KEYS_BETWEEN_LOOKS = 1024 };

struct key_set {
  disk_folder *folder;
  size_t bytes;
  uint64_t count;
  VECTOR(key_run *) runs;
  VECTOR(run_reader *) readers; /* between begin and end; those that have come to their end are left out */
};

key_set *key_set_new(disk_folder *f, size_t bytes) {
  key_set *s = MEMORY_NEW(key_set);
  s->folder = f;
  s->bytes = bytes;
  return s;
}

void key_set_free(key_set *s) {
  if (!s) return;
  key_set_end(s);
  for (size_t i = 0; i < s->runs.count; i++) key_run_free(s->runs.at[i]);
  VECTOR_FREE(s->runs);
  VECTOR_FREE(s->readers);
  memory_free(s);
}

uint64_t key_set_count(const key_set *s) { return s->count; }

uint64_t key_set_memory(const key_set *s) {
  uint64_t all = 0;
  for (size_t i = 0; i < s->runs.count; i++) all += key_run_memory(s->runs.at[i]);
  return all;
}

static unsigned size_class(const key_run *r) {
  uint64_t count = key_run_count(r);
  return count ? (63 - (unsigned)__builtin_clzll(count)) / 2 : 0;
}

/* The smallest class with as many runs as are merged; false if none has. */
static bool find_class(const key_set *s, unsigned *found) {
  unsigned runs[32] = {0};
  for (size_t i = 0; i < s->runs.count; i++) runs[size_class(s->runs.at[i])]++;
  for (*found = 0; *found < 32; ++*found)
    if (runs[*found] >= RUNS_OF_A_SIZE) return true;
  return false;
}

/* All runs up to this class as one; nothing if the budget is spent. */
static GIVE key_run *merge_up_to(key_set *s, unsigned class, budget *b) {
  key_merge *m = key_merge_new(s->bytes);
  run_writer *w = run_writer_new(s->folder, s->bytes);
  uint64_t done = 0;
  bool in_time = true;
  for (size_t i = 0; i < s->runs.count; i++)
    if (size_class(s->runs.at[i]) <= class) key_merge_add_run(m, s->runs.at[i]);
  for (const uint8_t *key; in_time && (key = key_merge_next(m)) != NULL; done++) {
    run_writer_add(w, key);
    if (done % KEYS_BETWEEN_LOOKS) continue;
    work_add(KEYS_BETWEEN_LOOKS / KEYS_A_UNIT);
    in_time = !budget_spent(b);
  }
  key_merge_free(m);
  key_run *made = run_writer_finish(w);
  if (in_time && !disk_folder_problem(s->folder)) return made;
  key_run_free(made);
  return NULL;
}

bool key_set_add(key_set *s, key_run *r, budget *b) {
  unsigned class;
  s->count += key_run_count(r);
  VECTOR_PUSH(s->runs, r);
  while (find_class(s, &class)) {
    key_run *made = merge_up_to(s, class, b);
    if (!made) return false;
    size_t kept = 0;
    for (size_t i = 0; i < s->runs.count; i++) {
      if (size_class(s->runs.at[i]) > class)
        s->runs.at[kept++] = s->runs.at[i];
      else
        key_run_free(s->runs.at[i]);
    }
    s->runs.count = kept;
    VECTOR_PUSH(s->runs, made);
  }
  return true;
}

key_merge *key_set_merge(const key_set *s) {
  key_merge *m = key_merge_new(s->bytes);
  for (size_t i = 0; i < s->runs.count; i++) key_merge_add_run(m, s->runs.at[i]);
  return m;
}

void key_set_begin(key_set *s) {
  for (size_t i = 0; i < s->runs.count; i++) VECTOR_PUSH(s->readers, run_reader_new(s->runs.at[i]));
}

void key_set_end(key_set *s) {
  for (size_t i = 0; i < s->readers.count; i++) run_reader_free(s->readers.at[i]);
  VECTOR_CLEAR(s->readers);
}

bool key_set_has(key_set *s, const uint8_t *key) {
  for (size_t i = 0; i < s->readers.count;) {
    const uint8_t *found = run_reader_seek(s->readers.at[i], key);
    if (found && !memcmp(found, key, s->bytes)) return true;
    if (found) {
      i++;
      continue;
    }
    run_reader_free(s->readers.at[i]);
    s->readers.at[i] = VECTOR_LAST(s->readers);
    s->readers.count--;
  }
  return false;
}
