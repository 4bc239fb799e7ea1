/* Measures of a transition system that fall while a promise is open, one after the other, guessed from steps (guessing.h); fairness
 * constraints of the model may help them (help.h). */
#ifndef WHET_ENGINE_RANK_MEASURE_H
#define WHET_ENGINE_RANK_MEASURE_H

#include "engine/engine.h"
#include "engine/rank/features.h"
#include "engine/rank/guessing.h"
#include "engine/rank/help.h"

typedef struct measuring measuring;

/* What is tried. */
typedef struct measuring_effort {
  feature_level level;
  factor_limits factors;
  help_level helps;
  bool is_brief; /* only a few guesses: what is soon found need not wait for attempts that take long */
} measuring_effort;

/* Steps count that begin in a state of `open`, in which the facts of the environment hold, and end in one in which it holds again. A
 * careful one uses nothing that speaks of the bounds of types (overflow.h). All arguments outlive the result. */
GIVE measuring *measuring_new(engine_environment *env, term open, const measuring_effort *effort, bool is_careful);
void measuring_free(TAKE measuring *m);
measuring_end measuring_step(measuring *m);
/* Appends the measures, and what helps them, to the evidence. */
void measuring_write(const measuring *m, evidence *e);
size_t measuring_count(const measuring *m);
/* The question that was not decided: why. */
KEEP const char *measuring_trouble(const measuring *m);
uint64_t measuring_questions(const measuring *m);

#endif
