/* What was found out about a model that was made from clauses, said about the clauses. */
#ifndef WHET_PROOF_CLAUSE_EVIDENCE_H
#define WHET_PROOF_CLAUSE_EVIDENCE_H

#include "base/budget.h"
#include "proof/evidence.h"

/* An invariant or a set of states becomes an interpretation of every predicate, a k-inductive one a k-inductive one, a trace a derivation. Nothing happens
 * to evidence about models that were not made from clauses, and to evidence that is about clauses already. Evidence
 * about temporal properties stays as it is, or is refused. NULL, or why it cannot be done (owned by the caller); `*e`
 * is then empty. The result is not yet checked. */
GIVE char *clause_evidence(const model *m, size_t property, evidence *e, budget *b);

/* Induction over several steps of the model, whose states need not differ, is evidence about clauses that it was made from
 * too: there are such, and each step is one clause as read, with one atom in its body. */
bool clause_evidence_takes_induction(const model *m);

/* The first half of that: what an invariant or a set of states says about the clauses that the transition system was made
 * from (clauses_lowered). `*e` becomes an interpretation; it is `false` for predicates that stand in none of those. */
void clause_interpretation(const model *m, evidence *e);

/* For the checker: why this says nothing about what was read, whatever it says about the model made from it; or NULL.
 * A property that clauses were asked for is shown or broken by evidence about clauses alone. */
KEEP const char *clause_evidence_refusal(const model *m, size_t property, const evidence *e);

#endif
