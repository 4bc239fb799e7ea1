/* A few threads that do the items of one task after another together with the caller. */
#ifndef WHET_ENGINE_EXPLICIT_CREW_H
#define WHET_ENGINE_EXPLICIT_CREW_H

#include "base/base.h"

typedef struct crew crew;

/* Does item `item`; `member` is 0 for the caller of crew_run, 1.. for the others. */
typedef void crew_task(void *context, size_t item, unsigned member);

GIVE crew *crew_new(unsigned members);
void crew_free(TAKE crew *c);
unsigned crew_members(const crew *c);
/* Returns when all items are done; what they wrote can then be read. A single item is done by the caller alone. */
void crew_run(crew *c, crew_task *task, void *context, size_t items);

#endif
