/* Bounded unrolling: can a property be broken within so many steps? The steps are written out as SMT-LIB 2 over a copy
 * of every variable for each step, and Z3, as a program of its own, is asked depth by depth. */
#ifndef WHET_TESTS_UNROLL_H
#define WHET_TESTS_UNROLL_H

#include "model/model.h"

typedef enum unroll_kind {
  UNROLL_NOT_WITHIN, /* no run of at most `steps` steps breaks the property */
  UNROLL_BROKEN,     /* after `depth` steps, and no sooner */
  UNROLL_UNSURE,     /* Z3 did not say; or a temporal property */
} unroll_kind;

typedef struct unroll_result {
  unroll_kind kind;
  size_t depth;
} unroll_result;

/* One result for each property of `m`. False if Z3 could not be run. */
bool unroll(const model *m, size_t steps, unroll_result *out);

#endif
