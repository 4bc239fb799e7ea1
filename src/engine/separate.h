/* A formula over some variables that follows from one formula and contradicts another: an interpolant, made of few
 * half-spaces. After Albarghouthi and McMillan, Beautiful Interpolants (CAV 2013): the two formulas are known by samples,
 * sets of solutions that are projected to the shared variables; half-spaces that separate the samples are a guess, and
 * where the guess is wrong is one more sample. */
#ifndef WHET_ENGINE_SEPARATE_H
#define WHET_ENGINE_SEPARATE_H

#include "engine/half_space.h"

/* A formula over the shared variables and others. */
typedef struct separated_side {
  term formula;
  variable_vector others;
} separated_side;

typedef struct separation {
  terms *ts;
  budget *budget;
  variable_vector shared;
  separated_side inside, outside; /* no values of the shared variables satisfy both */
  /* Values of the shared variables that had better satisfy the result too. */
  const number_vector *wanted;
  size_t wanted_count;
  half_space_wish *wish; /* about a half-space that is enough by itself; NULL: none */
  bool only_liked;       /* nothing else is looked for */
  bool is_liked;         /* it was found */
  uint64_t questions;    /* counted */
} separation;

/* False if none is found. */
bool separate(separation *s, term *out);

#endif
