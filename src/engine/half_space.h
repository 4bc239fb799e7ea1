/* A half-space between two groups of sets: found from Farkas factors, with coefficients as small and as few as possible.
 *
 * A set is given by inequalities, all of which hold in it; a non-negative combination of them is an inequality that
 * holds there too. So a half-space has a set inside if it is such a combination, and another one outside if its negation
 * is; factors and coefficients are the unknowns of a linear problem. An expression that is not linear is a variable of its
 * own here, and so is `if b then 1 else 0` for a boolean b, or for an enumeration and one of its values. */
#ifndef WHET_ENGINE_HALF_SPACE_H
#define WHET_ENGINE_HALF_SPACE_H

#include "base/budget.h"
#include "model/trace.h"
#include "term/term.h"

/* Values of variables, and a set around them; or (`is_point`) nothing but them. */
typedef struct sample {
  number_vector values; /* by variable: at least of those that are asked about */
  term_vector sums;     /* each at most 0, */
  index_vector strict;  /* or less: those with these numbers */
  bool is_point;
} sample;

typedef VECTOR(sample) sample_vector;

/* The set in which these literals hold, as `project` gives them, around values of the variables, which are copied;
 * enumerations keep their values. */
sample sample_of(terms *ts, size_t count, const variable *variables, const number *values, const term_vector *literals);
/* Of nothing but these values, one for each variable. */
sample sample_of_point(terms *ts, size_t count, const variable *variables, const number_vector *point);
void sample_vector_clear(sample_vector *v);

typedef VECTOR(const sample *) sample_group;

/* What else is hoped for; and whether it was true of the last half-space found. */
typedef struct half_space_wish {
  bool (*likes)(void *context, term half_space);
  void *context;
  bool is_liked;
} half_space_wish;

/* What all searches about the same variables use. */
typedef struct half_space_search half_space_search;
GIVE half_space_search *half_space_search_new(terms *ts, budget *b, size_t count, const variable *variables);
void half_space_search_free(TAKE half_space_search *s);
/* An inequality about the variables that holds in all sets of `inside` and in none of `outside`: the simplest one that
 * `wish` (which may be NULL) likes, of a few, or else the simplest. False if none is found: there may be one all the
 * same. */
bool half_space_find(half_space_search *s, const sample_group *inside, const sample_group *outside,
                     half_space_wish *wish, term *out);

/* half_space_bounds.c: the same with inequalities that are bounds of a single leaf (a variable, an indicator, an
 * expression that is not linear) and can be read off the sets. Those that are not liked are kept in `out` if it is the
 * first: `*found`. True if one is liked. */
bool half_space_find_bound(terms *ts, const term_vector *leaves, const sample_group *inside,
                           const sample_group *outside, half_space_wish *wish, bool *found, term *out);
/* leaf * by <= bound, or <; an indicator alone is a literal. */
term half_space_of_leaf(terms *ts, term leaf, number by, number bound, bool is_strict);

#endif
