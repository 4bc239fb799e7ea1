/* Places the fields of a state's variables in words, and packs and unpacks states. */
#include "store/layout.h"

#include "base/vector.h"

static unsigned bits_for(uint64_t span) { return span ? 64 - (unsigned)__builtin_clzll(span) : 0; }

layout *layout_new(size_t count, const int64_t *low, const int64_t *high) {
  layout *l = MEMORY_NEW(layout);
  VECTOR(unsigned) used = {0};
  l->count = count;
  l->fields = MEMORY_ARRAY(field, count);
  VECTOR_PUSH(used, 0);
  for (size_t i = 0; i < count; i++) {
    uint64_t span = (uint64_t)high[i] - (uint64_t)low[i];
    unsigned bits = bits_for(span);
    if (VECTOR_LAST(used) + bits > 64) VECTOR_PUSH(used, 0);
    VECTOR_LAST(used) += bits;
    /* `shift` is counted from the top of the word until it is known how full that is. */
    l->fields[i] =
        (field){low[i], bits ? UINT64_MAX >> (64 - bits) : 0, span, (uint32_t)used.count - 1, VECTOR_LAST(used)};
  }
  for (size_t i = 0; i < count; i++) {
    field *f = &l->fields[i];
    f->shift = f->mask ? used.at[f->word] - f->shift : 0;
  }
  l->words = used.count;
  l->bytes = 8 * (used.count - 1) + (VECTOR_LAST(used) + 7) / 8;
  if (!l->bytes) l->bytes = 1;
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

void layout_byte_order(const layout *l, size_t *order) {
  for (size_t word = 0, at = 0; word < l->words; word++) {
    size_t bytes = word + 1 < l->words ? 8 : l->bytes - 8 * word;
    for (size_t i = bytes; i-- > 0;) order[at++] = 8 * word + i;
  }
}
