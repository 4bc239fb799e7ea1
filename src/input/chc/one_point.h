/* Quantifiers over values that equations fix. */
#ifndef WHET_INPUT_CHC_ONE_POINT_H
#define WHET_INPUT_CHC_ONE_POINT_H

#include "input/smtlib/nodes.h"
#include "model/clauses.h"

/* True if all that the quantifier binds is given by equations that its body has as conditions, `exists y . y = t && ..` or
 * `forall y . y = t => ..`, of which no chain is a circle: then both quantifiers say the same of the body under these
 * equations, whose nodes are appended. `has_more` says of each node whether a quantifier or predicate is inside. */
bool one_point_equations(const nodes *all, const uint8_t *has_more, uint32_t quantifier, index_vector *out);

#endif
