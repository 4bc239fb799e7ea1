/* A set of keys as a few sorted runs. Runs of about the same size are merged when there are several of them, so that there
 * are at most a few for each power of four, and a key is written again only a few times. */
#ifndef WHET_STORE_DISK_SET_H
#define WHET_STORE_DISK_SET_H

#include "base/budget.h"
#include "store/disk/merge.h"

typedef struct key_set key_set;

GIVE key_set *key_set_new(disk_folder *f, size_t bytes);
void key_set_free(TAKE key_set *s);
uint64_t key_set_count(const key_set *s);
uint64_t key_set_memory(const key_set *s);

/* Adds a run, none of whose keys is in the set yet. False if the budget was spent before all was done; the set is then
 * complete, but has more runs than it should. */
bool key_set_add(key_set *s, TAKE key_run *r, budget *b);
/* All keys in order. */
GIVE key_merge *key_set_merge(const key_set *s);

/* Looking for keys in ascending order. */
void key_set_begin(key_set *s);
bool key_set_has(key_set *s, const uint8_t *key);
void key_set_end(key_set *s);

#endif
