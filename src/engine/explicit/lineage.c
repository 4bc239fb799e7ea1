/* The record as words of 64 bits. A path is found by one walk back from the last word, counting zeros. */
#include "engine/explicit/lineage.h"

void lineage_clear(lineage *l) {
  VECTOR_FREE(l->words);
  l->bits = 0;
}

static void add_bits(lineage *l, uint64_t pattern, unsigned count) {
  unsigned used = l->bits % 64;
  if (used == 0) VECTOR_PUSH(l->words, 0);
  VECTOR_LAST(l->words) |= pattern << used;
  if (used + count > 64) VECTOR_PUSH(l->words, pattern >> (64 - used));
  l->bits += count;
}

void lineage_add(lineage *l, uint64_t children) {
  for (; children > 62; children -= 62) add_bits(l, (UINT64_C(1) << 62) - 1, 62);
  add_bits(l, (UINT64_C(1) << children) - 1, (unsigned)children + 1);
}

/* A walk back along the bits, a word at a time. */
typedef struct cursor {
  const lineage *l;
  size_t word; /* all bits of the words before it are counted in the two numbers below */
  uint64_t ones_before, zeros_before;
} cursor;

static unsigned bits_in_word(const lineage *l, size_t word) {
  return word + 1 < l->words.count || l->bits % 64 == 0 ? 64 : (unsigned)(l->bits % 64);
}

static void count_word(cursor *c, size_t word, int sign) {
  uint64_t ones = (uint64_t)__builtin_popcountll(c->l->words.at[word]), zeros = bits_in_word(c->l, word) - ones;
  c->ones_before += sign > 0 ? ones : -ones;
  c->zeros_before += sign > 0 ? zeros : -zeros;
}

/* Zeros before the 1 that stands for `state`, which is not after the cursor's word. */
static uint64_t zeros_before_state(cursor *c, uint64_t state) {
  while (c->ones_before > state) count_word(c, --c->word, -1);
  uint64_t bits = c->l->words.at[c->word], ones = state - c->ones_before;
  while (ones--) bits &= bits - 1;
  unsigned place = (unsigned)__builtin_ctzll(bits);
  return c->zeros_before + place - (state - c->ones_before);
}

void lineage_path(const lineage *l, uint64_t last, state_path *out) {
  cursor c = {.l = l};
  VECTOR_CLEAR(*out);
  for (; c.word < l->words.count; c.word++) count_word(&c, c.word, 1);
  for (;;) {
    VECTOR_PUSH(*out, last);
    uint64_t zeros = zeros_before_state(&c, last);
    if (zeros == 0) break;
    last = zeros - 1;
  }
  for (size_t i = 0, j = out->count; i + 1 < j; i++) {
    uint64_t held = out->at[i];
    out->at[i] = out->at[--j];
    out->at[j] = held;
  }
}
