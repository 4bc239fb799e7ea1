/* Which property is worked on when. What is proved for one may be what another waits for, so several that share what
 * they know are worked on in passes: first a little for each, then more for those that are left, with all that is known
 * by then. Outcomes come in the order of the properties all the same. */
#ifndef WHET_RUN_PROPERTY_QUEUE_H
#define WHET_RUN_PROPERTY_QUEUE_H

#include "run/outcome.h"

typedef struct property_queue property_queue;

/* `s` outlives the result. */
GIVE property_queue *property_queue_new(const run_settings *s, size_t count, const size_t *properties);
void property_queue_free(TAKE property_queue *a);
/* The outcome of the next property; REQUIREs that there is one. */
void property_queue_next(property_queue *a, GIVE outcome *out);

#endif
