/* Sorting rows of bytes. */
#ifndef WHET_SET_ROWS_H
#define WHET_SET_ROWS_H

#include "base/base.h"

/* `count` rows of `bytes` bytes each, into the order of memcmp, in place. */
void rows_sort(uint8_t *rows, size_t count, size_t bytes);

/* Values packed so that memcmp on them is the lexicographic order of the values: a bit string, the first value first,
 * its highest bit first. `row` has room for the bits of all values, rounded up to bytes, and is zero where nothing was
 * written. */
static inline void row_write_bits(uint8_t *row, size_t *at, uint64_t value, unsigned bits) {
  while (bits) {
    unsigned room = 8 - (unsigned)(*at % 8), now = bits < room ? bits : room;
    row[*at / 8] |= (uint8_t)((value >> (bits - now) & ((1u << now) - 1)) << (room - now));
    bits -= now;
    *at += now;
  }
}

static inline uint64_t row_read_bits(const uint8_t *row, size_t *at, unsigned bits) {
  uint64_t value = 0;
  while (bits) {
    unsigned room = 8 - (unsigned)(*at % 8), now = bits < room ? bits : room;
    value = value << now | (row[*at / 8] >> (room - now) & ((1u << now) - 1));
    bits -= now;
    *at += now;
  }
  return value;
}

#endif
