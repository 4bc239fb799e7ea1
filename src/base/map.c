/* Open addressing with linear probing; tables are powers of two and at most 2/3 full. */
#include "base/map.h"

#include "base/memory.h"

uint64_t hash_mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed) {
  const unsigned char *p = bytes;
  uint64_t h = seed ^ (count * 0x9e3779b97f4a7c15u);
  for (; count >= 8; p += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    h = hash_mix(h ^ word) + 0x9e3779b97f4a7c15u;
  }
  uint64_t rest = 0;
  if (count) memcpy(&rest, p, count);
  return hash_mix(h ^ rest);
}

typedef struct map_entry {
  uint64_t key, value;
  bool used;
} map_entry;

struct map {
  map_entry *entries;
  size_t size, count;
};

map *map_new(void) { return MEMORY_NEW(map); }

void map_free(map *m) {
  if (!m) return;
  memory_free(m->entries);
  memory_free(m);
}

size_t map_count(const map *m) { return m->count; }

void map_clear(map *m) {
  if (m->entries) memset(m->entries, 0, m->size * sizeof *m->entries);
  m->count = 0;
}

static map_entry *map_find(const map *m, uint64_t key) {
  size_t mask = m->size - 1, i = hash_mix(key + 1) & mask;
  while (m->entries[i].used && m->entries[i].key != key) i = (i + 1) & mask;
  return &m->entries[i];
}

bool map_get(const map *m, uint64_t key, uint64_t *value) {
  if (!m->count) return false;
  const map_entry *e = map_find(m, key);
  if (!e->used) return false;
  if (value) *value = e->value;
  return true;
}

static void map_grow(map *m) {
  map old = *m;
  m->size = old.size ? old.size * 2 : 16;
  m->entries = MEMORY_ARRAY(map_entry, m->size);
  for (size_t i = 0; i < old.size; i++)
    if (old.entries[i].used) *map_find(m, old.entries[i].key) = old.entries[i];
  memory_free(old.entries);
}

void map_set(map *m, uint64_t key, uint64_t value) {
  if (3 * (m->count + 1) > 2 * m->size) map_grow(m);
  map_entry *e = map_find(m, key);
  if (!e->used) m->count++;
  *e = (map_entry){key, value, true};
}

typedef struct names_entry {
  char *key;
  uint64_t hash, value;
} names_entry;

struct names {
  names_entry *entries;
  size_t size, count;
};

names *names_new(void) { return MEMORY_NEW(names); }

void names_free(names *n) {
  if (!n) return;
  for (size_t i = 0; i < n->size; i++) memory_free(n->entries[i].key);
  memory_free(n->entries);
  memory_free(n);
}

size_t names_count(const names *n) { return n->count; }

static names_entry *names_find(const names *n, const char *key, uint64_t hash) {
  size_t mask = n->size - 1, i = hash & mask;
  while (n->entries[i].key && (n->entries[i].hash != hash || strcmp(n->entries[i].key, key))) i = (i + 1) & mask;
  return &n->entries[i];
}

bool names_get(const names *n, const char *key, uint64_t *value) {
  if (!n->count) return false;
  const names_entry *e = names_find(n, key, hash_bytes(key, strlen(key), 0));
  if (!e->key) return false;
  if (value) *value = e->value;
  return true;
}

static void names_grow(names *n) {
  names old = *n;
  n->size = old.size ? old.size * 2 : 16;
  n->entries = MEMORY_ARRAY(names_entry, n->size);
  for (size_t i = 0; i < old.size; i++)
    if (old.entries[i].key) *names_find(n, old.entries[i].key, old.entries[i].hash) = old.entries[i];
  memory_free(old.entries);
}

void names_set(names *n, const char *key, uint64_t value) {
  if (3 * (n->count + 1) > 2 * n->size) names_grow(n);
  uint64_t hash = hash_bytes(key, strlen(key), 0);
  names_entry *e = names_find(n, key, hash);
  if (!e->key) {
    e->key = memory_copy_string(key);
    e->hash = hash;
    n->count++;
  }
  e->value = value;
}

enum { LONGEST_WORD_COMPARED = 63 };

size_t words_distance(const char *a, const char *b) {
  size_t la = strlen(a), lb = strlen(b);
  if (la > LONGEST_WORD_COMPARED || lb > LONGEST_WORD_COMPARED) return la > lb ? la : lb;
  size_t rows[3][LONGEST_WORD_COMPARED + 1]; /* the row that is made, the one before it, and the one before that */
  for (size_t j = 0; j <= lb; j++) rows[0][j] = j;
  for (size_t i = 1; i <= la; i++) {
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= lb; j++) {
      size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && second[j - 2] + 1 < best) best = second[j - 2] + 1;
      row[j] = best;
    }
  }
  return rows[la % 3][lb];
}

bool words_are_near(const char *typed, const char *known) {
  size_t length = strlen(typed), other = strlen(known), limit = length < 4 ? 1 : length < 8 ? 2 : 3;
  enum { LONGEST = 100 }; /* nobody mistypes these; comparing them would take long */
  if (length > LONGEST || length > other + limit || other > length + limit) return false;
  size_t distance = words_distance(typed, known);
  return distance <= limit && distance < length;
}

const char *names_nearest(const names *n, const char *key) {
  const char *best = NULL;
  size_t best_distance = SIZE_MAX;
  for (size_t i = 0; i < n->size; i++) {
    const char *known = n->entries[i].key;
    if (!known || !words_are_near(key, known)) continue;
    size_t d = words_distance(key, known);
    if (d < best_distance || (d == best_distance && strcmp(known, best) < 0)) best = known, best_distance = d;
  }
  return best;
}
