/* What to try next when a property was not decided: at most three lines, each made from what happened in the run. */
#ifndef WHET_REPORT_ADVICE_H
#define WHET_REPORT_ADVICE_H

#include "base/options.h"
#include "run/outcome.h"

enum { MOST_ADVICE = 3 };

/* Appends the lines; none if there is nothing to advise (interrupted, an internal error). */
void advice_add(const model *m, const options *o, const outcome *of, text *out);

#endif
