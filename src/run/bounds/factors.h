/* Factors of a sum that meet requirements: small ones first, and few of them. */
#ifndef WHET_RUN_BOUNDS_FACTORS_H
#define WHET_RUN_BOUNDS_FACTORS_H

#include "base/budget.h"
#include "model/trace.h"
#include "solver/solver.h"

typedef struct factor_room {
  int64_t largest;    /* of factors, from -largest to it */
  int64_t constant;   /* of the first one, which belongs to 1, likewise */
  size_t most;        /* others that are not 0 */
  bool has_fractions; /* factors may be fractions, which are found sooner */
} factor_room;

/* The sum, with these values, is at least so large. */
typedef struct factor_row {
  number_vector values;
  number least;
} factor_row;

typedef struct factors factors;

/* For `count` values, of which the first is always 1. */
GIVE factors *factors_new(budget *b, size_t count, const factor_room *room);
void factors_free(TAKE factors *f);
/* The row holds. */
void factors_require(factors *f, const factor_row *row);
/* Are there such factors? `out` has them then. */
answer factors_find(factors *f, number_vector *out);

#endif
