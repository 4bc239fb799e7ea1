/* Between two rounds: what the engines of a portfolio found out is checked and sent to the others. */
#ifndef WHET_RUN_EXCHANGE_H
#define WHET_RUN_EXCHANGE_H

#include "run/portfolio_state.h"

/* What other processes have left in the folder of facts: at the beginning, before any engine works. */
void exchange_begin(portfolio *g);
/* At the end of a round: facts, predicates, conditions to start from; engines that can use them may start again. */
void exchange_all(portfolio *g);
/* At the end of all: what is worth keeping for other properties. */
void exchange_last(portfolio *g, contender *p);
/* A property was proved by the evidence of `out`: what was proved for one may be what the next one needs. */
void exchange_proof(portfolio *g, const outcome *out);
/* What the engine that decided says that it used, as far as others proved it before. */
void exchange_list_facts(const portfolio *g, const contender *winner, outcome *out);

#endif
