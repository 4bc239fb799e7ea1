/* One pass: what passes.c needs of it. A pass keeps the order of what it keeps. */
#ifndef WHET_MODEL_PASS_H
#define WHET_MODEL_PASS_H

#include "base/budget.h"
#include "model/trace.h"
#include "term/substitute.h"

typedef struct pass_result {
  model *model;                 /* over the same terms; NULL if the pass changes nothing */
  substitution *by;             /* what a formula about the model before becomes; NULL if it stays as it is. Owned. */
  term facts;                   /* hold in every reachable state of the model before */
  VECTOR(uint32_t) transitions; /* index after -> index before */
  VECTOR(size_t) kept;          /* variable position after -> before */
  number_vector first;          /* position before -> value in the first state, for those not kept */
} pass_result;

void pass_result_clear(pass_result *r); /* what it holds */

/* Once `b` is spent a pass ends as one that changes nothing. */
pass_result pass_fold(const model *m, size_t property, budget *b);
pass_result pass_slice(const model *m, size_t property, budget *b);

/* Copies what no pass changes: variables in `kept`, processes, definitions; `made->property` stays at `property`'s
 * index 0. */
void pass_copy_frame(pass_result *r, const model *m, size_t property);

#endif
