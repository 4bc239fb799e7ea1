/* Keys in any order, some of them many times, are sorted with a fixed amount of memory: when it is full it is sorted, and
 * what is still too much then becomes a run. */
#ifndef WHET_STORE_DISK_SORTER_H
#define WHET_STORE_DISK_SORTER_H

#include "store/disk/merge.h"

typedef struct key_sorter key_sorter;

/* `memory`: bytes for keys. */
GIVE key_sorter *key_sorter_new(disk_folder *f, size_t bytes, size_t memory);
void key_sorter_free(TAKE key_sorter *s);
void key_sorter_add(key_sorter *s, const uint8_t *key);
/* Sorts what is left. */
void key_sorter_finish(key_sorter *s);
/* What it has, for a merge. */
void key_sorter_give(const key_sorter *s, key_merge *to);
/* Forgets all, but need not take again what it had lately: for a caller that has seen to that. */
void key_sorter_clear(key_sorter *s);
uint64_t key_sorter_memory(const key_sorter *s);

#endif
