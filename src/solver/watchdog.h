/* A thread that ends a call which has gone on too long. Libraries have time limits of their own, but do not always keep
 * them. */
#ifndef WHET_SOLVER_WATCHDOG_H
#define WHET_SOLVER_WATCHDOG_H

#include "base/limits.h"

typedef struct watchdog watchdog;

/* `bite(who)` is called in the watchdog's thread, again and again until the watchdog is called off. The thread starts
 * when it is first needed. */
GIVE watchdog *watchdog_new(void (*bite)(void *who), void *who);
void watchdog_free(TAKE watchdog *w);
/* From now on, `bite` when a limit is reached. */
void watchdog_set(watchdog *w, const limits *l);
/* True if `bite` was called since the last watchdog_set. */
bool watchdog_has_bitten(watchdog *w);
/* Once this returns, `bite` is not running and will not be called. NULL, or why it was called. */
KEEP const char *watchdog_call_off(watchdog *w);

#endif
