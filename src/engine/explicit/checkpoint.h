/* What a search on disk keeps for a later run: the file of its levels, and a record that says of which model and
 * property they are, how long the file is and what its checksum is. The record is written as a whole after the file,
 * so that at any moment one can go on from it; what the file has beyond is not used. */
#ifndef WHET_ENGINE_EXPLICIT_CHECKPOINT_H
#define WHET_ENGINE_EXPLICIT_CHECKPOINT_H

#include "engine/explicit/search.h"
#include "store/disk/run.h"

typedef struct checkpoint checkpoint;

typedef struct earlier_search {
  uint64_t end, sum; /* of the file */
  uint64_t states, levels;
  int64_t *low, *high; /* of the fields, one a variable */
  char *gap;           /* why not all states may have been found; may be NULL */
} earlier_search;

void earlier_search_clear(earlier_search *e); /* what it holds */

GIVE checkpoint *checkpoint_new(const search *s, disk_folder *f);
void checkpoint_free(TAKE checkpoint *c);
/* The record of an earlier search; false if there is none. The folder has a problem if there is one and the options do
 * not say to go on with it, or it is damaged, or of something else. */
bool checkpoint_read(checkpoint *c, earlier_search *out);
/* The name of the file for levels. */
GIVE char *checkpoint_log_name(const checkpoint *c);
/* Another search that uses the file is a problem of the folder. */
void checkpoint_lock(checkpoint *c, const key_log *l);
/* From now on another file is written; the one before is removed when the next record has been written. */
void checkpoint_begin_log(checkpoint *c);
/* Writes the record, unless one was written just before; always if `is_last`. */
void checkpoint_write(checkpoint *c, const key_log *l, const earlier_search *now, bool is_last);
/* Nothing is kept. */
void checkpoint_remove(checkpoint *c);

#endif
