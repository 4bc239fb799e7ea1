/* Which part of a property fails: of `safe s: A and B`, or of all instances of a `forall`, those that the last state of a run
 * breaks. */
#ifndef WHET_REPORT_FAILING_H
#define WHET_REPORT_FAILING_H

#include "proof/evidence.h"

/* Appends them; none if the property is not made of parts, or not about single states. */
void failing_parts(const model *m, const property *p, const trace_step *last, term_vector *out);
/* A line for each, of the first few. */
void failing_print(const model *m, const property *p, const trace_step *last, text *out);

#endif
