/* The checkers behind check_evidence; `result` starts as accepted with nothing discharged. */
#ifndef WHET_PROOF_CHECKERS_H
#define WHET_PROOF_CHECKERS_H

#include "proof/check.h"
#include "solver/solver.h"

void check_invariant(const model *m, const property *p, const evidence *e, budget *b, solver *s, check_result *result);
void check_trace(const model *m, const property *p, const evidence *e, budget *b, solver *s, check_result *result);
void check_states(const model *m, const property *p, const evidence *e, budget *b, solver *s, check_result *result);

#endif
