/* A run of clauses, step by step: each clause leads from the atom before it to the next one. Of a clause's variables those that the atom and
 * equations of the constraint give are computed (clause_plan.h); the others are its choices, in an order that depends on the
 * clause alone. Whether the values that come out make an instance of the clause is computed exactly, whatever they are. */
#ifndef WHET_PROOF_CLAUSE_REPLAY_H
#define WHET_PROOF_CLAUSE_REPLAY_H

#include "proof/evidence.h"

typedef struct clause_replay clause_replay;

/* Both outlive it. */
GIVE clause_replay *clause_replay_new(terms *ts, const clauses *all);
void clause_replay_free(TAKE clause_replay *r);

/* The variables of the clause that have to be chosen, which has at most one atom in its body. */
KEEP const variable_vector *clause_replay_choices(clause_replay *r, uint32_t clause);

typedef enum replay_answer {
  REPLAY_FINE,
  REPLAY_NO_CLAUSE,  /* of that number, with at most one atom in its body */
  REPLAY_NO_VALUES,  /* these are none for its choices */
  REPLAY_NO_STEP,    /* it does not lead from the atom before, or its constraint does not hold */
  REPLAY_NO_MEANING, /* it divides by 0, which SMT-LIB gives no value, or is about a declared constant */
} replay_answer;

/* Takes the step. Array values are as everywhere (term/array_value.h). */
replay_answer clause_replay_step(clause_replay *r, uint32_t clause, const number_vector *choices);
/* The predicate of the atom that the last step has derived; NO_PREDICATE if it was a query, or there was none. */
uint32_t clause_replay_predicate(const clause_replay *r);
/* The value of the clause's i-th variable in the last step. */
number clause_replay_value(clause_replay *r, uint32_t clause, size_t i);

#endif
