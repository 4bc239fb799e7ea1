/* What can be derived along the clauses of a program with procedures: questions about single steps of its runs, from a place to another
 * one or to the entry of what is called, and an interpretation of the predicates that grows with the answers. */
#ifndef WHET_ENGINE_RANK_CALLS_CALL_STEPS_H
#define WHET_ENGINE_RANK_CALLS_CALL_STEPS_H

#include "engine/engine.h"

typedef struct call_steps call_steps;

GIVE call_steps *call_steps_new(engine_environment *env);
void call_steps_free(TAKE call_steps *s);

/* Is there a step by this clause, of a run of the program, that `also`, over the clause's variables, holds of? After yes `values` has the
 * values of its variables. What is known of the predicates decides if it can; else, if it `asks_rules`, Z3's Horn engine does. If that does not
 * answer within its work, or is not asked, the step is taken for one of a run. */
answer call_steps_ask(call_steps *s, uint32_t clause_number, term also, bool asks_rules, number_vector *values);
/* Of each predicate, over its parameters; together they make every clause with a head valid. */
KEEP const term_vector *call_steps_known(const call_steps *s);
uint64_t call_steps_questions(const call_steps *s);

#endif
