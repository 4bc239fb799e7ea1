/* Before a model with many copies of a process is worked on, its properties of states are tried for any number of copies (`any_copies` of
 * struct model): that costs the same whatever their number is, while all else costs more with each copy. */
#ifndef WHET_RUN_IDENTICAL_ANY_COPIES_H
#define WHET_RUN_IDENTICAL_ANY_COPIES_H

#include "run/outcome.h"
#include "run/settings.h"

/* True if it is decided; else `out` has nothing but its time. */
bool any_copies_run(const run_settings *s, size_t property, size_t properties_left, GIVE outcome *out);

#endif
