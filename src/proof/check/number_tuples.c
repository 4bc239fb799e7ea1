/* Open addressing over ids; the tuples lie one after another in one array. */
#include "proof/check/number_tuples.h"

#include "base/map.h"
#include "base/vector.h"

/* A real number has a pointer or a small value, never both. */
static const int64_t nowhere = 0;
const number number_unknown = {1, (const struct number_big *)&nowhere};

enum { FIRST_SIZE = 16 };

struct tuples {
  size_t width, count;
  VECTOR(number) values;
  VECTOR(uint64_t) hashes;
  uint32_t *table; /* id + 1; 0 = free */
  size_t size;
};

tuples *number_tuples_new(size_t width) {
  tuples *t = MEMORY_NEW(tuples);
  t->width = width;
  return t;
}

void number_tuples_free(tuples *t) {
  if (!t) return;
  VECTOR_FREE(t->values);
  VECTOR_FREE(t->hashes);
  memory_free(t->table);
  memory_free(t);
}

void number_tuples_clear(tuples *t) {
  t->count = 0;
  VECTOR_CLEAR(t->values);
  VECTOR_CLEAR(t->hashes);
  if (t->size) memset(t->table, 0, t->size * sizeof *t->table);
}

size_t number_tuples_count(const tuples *t) { return t->count; }

static bool tuple_is(const tuples *t, size_t id, const number *tuple) {
  for (size_t i = 0; i < t->width; i++)
    if (!number_equal(t->values.at[id * t->width + i], tuple[i])) return false;
  return true;
}

/* The slot where `tuple` is or would be. */
static size_t slot_of(const tuples *t, const number *tuple, uint64_t hash) {
  size_t slot = hash & (t->size - 1);
  for (; t->table[slot]; slot = (slot + 1) & (t->size - 1)) {
    size_t id = t->table[slot] - 1;
    if (t->hashes.at[id] == hash && tuple_is(t, id, tuple)) break;
  }
  return slot;
}

static uint64_t tuple_hash(const tuples *t, const number *tuple) {
  return hash_bytes(tuple, t->width * sizeof(number), 0);
}

static void grow(tuples *t) {
  memory_free(t->table);
  t->size = t->size ? 2 * t->size : FIRST_SIZE;
  t->table = MEMORY_ARRAY(uint32_t, t->size);
  for (size_t id = 0; id < t->count; id++) {
    size_t slot = t->hashes.at[id] & (t->size - 1);
    while (t->table[slot]) slot = (slot + 1) & (t->size - 1);
    t->table[slot] = (uint32_t)id + 1;
  }
}

size_t number_tuples_find(const tuples *t, const number *tuple) {
  if (!t->count) return SIZE_MAX;
  uint32_t found = t->table[slot_of(t, tuple, tuple_hash(t, tuple))];
  return found ? found - 1 : SIZE_MAX;
}

size_t number_tuples_add(tuples *t, const number *tuple) {
  if (2 * (t->count + 1) > t->size) grow(t);
  uint64_t hash = tuple_hash(t, tuple);
  size_t slot = slot_of(t, tuple, hash);
  if (t->table[slot]) return t->table[slot] - 1;
  if (t->count >= UINT32_MAX - 1) memory_exhausted();
  t->table[slot] = (uint32_t)++t->count;
  VECTOR_PUSH(t->hashes, hash);
  for (size_t i = 0; i < t->width; i++) VECTOR_PUSH(t->values, tuple[i]);
  return t->count - 1;
}
