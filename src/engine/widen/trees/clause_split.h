/* A formula as conjunctions of literals that together cover it, found one by one in its models. */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_SPLIT_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_SPLIT_H

#include "solver/solver.h"

/* Each of `out` implies that `formula` holds for some values of the booleans among `variables` that are not `kept`; whatever satisfies
 * `formula` satisfies one of them. Formulas that are conjunctions already are one. NULL, or why it cannot be done. */
KEEP const char *clause_split(terms *ts, budget *b, term formula, const variable_vector *kept, term_vector *out);

#endif
