/* What the states of a sample have in common, and how many states have it too: those in which each variable has a value that it was seen with, each
 * two variables values that they were seen with together, and likewise three. If the sample has all combinations that any
 * reachable state has, then the reachable states are among these, and they are at most as many.
 *
 * A combination of variables counts only if the last part of the sample, its runs that are alike, added nothing to it; if one did, any values are
 * allowed there. So the number is a bound on what is reachable if nothing rare was missed: likely, not certain. */
#ifndef WHET_ENGINE_EXPLICIT_ESTIMATE_CLOSURE_H
#define WHET_ENGINE_EXPLICIT_ESTIMATE_CLOSURE_H

#include "engine/explicit/estimate/sample.h"

typedef struct space_closure {
  double by_type; /* how many values the types have; infinite if one has no end */
  double values;  /* combinations of the values that were seen */
  double pairs;   /* of those of two variables: at most `values`; */
  double triples; /* of two and three */
  size_t
      growing; /* a variable whose type has no end and whose values were still growing, or SIZE_MAX: all are infinite then */
  size_t endless;    /* a variable whose type has no end, or SIZE_MAX */
  int64_t low, high; /* the values that variable was seen with */
  size_t relations;  /* pairs and triples that leave something out */
} space_closure;

/* How many states the types of the variables allow, up to SPACE_MOST: INFINITY if one has no end. */
double closure_types(const model *m);
space_closure closure_find(const space_sample *s);

#endif
