/* Open addressing over entries whose keys lie one after another in one array. Keys are compared in full: equal hashes
 * prove nothing. */
#include "solver/cache.h"

#include "base/map.h"

typedef struct entry {
  uint64_t hash;
  size_t start, count; /* of the key */
  answer answer;
  bool used;
} entry;

struct cache {
  entry *entries;
  size_t size, used, most_answers, most_terms;
  term_vector keys;
};

enum { SMALLEST = 64 };

cache *cache_new(size_t answers, size_t terms) {
  cache *c = MEMORY_NEW(cache);
  c->most_answers = answers;
  c->most_terms = terms;
  return c;
}

void cache_free(cache *c) {
  if (!c) return;
  memory_free(c->entries);
  VECTOR_FREE(c->keys);
  memory_free(c);
}

void cache_clear(cache *c) {
  memory_free(c->entries);
  VECTOR_FREE(c->keys);
  c->entries = NULL;
  c->size = c->used = 0;
}

size_t cache_count(const cache *c) { return c->used; }

static uint64_t hash_of(size_t count, const term *key) { return hash_bytes(key, count * sizeof *key, 0); }

static entry *find(const cache *c, uint64_t hash, size_t count, const term *key) {
  size_t mask = c->size - 1, i = hash & mask;
  for (; c->entries[i].used; i = (i + 1) & mask) {
    const entry *e = &c->entries[i];
    if (e->hash == hash && e->count == count && !memcmp(c->keys.at + e->start, key, count * sizeof *key)) break;
  }
  return &c->entries[i];
}

bool cache_find(const cache *c, size_t count, const term *key, answer *out) {
  if (!c->used) return false;
  const entry *e = find(c, hash_of(count, key), count, key);
  if (e->used) *out = e->answer;
  return e->used;
}

static void grow(cache *c) {
  cache old = *c;
  c->size = old.size ? old.size * 2 : SMALLEST;
  c->entries = MEMORY_ARRAY(entry, c->size);
  for (size_t i = 0; i < old.size; i++) {
    size_t mask = c->size - 1, at = old.entries[i].hash & mask;
    if (!old.entries[i].used) continue;
    while (c->entries[at].used) at = (at + 1) & mask;
    c->entries[at] = old.entries[i];
  }
  memory_free(old.entries);
}

void cache_add(cache *c, size_t count, const term *key, answer a) {
  if (c->used >= c->most_answers || c->keys.count + count > c->most_terms) cache_clear(c);
  if (3 * (c->used + 1) > 2 * c->size) grow(c);
  uint64_t hash = hash_of(count, key);
  entry *e = find(c, hash, count, key);
  if (!e->used) {
    *e = (entry){.hash = hash, .start = c->keys.count, .count = count, .used = true};
    c->used++;
    for (size_t i = 0; i < count; i++) VECTOR_PUSH(c->keys, key[i]);
  }
  e->answer = a;
}
