/* The inside of the prover, for prover.c and the layers: one file each, one function each. */
#ifndef WHET_SOLVER_LAYERS_H
#define WHET_SOLVER_LAYERS_H

#include "solver/cache.h"
#include "solver/context.h"
#include "solver/prover.h"
#include "solver/relevance.h"

typedef struct difference difference;
typedef struct witnesses witnesses;

struct prover {
  terms *ts;
  solver *solver; /* may be NULL */
  double seconds; /* for one question to the solver */
  shapes *shapes;
  context *context;
  relevance *relevance; /* for prover_relevant */
  term_vector facts;
  difference *difference;
  witnesses *witnesses;
  cache *cache;
  term_vector denial, parts;
  term_vector key; /* of the question at hand: the relevant literals, sorted, and the right side */
  prover_statistics statistics;
};

/* A question: does the context imply `right`, which is no conjunction? `denial` has the conjuncts of its negation, what
 * a counterexample satisfies in addition to the context. */
typedef struct question {
  term right;
  size_t count;
  const term *denial;
} question;

/* Unsure, without a reason: the next layer is to be asked. */
static inline answer layer_passes(void) { return answer_unsure(NULL); }

answer layer_fold(prover *p, const question *q);
answer layer_literals(prover *p, const question *q);
answer layer_interval(prover *p, const question *q);
answer layer_difference(prover *p, const question *q);
answer layer_cache(prover *p, const question *q); /* leaves the question's `key`, for the layers that come after it */
answer layer_witness(prover *p, const question *q);
answer layer_solver(prover *p, const question *q);
/* The answer, remembered under `key`. */
answer cache_answer(prover *p, answer a);

GIVE difference *difference_new(void);
void difference_free(TAKE difference *d);
/* The context has changed. */
void difference_forget(difference *d);
/* After the layer has passed on a question: `values` of `count` variables, changed into a guess at a counterexample;
 * false if it has none. */
bool difference_guess(const difference *d, size_t count, number *values);

GIVE witnesses *witnesses_new(void);
void witnesses_free(TAKE witnesses *w);
/* Remembers the model that the solver has just found. */
void witnesses_add(prover *p);

#endif
