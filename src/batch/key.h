/* By what the result of a problem is known: a digest of all that the answer depends on. */
#ifndef WHET_BATCH_KEY_H
#define WHET_BATCH_KEY_H

#include "batch/list.h"

/* Sets the key: whet's version and build, the language, the property, the options, and the contents of all files that are read: the model,
 * those that the options name, and of a C program what it includes from its own folder and from those of --include. A file that
 * cannot be read counts as such. */
void batch_key_of(batch_problem *p);

#endif
