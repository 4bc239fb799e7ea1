/* Which property is worked on when. What is proved for one may be what another waits for, so several that share what
 * they know are worked on in passes: first a little for each, then more for those that are left, with all that is known
 * by then. Outcomes come in the order of the properties all the same. */
#ifndef WHET_ENGINE_AGENDA_H
#define WHET_ENGINE_AGENDA_H

#include "engine/run.h"

typedef struct agenda agenda;

/* `s` outlives the result. */
GIVE agenda *agenda_new(const run_settings *s, size_t count, const size_t *properties);
void agenda_free(TAKE agenda *a);
/* The outcome of the next property; REQUIREs that there is one. */
void agenda_next(agenda *a, GIVE outcome *out);

#endif
