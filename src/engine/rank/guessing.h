/* Measures guessed from examples: at each place a sum of features with factors. On all examples of steps the sum must not grow, and on those
 * of some kinds of steps it must fall from at least 0. A guess is asked about steps; one that it is wrong about is one more example. If
 * there is none, the guess is a measure, and the kinds of steps that always make it fall are done with: the next measure need not look at
 * them. */
#ifndef WHET_ENGINE_RANK_GUESSING_H
#define WHET_ENGINE_RANK_GUESSING_H

#include "base/budget.h"
#include "model/trace.h"
#include "solver/solver.h"

typedef struct guessing guessing;

/* What factors may be. Small integers are soon exhausted, but only of few features; of many, fractions are found sooner. */
typedef struct factor_limits {
  int largest; /* from -largest to it */
  bool has_fractions;
  bool any_constant; /* but that of the first feature, which is 1, may be any number */
} factor_limits;

typedef enum measuring_end {
  MEASURING_GOES_ON,
  MEASURING_DONE,  /* each step makes a measure fall */
  MEASURING_NONE,  /* there are no such measures of these features */
  MEASURING_UNSURE /* a question was not decided */
} measuring_end;

/* Who knows the steps. */
typedef struct guess_oracle {
  /* Is there a step of this kind by which the guess, a term for each place, grows or, if it is claimed to fall, does not fall from at
   * least 0? If so, and `keep`, it becomes an example (guessing_add_example). */
  answer (*is_against)(void *context, size_t kind, const term_vector *guess, bool claimed, bool keep);
  void *context;
  bool asks_others; /* kinds that are not claimed may fall all the same: whether they do is asked */
} guess_oracle;

/* `ts` is of the features. */
GIVE guessing *guessing_new(terms *ts, budget *b, const factor_limits *limits, size_t most_guesses, size_t places);
void guessing_free(TAKE guessing *g);
/* Of a place; to be filled before the first step. The first is 1. */
KEEP term_vector *guessing_features(guessing *g, size_t place);
/* Steps from one place to another; those that are not left need no measure. Its number. */
size_t guessing_add_kind(guessing *g, size_t from, size_t to);
/* No measure so far falls by it. */
bool guessing_is_left(const guessing *g, size_t kind);
/* From now on each measure must fall by the kinds that are demanded, and by no others. */
void guessing_ask_only_demanded(guessing *g);
void guessing_demand(guessing *g, size_t kind);
/* What the features of the places are before and after a step. */
void guessing_add_example(guessing *g, size_t kind, TAKE number_vector before, TAKE number_vector after);
measuring_end guessing_step(guessing *g, const guess_oracle *o);
/* The first for all places, the second for all, .. */
KEEP const term_vector *guessing_measures(const guessing *g);
/* Of a question that was not decided: why. */
KEEP const char *guessing_trouble(const guessing *g);
/* How often factors were looked for. */
uint64_t guessing_questions(const guessing *g);

#endif
