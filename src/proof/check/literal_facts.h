/* What conjuncts that hold say of other formulas by themselves, without a solver.
 *
 * Only three things are seen: a formula that is a fact or the negation of one; bounds on one linear form (x - y <= 2
 * decides x - y <= 3 and x - y = 5); and conjunctions and disjunctions of what is so decided. The checker uses this to
 * spare queries; it is sound, and far from complete. */
#ifndef WHET_PROOF_CHECK_LITERAL_FACTS_H
#define WHET_PROOF_CHECK_LITERAL_FACTS_H

#include "term/term.h"

typedef struct facts facts;

typedef enum decision { UNDECIDED, DECIDED_TRUE, DECIDED_FALSE } decision;

/* Facts of `under` (may be NULL; must outlive the result) hold too. */
GIVE facts *literal_facts_new(terms *ts, const facts *under);
void literal_facts_free(TAKE facts *f);
/* Forgets what was added here; what `under` knows stays. */
void literal_facts_clear(facts *f);
/* `t` and its conjuncts hold from now on. */
void literal_facts_add(facts *f, term t);
/* If the facts contradict each other any answer is right. */
decision literal_facts_decide(const facts *f, term t);

#endif
