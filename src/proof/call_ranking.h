/* What must be shown of a ranking of calls (evidence.h), for the checker and for certificates: formulas over the variables of a clause that
 * no values may satisfy. */
#ifndef WHET_PROOF_CALL_RANKING_H
#define WHET_PROOF_CALL_RANKING_H

#include "proof/evidence.h"

/* How many measures each predicate has. */
size_t call_ranking_width(const model *m, const evidence *e);
/* The clause leads from a place to one that runs go on from, or to the entry of a procedure: a measure is to fall. */
bool call_ranking_is_step(const clauses *all, const clause *c);
/* Its constraint holds, and of each atom of its body what the interpretation says. */
term call_ranking_body(const model *m, const evidence *e, const clause *c);
/* What the interpretation says of its head; false if it has none. */
term call_ranking_head(const model *m, const evidence *e, const clause *c);
/* Of a step: one of the measures falls, from at least 0, and those before it do not grow. */
term call_ranking_falls(const model *m, const evidence *e, const clause *c);

#endif
