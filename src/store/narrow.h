/* Intervals of variables, narrowed by the linear conjuncts of a condition, and taken back again.
 *
 * Bounds are 64-bit; INT64_MIN and INT64_MAX stand for none. Narrowing never loses a solution within 64 bits; if a
 * bound moves beyond them, `narrower_is_beyond` says so from then on. */
#ifndef WHET_STORE_NARROW_H
#define WHET_STORE_NARROW_H

#include "term/term.h"

#define NO_LOW INT64_MIN
#define NO_HIGH INT64_MAX

typedef struct narrower narrower;

/* `vars[i]` is variable i of what follows; `slots[v.x]` says which one v is. */
GIVE narrower *narrower_new(const terms *ts, term condition, size_t count, const variable *vars, const uint32_t *slots);
void narrower_free(TAKE narrower *n);
/* Every variable has its type's bounds again, and every conjunct will be looked at. */
void narrower_reset(narrower *n);
int64_t narrower_low(const narrower *n, size_t i);
int64_t narrower_high(const narrower *n, size_t i);
static inline bool narrower_is_bounded(const narrower *n, size_t i) {
  return narrower_low(n, i) != NO_LOW && narrower_high(n, i) != NO_HIGH;
}
static inline bool narrower_is_fixed(const narrower *n, size_t i) { return narrower_low(n, i) == narrower_high(n, i); }
/* From now on `low <= variable i <= high` too; false if nothing is left. */
bool narrower_restrict(narrower *n, size_t i, int64_t low, int64_t high);
/* Follows what has been restricted; false if nothing is left. */
bool narrower_propagate(narrower *n);
/* Everything since `mark` is taken back. */
size_t narrower_mark(const narrower *n);
void narrower_undo(narrower *n, size_t mark);
bool narrower_is_beyond(const narrower *n);

#endif
