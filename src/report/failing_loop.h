/* Which part of an LTL property fails: of `G a && G b`, or of all instances of a `forall`, those that a run with a loop breaks. */
#ifndef WHET_REPORT_FAILING_LOOP_H
#define WHET_REPORT_FAILING_LOOP_H

#include "proof/evidence.h"

/* A line for each, of the first few; none if the property is not made of parts. */
void failing_loop_print(const model *m, const property *p, const evidence *e, text *out);

#endif
