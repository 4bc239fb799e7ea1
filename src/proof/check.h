/* The checker of evidence: no engine, no set, no layer of the prover; a fresh solver and an exact interpreter.
 *
 * An invariant is accepted when, on the model as read:
 *   initial      init implies it
 *   preserved    from a state where it holds, every transition that can be taken leads to one where it holds
 *   excludes     it implies that the property's bad states do not hold (for deadlockfree: that some transition can be taken)
 * each part and transition being an obligation of its own. A trace is accepted when its first state is initial, each step is
 * what the transition does (computed exactly, at any size of number), and the last state breaks the property. */
#ifndef WHET_PROOF_CHECK_H
#define WHET_PROOF_CHECK_H

#include "base/budget.h"
#include "proof/evidence.h"

typedef enum check_kind { CHECK_ACCEPTED, CHECK_REJECTED, CHECK_UNSURE } check_kind;

typedef struct check_result {
  check_kind kind;
  char *what;            /* the obligation that fails or that nobody could decide; NULL where accepted. Owned. */
  uint64_t obligations;  /* how many were discharged */
} check_result;

/* `solver_command` NULL: Z3 in this process; else any SMT-LIB 2 solver. `property` indexes m->properties. */
check_result check_evidence(const model *m, size_t property, const evidence *e, budget *b, const char *solver_command);

#endif
