/* Which property is worked on when. What is proved for one may be what another waits for, so several that share what
 * they know are worked on in rounds: first a little for each, then more for those that are left, with all that is known
 * by then. Outcomes come as they become known. */
#ifndef WHET_RUN_PROPERTY_QUEUE_H
#define WHET_RUN_PROPERTY_QUEUE_H

#include "run/outcome.h"
#include "run/settings.h"

typedef struct property_queue property_queue;

/* `s` outlives the result. */
GIVE property_queue *property_queue_new(const run_settings *s, size_t count, const size_t *properties);
void property_queue_free(TAKE property_queue *q);
/* Works until the outcome of one more property is known; the result is its index in `properties`. One that was given up
 * comes no sooner than all before it, for what others find out may still help it. REQUIREs that there is one left. */
size_t property_queue_next(property_queue *q, GIVE outcome *out);

#endif
