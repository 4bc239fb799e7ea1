/* Derivations over clauses with at most one atom in a body, as formulas, for the checker and for certificates: what is derived at each
 * time, and the clause that leads from one time to the next. */
#ifndef WHET_PROOF_CLAUSE_CHAIN_H
#define WHET_PROOF_CLAUSE_CHAIN_H

#include "model/model.h"

typedef struct clause_chain clause_chain;

/* Why derivations over these are no chains; NULL if they are. */
KEEP const char *clause_chain_refusal(const clauses *all);

/* REQUIREs that there is no such reason. Both outlive the result. */
GIVE clause_chain *clause_chain_new(terms *ts, const clauses *all);
void clause_chain_free(TAKE clause_chain *c);

/* A fact derives what there is at time 0. */
term clause_chain_start(clause_chain *c);
/* Some clause derives, from what there is at that time, what there is at the next. */
term clause_chain_step(clause_chain *c, size_t time);
/* The clause of that number, a query, has as its body what there is at time 0, and its constraint holds. */
term clause_chain_query(clause_chain *c, size_t query);
/* What there is at that time is so: `of_predicates` has a formula for each predicate, over its parameters. */
term clause_chain_at(clause_chain *c, const term *of_predicates, size_t time);
/* All variables of the formulas so far. */
KEEP const variable_vector *clause_chain_variables(const clause_chain *c);

#endif
