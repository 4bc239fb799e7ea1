/* A heap of sources, by the key that each has next. */
#include "store/disk/merge.h"

typedef struct source {
  run_reader *reader; /* or: */
  const uint8_t *rows, *end;
  const uint8_t *key; /* the next one; NULL at its end */
} source;

struct key_merge {
  size_t bytes;
  VECTOR(source) heap; /* those that have a key; a key is not before that of its parent, (i - 1) / 2 */
  uint8_t *last;
  bool has_begun;
};

key_merge *key_merge_new(size_t bytes) {
  key_merge *m = MEMORY_NEW(key_merge);
  m->bytes = bytes;
  m->last = memory_alloc_zero(1, bytes + 1);
  return m;
}

void key_merge_free(key_merge *m) {
  if (!m) return;
  for (size_t i = 0; i < m->heap.count; i++) run_reader_free(m->heap.at[i].reader);
  VECTOR_FREE(m->heap);
  memory_free(m->last);
  memory_free(m);
}

static bool advance(const key_merge *m, source *s) {
  if (s->reader) {
    s->key = run_reader_next(s->reader);
  } else {
    s->key = s->rows < s->end ? s->rows : NULL;
    s->rows += s->key ? m->bytes : 0;
  }
  return s->key != NULL;
}

static void add(key_merge *m, source s) {
  if (advance(m, &s))
    VECTOR_PUSH(m->heap, s);
  else
    run_reader_free(s.reader);
}

void key_merge_add_run(key_merge *m, const key_run *r) { add(m, (source){.reader = run_reader_new(r)}); }

void key_merge_add_rows(key_merge *m, const uint8_t *rows, size_t count) {
  if (count) add(m, (source){.rows = rows, .end = rows + count * m->bytes});
}

static void sink(key_merge *m, size_t i) {
  source moving = m->heap.at[i];
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= m->heap.count) break;
    if (child + 1 < m->heap.count && memcmp(m->heap.at[child + 1].key, m->heap.at[child].key, m->bytes) < 0) child++;
    if (memcmp(moving.key, m->heap.at[child].key, m->bytes) <= 0) break;
    m->heap.at[i] = m->heap.at[child];
    i = child;
  }
  m->heap.at[i] = moving;
}

/* The first source goes on; it leaves the heap at its end. */
static void advance_first(key_merge *m) {
  if (!advance(m, &m->heap.at[0])) {
    run_reader_free(m->heap.at[0].reader);
    m->heap.at[0] = VECTOR_LAST(m->heap);
    m->heap.count--;
  }
  if (m->heap.count) sink(m, 0);
}

const uint8_t *key_merge_next(key_merge *m) {
  if (!m->has_begun)
    for (size_t i = m->heap.count / 2; i-- > 0;) sink(m, i);
  while (m->has_begun && m->heap.count && !memcmp(m->heap.at[0].key, m->last, m->bytes)) advance_first(m);
  m->has_begun = true;
  if (!m->heap.count) return NULL;
  memcpy(m->last, m->heap.at[0].key, m->bytes);
  return m->last;
}
