/* Terms compiled for exact evaluation, again and again: what they share is computed once, nothing is allocated. The terms
 * are added in stages, so that values of variables may follow from what earlier stages give. */
#ifndef WHET_TERM_EXACT_CODE_H
#define WHET_TERM_EXACT_CODE_H

#include "term/array_versions.h"

typedef struct exact_code exact_code;

/* A term in the code. */
typedef struct exact_place {
  uint32_t x;
} exact_place;

GIVE exact_code *exact_code_new(const terms *ts); /* which outlive it */
void exact_code_free(TAKE exact_code *c);
/* The next stage: all that is needed for these terms and not in earlier ones. Gives its number. */
size_t exact_code_add(exact_code *c, size_t count, const term *roots);
/* Of a term of some stage. */
exact_place exact_code_place(const exact_code *c, term t);

/* Computes the stage; those before it were computed before. `values` are as of term_evaluate; arrays are versions in `arrays`, or
 * array values if that is NULL. */
void exact_code_run(exact_code *c, size_t stage, const number *values, array_versions *arrays);
number exact_code_value(const exact_code *c, exact_place p);

#endif
