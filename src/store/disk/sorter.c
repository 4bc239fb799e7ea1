/* One array of keys that is sorted in place, and the runs that it became before. */
#include "store/disk/sorter.h"

#include "store/rows.h"

/* Keys that were added lately are not added again: a table by hash, in which a new one takes the place of an old one. It
 * is not cleared. */
enum { LATEST = 1 << 14 };

struct key_sorter {
  disk_folder *folder;
  size_t bytes, room, count; /* in keys */
  size_t allocated;
  uint8_t *keys, *latest;
  size_t *order;
  VECTOR(key_run *) runs;
};

key_sorter *key_sorter_new(disk_folder *f, size_t bytes, size_t memory) {
  key_sorter *s = MEMORY_NEW(key_sorter);
  s->folder = f;
  s->bytes = bytes;
  s->room = memory / bytes;
  if (s->room < 1024) s->room = 1024;
  s->order = MEMORY_ARRAY(size_t, bytes);
  for (size_t i = 0; i < bytes; i++) s->order[i] = i;
  s->latest = memory_alloc_zero(LATEST, bytes + 1);
  return s;
}

void key_sorter_clear(key_sorter *s) {
  for (size_t i = 0; i < s->runs.count; i++) key_run_free(s->runs.at[i]);
  VECTOR_CLEAR(s->runs);
  s->count = 0;
}

void key_sorter_free(key_sorter *s) {
  if (!s) return;
  key_sorter_clear(s);
  VECTOR_FREE(s->runs);
  memory_free(s->keys);
  memory_free(s->latest);
  memory_free(s->order);
  memory_free(s);
}

uint64_t key_sorter_memory(const key_sorter *s) {
  uint64_t all = s->allocated * s->bytes + (uint64_t)LATEST * (s->bytes + 1);
  for (size_t i = 0; i < s->runs.count; i++) all += key_run_memory(s->runs.at[i]);
  return all;
}

void key_sorter_finish(key_sorter *s) {
  size_t kept = 0, bytes = s->bytes;
  if (!s->count) return;
  rows_sort(s->keys, s->count, bytes, s->order);
  for (size_t i = 1; i < s->count; i++)
    if (memcmp(s->keys + kept * bytes, s->keys + i * bytes, bytes) && ++kept != i)
      memcpy(s->keys + kept * bytes, s->keys + i * bytes, bytes);
  s->count = kept + 1;
}

static void make_run(key_sorter *s) {
  run_writer *w = run_writer_new(s->folder, s->bytes);
  for (size_t i = 0; i < s->count; i++) run_writer_add(w, s->keys + i * s->bytes);
  VECTOR_PUSH(s->runs, run_writer_finish(w));
  s->count = 0;
}

/* Room for one more. */
static void make_room(key_sorter *s) {
  if (s->allocated < s->room) {
    s->allocated = s->allocated ? 2 * s->allocated : 1024;
    if (s->allocated > s->room) s->allocated = s->room;
    s->keys = memory_realloc(s->keys, s->allocated * s->bytes);
    return;
  }
  key_sorter_finish(s);
  if (s->count > s->room / 2) make_run(s);
}

static bool is_latest(key_sorter *s, const uint8_t *key) {
  uint64_t h = 0;
  for (size_t i = 0; i < s->bytes; i++) h = (h ^ key[i]) * UINT64_C(0x100000001b3);
  uint8_t *slot = s->latest + (h >> 24) % LATEST * (s->bytes + 1);
  if (slot[0] && !memcmp(slot + 1, key, s->bytes)) return true;
  slot[0] = 1;
  memcpy(slot + 1, key, s->bytes);
  return false;
}

void key_sorter_add(key_sorter *s, const uint8_t *key) {
  if (is_latest(s, key)) return;
  if (s->count == s->allocated) make_room(s);
  memcpy(s->keys + s->count++ * s->bytes, key, s->bytes);
}

void key_sorter_give(const key_sorter *s, key_merge *to) {
  key_merge_add_rows(to, s->keys, s->count);
  for (size_t i = 0; i < s->runs.count; i++) key_merge_add_run(to, s->runs.at[i]);
}
