/* A random run of a model with reals, in exact fractions. */
#ifndef WHET_RUN_SIMULATE_REALS_H
#define WHET_RUN_SIMULATE_REALS_H

#include "base/budget.h"
#include "base/options.h"
#include "model/model.h"
#include "proof/evidence.h"

/* As simulate_run (run/simulate/simulate.h), of a model without a heap. */
GIVE char *simulate_reals(model *m, const options *o, budget *b, GIVE evidence *out);

#endif
