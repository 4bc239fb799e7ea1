/* The command of an external solver: is there a program of that name? Asked when the option is set, so that a missing solver
 * is one message and not a doubt for each obligation. */
#ifndef WHET_RUN_SOLVER_COMMAND_H
#define WHET_RUN_SOLVER_COMMAND_H

#include "base/base.h"

/* NULL if there is one, or nobody can tell; else what is missing, in words. */
GIVE char *solver_command_missing(const char *command);

#endif
