/* Radix sort from the first byte on, in place: rows are counted by a byte, then each is swapped to the part of its
 * byte's value, then each part is sorted by the next byte. Small parts are sorted by insertion. Parts that wait stand
 * on a stack: at most 255 for each byte of a row. */
#include "store/rows.h"

#include "base/vector.h"

enum { FEW = 24, VALUES = 256 };

typedef struct part {
  size_t first, count, byte;
} part;

typedef struct sorting {
  size_t bytes;
  const size_t *order;
  uint8_t *room; /* for a row */
} sorting;

static bool is_after(const sorting *s, const uint8_t *a, const uint8_t *b, size_t byte) {
  for (; byte < s->bytes; byte++)
    if (a[s->order[byte]] != b[s->order[byte]]) return a[s->order[byte]] > b[s->order[byte]];
  return false;
}

static void insertion_sort(const sorting *s, uint8_t *rows, size_t count, size_t byte) {
  size_t bytes = s->bytes;
  for (size_t i = 1; i < count; i++) {
    size_t j = i;
    while (j > 0 && is_after(s, rows + (j - 1) * bytes, rows + i * bytes, byte)) j--;
    if (j == i) continue;
    memcpy(s->room, rows + i * bytes, bytes);
    memmove(rows + (j + 1) * bytes, rows + j * bytes, (i - j) * bytes);
    memcpy(rows + j * bytes, s->room, bytes);
  }
}

/* `starts` becomes where the rows with each value of the byte begin. */
static void distribute(const sorting *s, uint8_t *rows, const part *p, size_t starts[VALUES + 1]) {
  size_t next[VALUES], counts[VALUES] = {0}, bytes = s->bytes, byte = s->order[p->byte];
  for (size_t i = 0; i < p->count; i++) counts[rows[i * bytes + byte]]++;
  starts[0] = 0;
  for (size_t v = 0; v < VALUES; v++) {
    next[v] = starts[v];
    starts[v + 1] = starts[v] + counts[v];
  }
  for (size_t v = 0; v < VALUES; v++)
    while (next[v] < starts[v + 1]) {
      uint8_t *row = rows + next[v] * bytes;
      size_t to = row[byte];
      if (to != v) {
        uint8_t *other = rows + next[to] * bytes;
        memcpy(s->room, row, bytes);
        memcpy(row, other, bytes);
        memcpy(other, s->room, bytes);
      }
      next[to]++;
    }
}

void rows_sort(uint8_t *rows, size_t count, size_t bytes, const size_t *order) {
  VECTOR(part) waiting = {0};
  sorting s = {bytes, order, memory_alloc(bytes)};
  size_t starts[VALUES + 1];
  VECTOR_PUSH(waiting, (part){0, count, 0});
  while (waiting.count) {
    part p = VECTOR_POP(waiting);
    uint8_t *first = rows + p.first * bytes;
    if (p.byte == bytes || p.count < 2) continue;
    if (p.count <= FEW) {
      insertion_sort(&s, first, p.count, p.byte);
      continue;
    }
    distribute(&s, first, &p, starts);
    for (size_t v = 0; v < VALUES; v++)
      if (starts[v + 1] - starts[v] > 1)
        VECTOR_PUSH(waiting, (part){p.first + starts[v], starts[v + 1] - starts[v], p.byte + 1});
  }
  memory_free(s.room);
  VECTOR_FREE(waiting);
}
