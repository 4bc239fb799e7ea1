/* What measures are sums of: integers over the state variables. */
#ifndef WHET_ENGINE_RANK_FEATURES_H
#define WHET_ENGINE_RANK_FEATURES_H

#include "model/model.h"

/* How rich: each has more than the one before. */
typedef enum feature_level {
  FEATURES_PLAIN,    /* 1, numbers, and tests for the values of booleans and enumerations */
  FEATURES_BY_PLACE, /* also each number at each value of the one place that there is, if there is one */
  FEATURES_BY_CASE,  /* also each number, and each value of that place, where a case holds */
} feature_level;

/* Cases that steps can be told apart by: whether what an update adds to a variable is negative; and atoms of guards and of `open`. Only a few
 * are taken. */
void features_cases(const model *m, term open, term_vector *out);
/* Tests for the values of each place and enumeration. */
void features_places(const model *m, term_vector *out);
/* Appends them; of a level that would have too many, none. `cases` are for the last one. */
void features_of(const model *m, feature_level level, const term_vector *cases, term_vector *out);

#endif
