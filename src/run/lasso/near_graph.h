/* States of a model near a run, and the steps between them: the states of the run, the first initial states that can be counted out, and
 * what steps lead to from there, nearest first, up to a limit. Numbers are of 64 bits. */
#ifndef WHET_RUN_LASSO_NEAR_GRAPH_H
#define WHET_RUN_LASSO_NEAR_GRAPH_H

#include "base/budget.h"
#include "model/semantics.h"
#include "model/trace.h"

typedef struct near_step {
  uint32_t from, to, transition;
  size_t inputs; /* where they begin in `inputs` of the graph */
} near_step;

typedef struct near_graph {
  const model *model;
  size_t width;             /* of a state */
  VECTOR(int64_t) states;   /* one after the other */
  VECTOR(near_step) steps;  /* those of a state stand together, in the order of states */
  VECTOR(uint32_t) first;   /* of each state that was gone on from, its first step; one more at the end */
  VECTOR(bool) lacks_steps; /* of each of those: it may have more steps than these */
  VECTOR(int64_t) inputs;
  size_t count, initial; /* states; the first of them are initial */
} near_graph;

/* False if there is nothing to use: a number that does not fit, the budget is spent. It is to be cleared in any case. `most` states. */
bool near_graph_init(near_graph *g, const model *m, const trace *run, size_t most, budget *b);
void near_graph_clear(near_graph *g);

static inline const int64_t *near_graph_state(const near_graph *g, size_t i) { return g->states.at + i * g->width; }
/* All its steps are listed. */
bool near_graph_is_known(const near_graph *g, size_t state);
/* A step leads to the state, or `step` is NULL: it is the first. */
void near_graph_add_to(const near_graph *g, size_t state, const near_step *step, trace *out);

#endif
