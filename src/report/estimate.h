/* An estimate as text, a line for each thing that is known, and as JSON (docs/scale.md). */
#ifndef WHET_REPORT_ESTIMATE_H
#define WHET_REPORT_ESTIMATE_H

#include "run/estimate/estimate.h"

void estimate_print(const space_estimate *e, const options *o, text *out);
void estimate_print_json(const space_estimate *e, const options *o, text *out);

#endif
