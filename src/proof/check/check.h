/* The checker of evidence: no engine, no set, no layer of the prover; a fresh solver and an exact interpreter.
 *
 * Write Inv for the invariant and Types for "every variable is within its type". Inv is accepted when, on the model as
 * read:
 * - initial: init implies Inv and Types.
 * - preserved: from a state where Inv and Types hold, every transition that can be taken leads to one where they hold.
 * - excludes: Inv and Types imply that the property's bad states do not hold (for deadlockfree: that some transition
 * can be taken; for no-runtime-error: that no fault does, whatever the inputs).
 *
 * A k-inductive invariant is accepted when it holds, with the types, in the first k states of every run, after any k
 * states in which it holds (which may be claimed to differ), and excludes what is bad.
 *
 * Each part and transition is an obligation of its own, and Types is proved, never assumed; only inputs are taken to be
 * within their types, for they are chosen so. A trace is accepted when its first state is initial, each step is what
 * the transition does (computed exactly, at any size of number), and the last state breaks the property.
 *
 * If the model was made from clauses, evidence is about those and not about the model: an interpretation is accepted
 * when every clause is valid with it, a derivation or a run of clauses when each step is an instance of its clause (computed
 * exactly) whose body is what the step before has derived.
 *
 * Accepted evidence says: an invariant of either sort, a set of states, graphs of the heap, an interpretation, that the
 * property holds; a trace, a derivation, that it does not; a quotient, what it claims (evidence_is_against). */
#ifndef WHET_PROOF_CHECK_CHECK_H
#define WHET_PROOF_CHECK_CHECK_H

#include "base/budget.h"
#include "proof/evidence.h"

typedef enum check_kind { CHECK_ACCEPTED, CHECK_REJECTED, CHECK_UNSURE } check_kind;

typedef struct check_result {
  check_kind kind;
  char *what;           /* the obligation that fails or could not be decided; NULL if accepted. Owned. */
  uint64_t obligations; /* how many were discharged */
  uint64_t queries; /* how many of them took a solver; the others were settled by comparing constants and literals */
} check_result;

/* `solver_command` NULL: Z3 in this process; else any SMT-LIB 2 solver. `property` indexes m->properties. */
check_result check_evidence(const model *m, size_t property, const evidence *e, budget *b, const char *solver_command);
/* Only that it is initial and preserved: accepted, the invariant holds in every reachable state, whatever that is good
 * for. */
check_result check_inductive(const model *m, const evidence *invariant, budget *b);

#endif
