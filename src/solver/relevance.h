/* Which literals are connected with a question through shared variables, directly or through other literals. */
#ifndef WHET_SOLVER_RELEVANCE_H
#define WHET_SOLVER_RELEVANCE_H

#include "solver/shape.h"

typedef struct relevance relevance;
GIVE relevance *relevance_new(void);
void relevance_free(TAKE relevance *r);
/* Forgets all connections and the question. */
void relevance_reset(relevance *r);
/* The variables of a literal belong together. */
void relevance_connect(relevance *r, const shape *literal);
/* Starts another question, about all the literals that `relevance_ask` is then called with. */
void relevance_forget_question(relevance *r);
void relevance_ask(relevance *r, const shape *literal);
/* Is a literal that was connected part of the question's surroundings? One without variables always is. */
bool relevance_has(relevance *r, const shape *literal);

#endif
