#include "set/layout.h"

#include "base/vector.h"

static unsigned bits_for(uint64_t span) { return span ? 64 - (unsigned)__builtin_clzll(span) : 0; }

/* Widest fields first, each into the first word with room: words are filled well, and what remains free is in the last
 * one. */
layout *layout_new(size_t count, const int64_t *low, const int64_t *high) {
  layout *l = MEMORY_NEW(layout);
  VECTOR(unsigned) used = {0};
  l->count = count;
  l->fields = MEMORY_ARRAY(field, count);
  for (unsigned bits = 64; bits > 0; bits--)
    for (size_t i = 0; i < count; i++) {
      uint64_t span = (uint64_t)high[i] - (uint64_t)low[i];
      if (bits_for(span) != bits) continue;
      size_t word = 0;
      while (word < used.count && used.at[word] + bits > 64) word++;
      if (word == used.count) VECTOR_PUSH(used, 0);
      l->fields[i] = (field){low[i], UINT64_MAX >> (64 - bits), span, (uint32_t)word, used.at[word]};
      used.at[word] += bits;
    }
  for (size_t i = 0; i < count; i++)
    if (low[i] == high[i]) l->fields[i] = (field){.low = low[i]};
  l->words = used.count ? used.count : 1;
  l->bytes = used.count ? 8 * (used.count - 1) + (VECTOR_LAST(used) + 7) / 8 : 1;
  VECTOR_FREE(used);
  return l;
}

void layout_free(layout *l) {
  if (!l) return;
  memory_free(l->fields);
  memory_free(l);
}

bool layout_pack(const layout *l, const int64_t *values, uint64_t *packed, size_t *misfit) {
  memset(packed, 0, l->words * sizeof *packed);
  for (size_t i = 0; i < l->count; i++) {
    const field *f = &l->fields[i];
    if (!field_fits(f, values[i])) {
      if (misfit) *misfit = i;
      return false;
    }
    packed[f->word] |= ((uint64_t)values[i] - (uint64_t)f->low) << f->shift;
  }
  return true;
}

void layout_unpack(const layout *l, const uint64_t *packed, int64_t *values) {
  for (size_t i = 0; i < l->count; i++) values[i] = field_get(&l->fields[i], packed);
}
