/* How long one call into a solver may take: the budget of the run, and a deadline of the call itself. */
#ifndef WHET_BASE_LIMITS_H
#define WHET_BASE_LIMITS_H

#include "base/budget.h"

typedef struct limits {
  const budget *budget;
  double deadline; /* of clock_seconds(); the earlier of the call's and the budget's; infinite if there is none */
  const char *deadline_reason;
} limits;

/* `seconds` from now on, 0 for no limit but the budget's. */
limits limits_of(const budget *b, double seconds);
/* NULL, or why the call has to end: a constant string. `with_memory` looks at the memory in use too, which is slower.
 */
KEEP const char *limits_reached(const limits *l, bool with_memory);
/* False if nothing can ever end the call: no deadline, no memory limit, no flag that could be set to stop it. */
bool limits_exist(const limits *l);

#endif
