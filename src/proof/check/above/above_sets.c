/* Rows without doubles, and the elements of a list of states by their rows. */
#include "proof/check/above/above_sets.h"

void row_set_open(row_set *s, size_t width) {
  *s = (row_set){.width = width};
  s->last = map_new();
}

void row_set_close(row_set *s) {
  VECTOR_FREE(s->words);
  VECTOR_FREE(s->next);
  map_free(s->last);
}

static uint64_t hash_of(const row_set *s, const int64_t *row) { return hash_bytes(row, s->width * sizeof *row, 1); }

size_t row_set_find(const row_set *s, const int64_t *row) {
  uint64_t at = 0;
  map_get(s->last, hash_of(s, row), &at);
  while (at && s->width && memcmp(s->words.at + (at - 1) * s->width, row, s->width * sizeof *row))
    at = s->next.at[at - 1];
  return at ? (size_t)at - 1 : NO_ROW;
}

size_t row_set_add(row_set *s, const int64_t *row) {
  size_t known = row_set_find(s, row);
  if (known != NO_ROW) return known;
  uint64_t before = 0, hash = hash_of(s, row);
  map_get(s->last, hash, &before);
  for (size_t i = 0; i < s->width; i++) VECTOR_PUSH(s->words, row[i]);
  VECTOR_PUSH(s->next, (size_t)before);
  map_set(s->last, hash, ++s->count);
  return s->count - 1;
}

bool word_is_below(size_t a_count, const uint64_t *a, size_t b_count, const uint64_t *b) {
  size_t found = 0;
  for (size_t i = 0; i < b_count && found < a_count; i++) found += a[found] == b[i];
  return found == a_count;
}

void excluded_open(excluded_states *x, const states_above *listed) {
  *x = (excluded_states){.listed = listed};
  row_set_open(&x->rows, listed->width);
  for (size_t i = 0; i < listed->count; i++) {
    size_t row = row_set_add(&x->rows, listed->values.at + i * listed->width);
    if (row == x->last.count) VECTOR_PUSH(x->last, 0);
    VECTOR_PUSH(x->next, x->last.at[row]);
    x->last.at[row] = i + 1;
  }
}

void excluded_close(excluded_states *x) {
  row_set_close(&x->rows);
  VECTOR_FREE(x->last);
  VECTOR_FREE(x->next);
}

size_t excluded_first(const excluded_states *x, const int64_t *row) {
  size_t at = row_set_find(&x->rows, row);
  return at == NO_ROW ? 0 : x->last.at[at];
}

const queue_word *excluded_words(const excluded_states *x, size_t element) {
  return x->listed->contents.at + (element - 1) * x->listed->channels;
}

bool excluded_has(const excluded_states *x, const int64_t *row, const queue_word *words) {
  for (size_t e = excluded_first(x, row); e; e = excluded_next(x, e)) {
    const queue_word *low = excluded_words(x, e);
    bool is_below = true;
    for (size_t i = 0; i < x->listed->channels && is_below; i++)
      is_below = word_is_below(low[i].count, low[i].at, words[i].count, words[i].at);
    if (is_below) return true;
  }
  return false;
}
