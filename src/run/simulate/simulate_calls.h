/* A random run of a program with recursive procedures, with a call stack. */
#ifndef WHET_RUN_SIMULATE_CALLS_H
#define WHET_RUN_SIMULATE_CALLS_H

#include "base/budget.h"
#include "base/options.h"
#include "model/model.h"
#include "proof/evidence.h"

/* True if the model is such a program, for which there is no transition system. */
bool simulate_has_calls(const model *m);
/* As simulate_run (run/simulate/simulate.h), as a derivation of the last state. */
GIVE char *simulate_calls(model *m, const options *o, budget *b, GIVE evidence *out);

#endif
