/* What was found out about rewritten clauses (model/clauses.h), said about the clauses as read. */
#ifndef WHET_PROOF_CLAUSE_REWRITING_H
#define WHET_PROOF_CLAUSE_REWRITING_H

#include "base/budget.h"
#include "proof/evidence.h"

/* `e` is an interpretation or a derivation about `m->clauses->rewritten`, if there are such clauses; nothing happens
 * else. NULL, or why it cannot be done (owned by the caller); `*e` is then empty. The result is not yet checked. */
GIVE char *clause_rewriting_back(const model *m, size_t property, evidence *e, budget *b);

#endif
