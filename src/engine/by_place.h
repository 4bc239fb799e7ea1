/* Reached abstract states as an invariant that people can read: one part for each combination of places. */
#ifndef WHET_ENGINE_BY_PLACE_H
#define WHET_ENGINE_BY_PLACE_H

#include "predicate/abstraction.h"
#include "proof/evidence.h"

/* The reached states, the system's facts and `also`, as parts of `out`. False after trouble of the abstraction: nothing
 * may then be claimed. */
bool by_place_invariant(const predicate_model *s, abstraction *a, term also, evidence *out);

#endif
