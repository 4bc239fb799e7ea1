/* The whet language as a whole. */
#ifndef WHET_INPUT_WHET_READ_H
#define WHET_INPUT_WHET_READ_H

#include "input/diagnostic.h"

/* NULL if there were errors; they are in `d`. */
GIVE model *whet_read(source *s, diagnostics *d);
/* Boolean expressions in the names of `m`; false if there were errors, and nothing is added then. */
bool whet_read_expressions(model *m, source *s, term_vector *out, diagnostics *d);

#endif
