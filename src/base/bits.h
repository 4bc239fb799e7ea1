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

#endif
