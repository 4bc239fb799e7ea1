/* Candidates from the states that engines saw (predicate/likely/seen_states.h): what of them is inductive becomes a fact for all, the rest is offered as predicates. */
#ifndef WHET_RUN_LIKELY_FACTS_H
#define WHET_RUN_LIKELY_FACTS_H

#include "run/portfolio_state.h"

/* Looks at what `p` has sent, if it has. What is inductive, with the facts that are known, is checked like the lemmas of engines, becomes known and is appended to `facts`; some
 * of the others to `offers`. It may do so much work as a part of a turn; if that is not enough, it is tried again when turns are longer. */
void likely_facts_look(portfolio *g, contender *p, const worker_limits *limits, term_vector *facts,
                       term_vector *offers);

#endif
