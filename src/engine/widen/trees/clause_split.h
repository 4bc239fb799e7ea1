/* A formula as conjunctions of literals that together cover it, found one by one in its models, as many as are asked for. */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_SPLIT_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_SPLIT_H

#include "solver/solver.h"

typedef struct clause_split clause_split;

/* It is no conjunction of literals as it stands, or one of them has an if-then-else. */
bool clause_split_is_needed(const terms *ts, term formula);

/* Booleans that are not `kept` may have any value. `ts`, `b` and `kept` outlive it. */
GIVE clause_split *clause_split_new(terms *ts, budget *b, term formula, const variable_vector *kept);
void clause_split_free(TAKE clause_split *s); /* may be NULL */

/* One more part of the formula that meets `among`: it implies that the formula holds for some values of the booleans that are not kept, and what
 * meets `among` is in none of the parts before it. No: all that satisfies both is in one of them. */
answer clause_split_next(clause_split *s, term among, term *part);

#endif
