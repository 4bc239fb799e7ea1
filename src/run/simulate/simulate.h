/* A random run: initial state and inputs of infinite types chosen by the solver near random values, all else by the
 * seed alone. */
#ifndef WHET_RUN_SIMULATE_H
#define WHET_RUN_SIMULATE_H

#include "base/budget.h"
#include "base/options.h"
#include "proof/evidence.h"

/* At most `o->steps` steps into `out`. The result says why the run ended before that, NULL if it did not. */
GIVE char *simulate_run(model *m, const options *o, budget *b, GIVE evidence *out);

#endif
