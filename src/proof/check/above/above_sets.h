/* What check_above keeps: rows of words without doubles, and for each row of control the contents that are excluded there. */
#ifndef WHET_PROOF_CHECK_ABOVE_ABOVE_SETS_H
#define WHET_PROOF_CHECK_ABOVE_ABOVE_SETS_H

#include "base/map.h"
#include "proof/evidence.h"

#define NO_ROW SIZE_MAX

typedef struct row_set {
  size_t width, count;
  VECTOR(int64_t) words;
  VECTOR(size_t) next; /* the one before with the same hash, plus 1 */
  map *last;           /* hash -> row + 1 */
} row_set;

void row_set_open(row_set *s, size_t width);
void row_set_close(row_set *s);
size_t row_set_find(const row_set *s, const int64_t *row); /* NO_ROW if it is not there */
size_t row_set_add(row_set *s, const int64_t *row);        /* where it is */

/* The messages of `a` are some of those of `b`, in their order. */
bool word_is_below(size_t a_count, const uint64_t *a, size_t b_count, const uint64_t *b);

typedef struct excluded_states {
  const states_above *listed;
  row_set rows;
  VECTOR(size_t) last; /* of each row: its last element, plus 1 */
  VECTOR(size_t) next; /* of each element: the one before of its row, plus 1 */
} excluded_states;

void excluded_open(excluded_states *x, const states_above *listed);
void excluded_close(excluded_states *x);
/* The first element of a row and those behind it: plus 1, 0 at the end. */
size_t excluded_first(const excluded_states *x, const int64_t *row);
static inline size_t excluded_next(const excluded_states *x, size_t element) { return x->next.at[element - 1]; }
/* The contents of that element. */
KEEP const queue_word *excluded_words(const excluded_states *x, size_t element);
/* With these contents, one for each channel, the state is above an element. */
bool excluded_has(const excluded_states *x, const int64_t *row, const queue_word *words);

#endif
