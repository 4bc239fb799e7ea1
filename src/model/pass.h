/* One pass: what passes.c needs of it. A pass keeps the order of what it keeps. */
#ifndef WHET_MODEL_PASS_H
#define WHET_MODEL_PASS_H

#include "base/budget.h"
#include "model/passes.h"
#include "term/substitute.h"

/* A variable that goes because it always has the value of another, or of its negation: positions before. */
typedef struct merged_variable {
  size_t position, into;
  bool is_negated;
} merged_variable;

#define INPUT_GONE UINT32_MAX

typedef struct pass_result {
  model *model;                 /* over the same terms; NULL if the pass changes nothing */
  substitution *by;             /* what a formula about the model before becomes; NULL if it stays as it is. Owned. */
  term facts;                   /* hold in every reachable state of the model before */
  VECTOR(uint32_t) transitions; /* index after -> index before */
  VECTOR(size_t) kept;          /* variable position after -> before */
  number_vector first;          /* position before -> value in the first state, for those not kept */
  VECTOR(merged_variable) merged;
  /* For the inputs of each transition that is kept, in the order before: index after, or INPUT_GONE. Those of
   * transition i after the pass begin at input_starts[i], which is empty if all inputs stay and none is added. */
  VECTOR(uint32_t) inputs;
  VECTOR(size_t) input_starts;
  /* Positions after: any value after a step, so that facts about the model before need not hold. */
  VECTOR(size_t) loose;
} pass_result;

void pass_result_clear(pass_result *r); /* what it holds */

/* Once `b` is spent a pass ends as one that changes nothing. */
pass_result pass_fold(const model *m, size_t property, budget *b);
pass_result pass_slice(const model *m, size_t property, budget *b);
/* The same, and a variable that only the initial condition ties to others may take any value in a step. */
pass_result pass_slice_loosely(const model *m, size_t property, budget *b);
pass_result pass_merge(const model *m, size_t property, const known_invariants *known, budget *b);

/* Copies what no pass changes: variables in `kept`, processes, definitions; `made->property` stays at `property`'s
 * index 0. */
void pass_copy_frame(pass_result *r, const model *m, size_t property);

#endif
