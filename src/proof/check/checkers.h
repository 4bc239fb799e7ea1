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

/* Ends a check with what failed, or could not be decided for that reason (NULL: none is given). False. */
bool check_end(check_result *result, check_kind kind, TAKE char *what, const char *reason);
/* What is asserted has no model: an obligation that is called `what`. False if not; `result` then says so. */
bool check_refute(questions *q, TAKE char *what, check_result *result);
/* The same of these formulas together with what is asserted; they are taken back. */
bool check_refute_all(questions *q, const term *formulas, size_t count, TAKE char *what, check_result *result);
bool check_within_budget(questions *q, check_result *result);
/* Every predicate has a formula, which speaks of its parameters alone. False if not; `result` then says so. */
bool check_is_interpreted(const model *m, const evidence *e, check_result *result);
/* The clause counts for the property: it is no query of another one. */
bool check_is_of_property(const model *m, const clause *c, const property *p);
/* How people are told of a clause: by its place. */
GIVE char *check_clause_name(const clauses *all, size_t clause);

/* The steps of `e` are a run from an initial state, of single steps. False if not; `result` then says why. */
bool check_run(const model *m, const evidence *e, questions *q, check_result *result);
/* Can `t` be taken for some inputs in the state with these values, indexed by variable? */
answer check_can_take(const model *m, const transition *t, const number *values, questions *q, check_result *result);

#endif
