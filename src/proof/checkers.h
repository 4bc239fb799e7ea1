/* The checkers behind check_evidence; `result` starts as accepted with nothing discharged. */
#ifndef WHET_PROOF_CHECKERS_H
#define WHET_PROOF_CHECKERS_H

#include "proof/check.h"
#include "solver/solver.h"

/* The solver, started by the first question: many checks have none. */
typedef struct questions {
  terms *ts;
  budget *budget;
  const char *command; /* NULL: Z3 in this process */
  solver *solver;      /* NULL before the first */
} questions;

/* Fresh, and assuming nothing of the types. */
KEEP solver *questions_solver(questions *q);

void check_invariant(const model *m, const property *p, const evidence *e, questions *q, check_result *result);
void check_trace(const model *m, const property *p, const evidence *e, questions *q, check_result *result);
void check_heap(const model *m, const property *p, const evidence *e, questions *q, check_result *result);
void check_states(const model *m, const property *p, const evidence *e, questions *q, check_result *result);

#endif
