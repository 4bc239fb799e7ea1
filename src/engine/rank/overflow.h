/* Whether measures of a C program fall only because a number that overflows ends the run. Such a program ends in no useful sense: what it
 * does after an overflow is not known. So guards, facts and types are used without what speaks of numbers near the bounds of types. */
#ifndef WHET_ENGINE_RANK_OVERFLOW_H
#define WHET_ENGINE_RANK_OVERFLOW_H

#include "engine/engine.h"

/* The conjuncts of the formula that have no number of 2^29 or more in them. */
term overflow_leave_out_bounds(terms *ts, term formula);
/* The model is a C program, and facts do not exclude that numbers overflow. */
bool overflow_may_end_runs(engine_environment *env);
/* The transition ends the run with an error. */
bool overflow_leads_to_error(const model *m, const transition *t);
/* Of the clauses of a program with procedures: `e` is a ranking of calls. */
bool overflow_ends_calls(engine_environment *env, const evidence *e);

#endif
