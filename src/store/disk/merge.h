/* Many sorted sources of keys as one, ascending, without those that are there twice. */
#ifndef WHET_STORE_DISK_MERGE_H
#define WHET_STORE_DISK_MERGE_H

#include "store/disk/run.h"

typedef struct key_merge key_merge;

GIVE key_merge *key_merge_new(size_t bytes);
void key_merge_free(TAKE key_merge *m);
/* Before the first key is asked for. `r` and `rows` (`count` keys in order, one after the other) outlive the merge. */
void key_merge_add_run(key_merge *m, const key_run *r);
void key_merge_add_rows(key_merge *m, const uint8_t *rows, size_t count);
/* The next key, which stays until the next call; NULL at the end, or if the folder of a run has a problem. */
KEEP const uint8_t *key_merge_next(key_merge *m);

#endif
