/* The checkers behind check_evidence; `result` starts as accepted with nothing discharged. */
#ifndef WHET_PROOF_CHECK_CHECKERS_H
#define WHET_PROOF_CHECK_CHECKERS_H

#include "proof/check/check.h"
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

/* More steps are not looked at. */
enum { MOST_INDUCTION_DEPTH = 1000 };

/* check_CHECKER for each row of evidence.def. `p` is a property of the model; that of an invariant may be any. */
#define EVIDENCE(CONSTANT, FILE, CHECKER, ...) \
  void check_##CHECKER(const model *m, const property *p, const evidence *e, questions *q, check_result *result);
#include "proof/evidence.def"
#undef EVIDENCE
/* A run with a loop that breaks a temporal property: what check_trace does of those. */
void check_loop(const model *m, const property *p, const evidence *e, questions *q, check_result *result);

/* ---- what they share ---- */

/* The steps of `e` are a run from an initial state. False if not; `result` then says why. */
bool check_run(const model *m, const evidence *e, questions *q, check_result *result);
/* Can `t` be taken for some inputs in the state with these values, indexed by variable? */
answer check_can_take(const model *m, const transition *t, const number *values, questions *q, check_result *result);

#endif
