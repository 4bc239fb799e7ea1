/* Sets of small numbers, one bit each. The size is fixed when the set is made. */
#ifndef WHET_BASE_BITS_H
#define WHET_BASE_BITS_H

#include "base/memory.h"

typedef struct bits {
  uint64_t *words;
  size_t size; /* how many numbers: 0..size-1 */
} bits;

static inline size_t bits_words(size_t size) { return (size + 63) / 64; }
static inline GIVE bits bits_new(size_t size) { return (bits){MEMORY_ARRAY(uint64_t, bits_words(size)), size}; }
static inline void bits_free(TAKE bits *b) {
  memory_free(b->words);
  *b = (bits){0};
}
static inline bool bits_has(const bits *b, size_t i) { return b->words[i / 64] >> (i % 64) & 1; }
static inline void bits_add(bits *b, size_t i) { b->words[i / 64] |= UINT64_C(1) << (i % 64); }
static inline void bits_remove(bits *b, size_t i) { b->words[i / 64] &= ~(UINT64_C(1) << (i % 64)); }
static inline size_t bits_count(const bits *b) {
  size_t n = 0;
  for (size_t i = 0; i < bits_words(b->size); i++) n += (size_t)__builtin_popcountll(b->words[i]);
  return n;
}

/* Sets that meet are of the same size. */
static inline GIVE bits bits_copy(const bits *b) {
  bits made = bits_new(b->size);
  if (b->size) memcpy(made.words, b->words, bits_words(b->size) * sizeof *b->words);
  return made;
}
static inline void bits_assign(bits *to, const bits *from) {
  if (from->size) memcpy(to->words, from->words, bits_words(from->size) * sizeof *from->words);
}
static inline void bits_clear(bits *b) {
  if (b->size) memset(b->words, 0, bits_words(b->size) * sizeof *b->words);
}
static inline void bits_fill(bits *b) {
  for (size_t i = 0; i < bits_words(b->size); i++) b->words[i] = UINT64_MAX;
  if (b->size % 64) b->words[b->size / 64] = (UINT64_C(1) << (b->size % 64)) - 1;
}
static inline void bits_flip(bits *b) {
  for (size_t i = 0; i < bits_words(b->size); i++) b->words[i] = ~b->words[i];
  if (b->size % 64) b->words[b->size / 64] &= (UINT64_C(1) << (b->size % 64)) - 1;
}
static inline void bits_unite(bits *to, const bits *with) {
  for (size_t i = 0; i < bits_words(to->size); i++) to->words[i] |= with->words[i];
}
static inline void bits_meet(bits *to, const bits *with) {
  for (size_t i = 0; i < bits_words(to->size); i++) to->words[i] &= with->words[i];
}
static inline void bits_minus(bits *to, const bits *without) {
  for (size_t i = 0; i < bits_words(to->size); i++) to->words[i] &= ~without->words[i];
}
static inline bool bits_same(const bits *a, const bits *b) {
  return !a->size || !memcmp(a->words, b->words, bits_words(a->size) * sizeof *a->words);
}
static inline bool bits_is_within(const bits *a, const bits *b) {
  for (size_t i = 0; i < bits_words(a->size); i++)
    if (a->words[i] & ~b->words[i]) return false;
  return true;
}
static inline bool bits_is_empty(const bits *b) {
  for (size_t i = 0; i < bits_words(b->size); i++)
    if (b->words[i]) return false;
  return true;
}
/* The smallest member that is at least `from`; the size if there is none. */
static inline size_t bits_next(const bits *b, size_t from) {
  if (from >= b->size) return b->size;
  size_t w = from / 64;
  uint64_t word = b->words[w] & UINT64_MAX << (from % 64);
  while (!word) {
    if (++w == bits_words(b->size)) return b->size;
    word = b->words[w];
  }
  return w * 64 + (size_t)__builtin_ctzll(word);
}
/* BITS_EACH (i, &set) statement: for each member, ascending. */
#define BITS_EACH(I, B) for (size_t I = bits_next((B), 0); I < (B)->size; I = bits_next((B), I + 1))
/* Room for more numbers, which are not in it; `size` is not smaller than before. */
static inline void bits_grow(bits *b, size_t size) {
  size_t before = bits_words(b->size), after = bits_words(size);
  if (after > before) {
    b->words = memory_realloc(b->words, after * sizeof *b->words);
    memset(b->words + before, 0, (after - before) * sizeof *b->words);
  }
  b->size = size;
}

#endif
