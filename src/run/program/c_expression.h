/* Formulas about a C program as expressions of C, over the names that there are at a place. */
#ifndef WHET_RUN_PROGRAM_C_EXPRESSION_H
#define WHET_RUN_PROGRAM_C_EXPRESSION_H

#include "base/text.h"
#include "model/program_source.h"

typedef enum c_style {
  STYLE_C,    /* evaluated by C's rules it has the value of the formula: nothing in it overflows or wraps around */
  STYLE_ACSL, /* for ACSL, whose numbers are unbounded */
  STYLE_CBMC  /* C, with what CBMC adds: quantifiers, results, values at a call */
} c_style;

typedef struct c_point {
  program_names names;
  const variable_vector *indices; /* integers for all of which the formula holds */
  bool is_contract;               /* it is said of a function, not of a loop in it */
} c_point;

/* False, and nothing is added, if there is none: a variable has no name there, or a number is too large. What a formula says
 * about elements of arrays is said of those that there are. */
bool c_expression_print(const terms *ts, term t, const c_point *at, c_style style, text *out);

#endif
