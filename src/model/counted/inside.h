/* The inside of counted: formulas over copies as formulas over counters. */
#ifndef WHET_MODEL_COUNTED_INSIDE_H
#define WHET_MODEL_COUNTED_INSIDE_H

#include "model/counted/counted.h"
#include "term/substitute.h"

typedef struct counting {
  counter_model *out;
  terms *ts;
  uint32_t *owner; /* variable -> copy that it is of, from 1; 0: shared */
  size_t known;    /* variables that `owner` has */
  size_t *column;  /* variable -> which of the local variables */
  substitution *by;
  size_t mover;  /* the copy whose local state is known, and no longer spoken of; SIZE_MAX: none */
  size_t state;  /* that local state */
  bool explores; /* local states are not all known yet, so no formula is translated */
  const char *why;
} counting;

/* A value of the variable. */
term counting_constant(terms *ts, variable v, number n);

/* The boolean formula, over shared variables and copies other than the mover, with counters. False if it is not symmetric in them, or not in a way that is
 * understood. */
bool counting_formula(counting *c, term t, term *out);
/* The same of any term that is assigned. */
bool counting_value(counting *c, term t, term *out);
/* `t`, which speaks of no copy but this one, if that is in the local state. */
term counting_in_state(counting *c, term t, size_t copy, size_t local_state);
/* Copies but the mover that are in the local state, as a term. */
term counting_number(counting *c, size_t local_state);
/* Does `t` speak of a copy? */
bool counting_speaks_of_copies(counting *c, term t);

#endif
