/* Arguments that are sums of others in every atom that can be derived: the length of an array that is a variable of the
 * program, an index that was not moved yet, one that counts what two others count. Clauses without them are much simpler. */
#ifndef WHET_ENGINE_CELLS_SUMS_H
#define WHET_ENGINE_CELLS_SUMS_H

#include "engine/engine.h"

/* The clauses of the environment's model without such arguments. To `known` comes for each predicate what then holds of its
 * parameters, in every atom that can be derived. NULL if there is no such argument, or that was not found out in a short time. */
GIVE clauses *clauses_without_sums(engine_environment *env, term_vector *known);

#endif
