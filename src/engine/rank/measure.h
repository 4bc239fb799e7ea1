/* Measures that fall while a promise is open, one after the other, each a sum of features with factors.
 *
 * Factors are guessed from examples of steps: on all of them the sum must not grow, and on those of some transitions it must fall from at
 * least 0. A solver looks for a step of the model that the guess is wrong about; that is one more example. If there is none, the guess is a
 * measure, and the transitions that always make it fall are done with: the next measure need not look at them. */
#ifndef WHET_ENGINE_RANK_MEASURE_H
#define WHET_ENGINE_RANK_MEASURE_H

#include "engine/engine.h"
#include "engine/rank/features.h"

typedef struct measuring measuring;

/* What is tried. Small integers are soon exhausted, but only of few features; of many, fractions are found sooner. */
typedef struct measuring_effort {
  feature_level level;
  int largest; /* factors are from -largest to it */
  bool has_fractions;
  bool any_constant; /* but that of 1 may be any number */
} measuring_effort;

typedef enum measuring_end {
  MEASURING_GOES_ON,
  MEASURING_DONE,  /* each step makes a measure fall */
  MEASURING_NONE,  /* there are no such measures of these features */
  MEASURING_UNSURE /* a question was not decided */
} measuring_end;

/* Steps count that begin in a state of `open`, in which the facts of the environment hold, and end in one in which it holds again. A
 * careful one uses nothing that speaks of the bounds of types (overflow.h). All arguments outlive the result. */
GIVE measuring *measuring_new(engine_environment *env, term open, const measuring_effort *effort, bool is_careful);
void measuring_free(TAKE measuring *m);
measuring_end measuring_step(measuring *m);
KEEP const term_vector *measuring_measures(const measuring *m);
/* The question that was not decided: why. */
KEEP const char *measuring_trouble(const measuring *m);
uint64_t measuring_questions(const measuring *m);

#endif
