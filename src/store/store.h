/* A set of packed states that numbers them 0, 1, 2, .. in the order they came.
 *
 * Rows of the packed bytes stand one after another in segments that never move; a table of open addressing holds 32-bit
 * entries, each the number of a row and, in the bits left over, a few bits of its hash. So a state costs its bytes and
 * 5 to 8 more. When the table grows the old one is given back first and the new one filled from the rows: there is no
 * moment with both.
 *
 * Invariant, outside rounds: rows are different from each other; while there is a table, every row has one entry in its
 * owner's part, which the search from its hash comes to, and `filled` counts the entries of each part.
 *
 * One thread at a time may use `store_add`. Many threads work through a *round* (below), in which the numbers come out
 * the same as if one thread had added the states in order. */
#ifndef WHET_STORE_STORE_H
#define WHET_STORE_STORE_H

#include "base/vector.h"

typedef struct store store;

/* Packed states of `bytes` bytes; `owners` parts of the table that can be filled at the same time, at least 1. */
GIVE store *store_new(size_t bytes, unsigned owners);
void store_free(TAKE store *s);
uint64_t store_count(const store *s);
/* Bytes of memory in use: rows and table. */
uint64_t store_memory(const store *s);
/* NULL, or what is broken of the invariant (base/instruments/check.h); and how many steps that takes. */
KEEP const char *store_check(const store *s);
uint64_t store_check_cost(const store *s);
/* Row `i` as words. */
void store_read(const store *s, uint64_t i, uint64_t *words);
/* All rows, one after the other. */
GIVE uint8_t *store_copy_rows(const store *s);
bool store_find(const store *s, const uint64_t *words, uint64_t *index);

typedef enum store_answer { STORE_KNOWN, STORE_NEW, STORE_FULL } store_answer;
/* `*index` (may be NULL) is the number of the state, old or new. STORE_FULL after about 3 * 10^9 states. */
store_answer store_add(store *s, const uint64_t *words, uint64_t *index);

/* All rows again with `bytes` bytes each, as `convert` makes them from the old ones, under the same numbers. `convert`
 * must map different states to different ones. */
void store_convert(store *s, size_t bytes, void (*convert)(void *context, const uint64_t *old, uint64_t *fresh),
                   void *context);

/* Gives back the memory of the table. From now on only reading and counting are allowed. */
void store_forget_table(store *s);

/* A round adds the states of many batches at once:
 *   fill    each batch by one thread: batch_add
 *   prepare one thread: store_prepare; if it says so, then store_rebuild for each of as many parts as owners
 *   claim   each owner by one thread: store_claim; afterwards batch_is_new says which states are new
 *   number  one thread: store_number
 *   settle  each batch by one thread: store_settle
 * with all threads waiting for each other in between. New states get their numbers in the order of the batches and, in
 * a batch, in the order they were added; of equal states the first counts as new. */
typedef struct batch {
  size_t words; /* of a state */
  size_t count;
  VECTOR(uint64_t) states;  /* count * words */
  VECTOR(uint64_t) marks;   /* the hash of each; after claiming, its place in the table or BATCH_KNOWN */
  VECTOR(uint32_t) * owned; /* for each owner, which states are its own */
  uint32_t *fresh;          /* for each owner, how many of them are new */
  uint64_t first;           /* number of the first new state; set by store_number */
  uint64_t before;          /* states in the batches before */
} batch;

#define BATCH_KNOWN UINT64_MAX

GIVE batch *batch_new(const store *s);
void batch_free(TAKE batch *b, const store *s);
void batch_clear(batch *b, const store *s);
void batch_add(batch *b, const store *s, const uint64_t *words);
static inline const uint64_t *batch_state(const batch *b, size_t i) { return b->states.at + i * b->words; }
static inline bool batch_is_new(const batch *b, size_t i) { return b->marks.at[i] != BATCH_KNOWN; }

typedef enum store_room { STORE_READY, STORE_MUST_REBUILD, STORE_HAS_NO_ROOM } store_room;
store_room store_prepare(store *s, size_t count, batch *const *batches);
void store_rebuild(store *s, unsigned part);
void store_claim(store *s, size_t count, batch *const *batches, unsigned owner);
void store_number(store *s, size_t count, batch *const *batches);
void store_settle(store *s, batch *b);

#endif
