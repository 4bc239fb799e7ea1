/* How a state vector of 64-bit words is packed into as few bits as its values need.
 *
 * Every variable has a field: a range of values it can hold and where its bits stand. Fields never cross a word of the
 * packed state; a variable that can have only one value takes no bits at all. */
#ifndef WHET_STORE_LAYOUT_H
#define WHET_STORE_LAYOUT_H

#include "base/base.h"

typedef struct field {
  int64_t low;   /* the value stored as 0 */
  uint64_t mask; /* the largest stored value is at most this; 2^bits - 1 */
  uint64_t span; /* high - low: what may be stored */
  uint32_t word;
  uint32_t shift;
} field;

typedef struct layout {
  size_t count;
  field *fields; /* one a variable, in the order of the state vector */
  size_t words;  /* of a packed state, at least 1 */
  size_t bytes;  /* of the words that matter, those of a word from low to high; what follows them is zero */
} layout;

/* Variable i holds values low[i]..high[i]. */
GIVE layout *layout_new(size_t count, const int64_t *low, const int64_t *high);
void layout_free(TAKE layout *l);

static inline bool field_fits(const field *f, int64_t value) { return (uint64_t)value - (uint64_t)f->low <= f->span; }
static inline int64_t field_get(const field *f, const uint64_t *packed) {
  return (int64_t)((packed[f->word] >> f->shift & f->mask) + (uint64_t)f->low);
}
/* `value` fits. */
static inline void field_set(const field *f, uint64_t *packed, int64_t value) {
  uint64_t *w = &packed[f->word];
  *w = (*w & ~(f->mask << f->shift)) | ((uint64_t)value - (uint64_t)f->low) << f->shift;
}

/* `values` into `packed`. False if a value does not fit its field; `*misfit` (may be NULL) then says which. */
bool layout_pack(const layout *l, const int64_t *values, uint64_t *packed, size_t *misfit);
void layout_unpack(const layout *l, const uint64_t *packed, int64_t *values);
/* Which of the bytes of a packed state comes k-th when states are compared: `order[0]` counts most. */
void layout_byte_order(const layout *l, size_t *order);

#endif
