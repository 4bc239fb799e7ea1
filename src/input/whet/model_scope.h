/* The names of a model as a scope, for expressions that are written outside of it: predicates, lemmas, certificates. */
#ifndef WHET_INPUT_WHET_MODEL_SCOPE_H
#define WHET_INPUT_WHET_MODEL_SCOPE_H

#include "input/whet/lower.h"

/* Fills the scope of `l` with the variables, processes, definitions and enumerations of `m`. Variables called a[1],
 * a[2], .. also become the array a, those called P[1].x, P[2].x the variable x of P. Every variable is also known by
 * its full name. */
void model_scope_fill(lowering *l, const model *m);

#endif
