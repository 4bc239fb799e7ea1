/* A few threads that do the items of one task after another together with the caller. */
#ifndef WHET_ENGINE_EXPLICIT_THREADS_H
#define WHET_ENGINE_EXPLICIT_THREADS_H

#include "base/base.h"

typedef struct threads threads;

/* Does item `item`; `member` is 0 for the caller of threads_run, 1.. for the others. */
typedef void threads_task(void *context, size_t item, unsigned member);

GIVE threads *threads_new(unsigned members);
void threads_free(TAKE threads *c);
unsigned threads_members(const threads *c);
/* Returns when all items are done; what they wrote can then be read. A single item is done by the caller alone. */
void threads_run(threads *c, threads_task *task, void *context, size_t items);

#endif
