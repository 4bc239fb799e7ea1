/* Questions with a long list of values, such as an initial condition with thousands: a solver's time for one grows with
 * the square of its length. Of other long disjunctions it does not. */
#ifndef WHET_PROOF_CHECK_BY_CASES_H
#define WHET_PROOF_CHECK_BY_CASES_H

#include "solver/solver.h"

/* Do the formulas have a model, together with what is asserted? The first conjunct that is a long disjunction of
 * equations is asked about in groups of these: no if each of the groups is no, yes if one is, else unsure. The number of
 * questions is added to `queries`. */
answer by_cases_satisfiable(terms *ts, solver *s, size_t count, const term *formulas, uint64_t *queries);

#endif
