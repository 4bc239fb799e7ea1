/* Runs problems, each as a process of `whet verify` with its own limits, and keeps what comes of them. */
#ifndef WHET_BATCH_RUNNER_H
#define WHET_BATCH_RUNNER_H

#include <stdatomic.h>

#include "batch/list.h"

typedef struct batch_run {
  const batch_list *list;
  const char *program;     /* the path of whet */
  const char *folder;      /* batch/folder.h; it was made */
  size_t jobs;             /* processes at the same time, at least 1 */
  const atomic_bool *stop; /* set by whoever wants it to end: what runs then is killed, and not kept */
  void (*listen)(void *context, const char *line); /* how far it is; about ten times a second; may be NULL */
  void *context;
} batch_run;

/* Problems `which`, by their numbers; each key is run once. What is kept already and did not fail is not run again. NULL, or why it
 * could not go on; what was finished is kept in any case. */
GIVE char *batch_run_all(const batch_run *b, size_t count, const size_t *which);

#endif
