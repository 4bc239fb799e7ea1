/* Questions about steps of a model, from states in which known facts hold. */
#ifndef WHET_RUN_BOUNDS_STEP_QUESTIONS_H
#define WHET_RUN_BOUNDS_STEP_QUESTIONS_H

#include "model/model.h"
#include "model/trace.h"
#include "solver/solver.h"

typedef struct step_questions {
  model *m;
  budget *budget;
  solver *solver; /* facts are asserted */
} step_questions;

/* `m`, `b` outlive it. */
void step_questions_open(step_questions *q, model *m, term facts, budget *b);
void step_questions_close(step_questions *q);
/* Is there a step of transition `t` with `also`, over states and inputs? If so, `before` are the values of `of`, over states, before
 * it, and `after` those after it; both may be NULL. */
answer step_questions_ask(step_questions *q, uint32_t t, term also, const term_vector *of, number_vector *before,
                          number_vector *after);
/* The term after transition `t`, over states and inputs before it. */
term step_questions_after(const step_questions *q, uint32_t t, term of);
/* Any state in which facts hold and `also` does? */
answer step_questions_state(step_questions *q, term also);

#endif
