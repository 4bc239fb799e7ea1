/* What an answer leaves out: a property that holds for want of anything to say (vacuous), and actions that are never
 * enabled. Found after the verdict and apart from it, in a worker of its own: nothing here can change a verdict.
 *
 * Only what is shown is reported. Accepted evidence that a property holds describes a set that every reachable state is in; what
 * no state of that set can do, no reachable one can. If nothing is reported, nothing is known: the set may be larger than what
 * is reachable, or the bounded work was spent. */
#ifndef WHET_RUN_COVERAGE_H
#define WHET_RUN_COVERAGE_H

#include "process/worker.h"
#include "run/coverage/coverage_walk.h"
#include "run/outcome.h"

/* Of an outcome that holds, with its certificate about `m`, the model as read: sets `is_vacuous`, `why_vacuous` and
 * `never_enabled`. No worker is needed for what was `seen` to happen. */
void coverage_find(model *m, const coverage_walk *seen, const worker_limits *limits, const atomic_bool *stop,
                   outcome *out);

#endif
