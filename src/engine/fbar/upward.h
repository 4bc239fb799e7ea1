/* Sets of vectors of natural numbers that are closed upwards: with a vector, all larger ones. Each is written as its
 * minimal vectors, of which there are finitely many (Dickson's lemma), none of them at least as large as another. */
#ifndef WHET_ENGINE_FBAR_UPWARD_H
#define WHET_ENGINE_FBAR_UPWARD_H

#include "base/vector.h"

typedef struct upward {
  size_t width;          /* of a vector */
  VECTOR(int64_t) cells; /* minimal vectors, one after the other */
} upward;

GIVE upward upward_none(size_t width);
GIVE upward upward_every(size_t width); /* one minimal vector, 0; width > 0 */
GIVE upward upward_copy(const upward *u);
void upward_clear(upward *u); /* what it holds */
static inline size_t upward_count(const upward *u) { return u->cells.count / u->width; }
static inline const int64_t *upward_at(const upward *u, size_t i) { return u->cells.at + i * u->width; }

bool vector_is_above(size_t width, const int64_t *a, const int64_t *b); /* a >= b */
bool upward_has(const upward *u, const int64_t *vector);
/* `vector` and all above it. */
void upward_add(upward *u, const int64_t *vector);
void upward_unite(upward *to, const upward *with);
GIVE upward upward_meet(const upward *a, const upward *b);
bool upward_is_within(const upward *a, const upward *b);
/* Has a vector of `a` and `b` that is neither in `c` nor in `d` (NULL: the empty set)? */
bool upward_meet_outside(const upward *a, const upward *b, const upward *c, const upward *d);
/* Without the minimal vectors that are in `other`: the same set outside it. */
void upward_drop(upward *u, const upward *other);

/* A step: from a vector of `guard`, element i becomes the sum of its row. Rows have no negative coefficients, so larger
 * vectors step to larger ones. */
typedef struct upward_entry {
  uint32_t from;
  int64_t coefficient; /* > 0 */
} upward_entry;

typedef struct upward_row {
  VECTOR(upward_entry) entries;
  int64_t constant;
} upward_row;

typedef struct upward_step {
  upward guard;
  VECTOR(upward_row) rows;
  bool is_shift; /* every element becomes itself plus a constant */
} upward_step;

/* The vectors for which the row is at least `bound`. False if there would be too many minimal ones. */
bool upward_of_row(size_t width, const upward_row *row, int64_t bound, GIVE upward *out);
void upward_step_clear(upward_step *s); /* what it holds */
/* The vectors with a step into `of`. False if there would be too many minimal ones. */
bool upward_before(const upward_step *s, const upward *of, GIVE upward *out);
/* The vectors with a step from `of`. For shifts only: REQUIREd. */
GIVE upward upward_after(const upward_step *s, const upward *of);

#endif
