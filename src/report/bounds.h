/* Bounds as text, a line each, and as JSON (docs/bounds.md). */
#ifndef WHET_REPORT_BOUNDS_H
#define WHET_REPORT_BOUNDS_H

#include "run/bounds/bounds.h"

void bounds_print(const bound_vector *b, text *out);
void bounds_print_json(const model *m, const bound_vector *b, text *out);

#endif
