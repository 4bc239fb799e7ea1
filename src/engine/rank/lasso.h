/* A measure for one word of transitions, each in a case, taken again and again: from its first state to its last one it falls from at least 0, or that cannot be
 * (relate.h asks for it). Guessed from examples (guessing.h). */
#ifndef WHET_ENGINE_RANK_LASSO_H
#define WHET_ENGINE_RANK_LASSO_H

#include "engine/engine.h"
#include "engine/rank/guessing.h"
#include "engine/rank/help.h"

typedef struct lasso lasso;

/* The promise is open in each state of the word: `open`. `features` are those of measures; the first is 1. A careful one uses nothing that
 * speaks of the bounds of types (overflow.h). All arguments but the word outlive the result. */
GIVE lasso *lasso_new(engine_environment *env, term open, const transition_cases *word, const term_vector *features,
                      bool is_careful);
void lasso_free(TAKE lasso *l);
/* Done: `*measure` is one; if no run takes the word, it is 0. None: there is none of these features. */
measuring_end lasso_step(lasso *l, term *measure);
KEEP const char *lasso_trouble(const lasso *l);
uint64_t lasso_questions(const lasso *l);

#endif
