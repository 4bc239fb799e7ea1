/* Formulas about a C program as expressions of C, over the names that are in scope at a loop. */
#ifndef WHET_RUN_PROGRAM_C_EXPRESSION_H
#define WHET_RUN_PROGRAM_C_EXPRESSION_H

#include "base/text.h"
#include "model/program_source.h"

typedef enum c_style {
  STYLE_C,   /* evaluated by C's rules it has the value of the formula: nothing in it overflows or wraps around */
  STYLE_ACSL /* for ACSL, whose numbers are unbounded */
} c_style;

/* False, and nothing is added, if there is none: a variable has no name there, or a number is too large. */
bool c_expression_print(const terms *ts, term t, const source_loop *at, c_style style, text *out);

#endif
