/* What the states that a search has seen have in common: bounds of variables, of differences and of sums of two, and remainders. They are likely to hold of all
 * states that can be reached (as in M. Ernst et al., Quickly detecting relevant program invariants, ICSE 2000), and nothing more. */
#ifndef WHET_PREDICATE_LIKELY_LIKELY_H
#define WHET_PREDICATE_LIKELY_LIKELY_H

#include "model/model.h"

/* A variable, or two: x, x - y, x + y. Positions in a state. */
typedef struct likely_form {
  size_t left, right; /* `right` is SIZE_MAX if there is none */
  bool is_sum;
  term value;
} likely_form;

typedef VECTOR(likely_form) likely_forms;

/* The values of one form that were seen. */
typedef struct likely_range {
  bool is_seen;           /* any value was */
  bool has_low, has_high; /* else they grew too often, or do not fit */
  int64_t low, high;
  int64_t anchor;  /* a value that was seen; the others differ from it by multiples of `step` */
  uint64_t step;   /* 0: no other was seen; 1: any number */
  uint8_t growths; /* of the bounds, by likely_widen */
  uint32_t values; /* that likely_note has taken */
  uint32_t low_since, high_since, step_since; /* so many were taken when these last changed */
} likely_range;

typedef VECTOR(likely_range) likely_ranges;

/* The forms over data variables of integer sort: all of them if they are few, else those whose variables occur together in a guard, an update or a property. */
void likely_forms_make(const model *m, const bool *is_kept, likely_forms *out);
/* Takes the values that the forms have in `state` into the ranges, as many as forms, which change. */
void likely_note(const likely_forms *forms, const int64_t *state, likely_range *ranges);
/* The same for a state that was not seen: bounds that grow again and again are given up. Whether any range changed. */
bool likely_widen(const likely_forms *forms, const int64_t *state, likely_range *ranges);
/* What the ranges say, conjuncts appended. */
void likely_terms(terms *ts, const likely_forms *forms, const likely_range *ranges, term_vector *out);

#endif
