/* A formula over the variables of a loop's head as an SMT-LIB term in the names of an SV-LIB script. */
#ifndef WHET_RUN_PROGRAM_SVLIB_EXPRESSION_H
#define WHET_RUN_PROGRAM_SVLIB_EXPRESSION_H

#include "model/program_source.h"

/* False, and nothing is written, if it speaks of something that has no name in the script. */
bool svlib_expression_print(const terms *ts, term t, const source_loop *loop, text *out);

#endif
