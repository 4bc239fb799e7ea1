/* Steps of a transition system while a promise is open: whether there is one with a condition, and those that were found. */
#ifndef WHET_ENGINE_RANK_MODEL_STEPS_H
#define WHET_ENGINE_RANK_MODEL_STEPS_H

#include "engine/engine.h"
#include "solver/solver.h"

typedef struct model_steps model_steps;

/* Steps count that begin in a state of `open`, in which the facts of the environment hold, and end in one in which it holds again. A
 * careful one uses nothing that speaks of the bounds of types (overflow.h). The environment outlives the result. */
GIVE model_steps *model_steps_new(engine_environment *env, term open, bool is_careful);
void model_steps_free(TAKE model_steps *s);
/* Is there a step of the transition with the condition, which is over states and inputs? If so, and `keep`, it is found: the last one. */
answer model_steps_ask(model_steps *s, uint32_t transition, term condition, bool keep);
size_t model_steps_found(const model_steps *s);
uint32_t model_steps_transition(const model_steps *s, size_t found);
/* Did the condition, over states and inputs, hold? */
bool model_steps_satisfies(const model_steps *s, size_t found, term condition);
/* What the terms over states were before and after it. */
void model_steps_values(const model_steps *s, size_t found, const term_vector *of, number_vector *before,
                        number_vector *after);
uint64_t model_steps_questions(const model_steps *s);

#endif
