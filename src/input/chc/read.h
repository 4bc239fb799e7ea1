/* Constrained Horn clauses: SMT-LIB in logic HORN, and the rule dialect of Z3 (docs/chc.md). */
#ifndef WHET_INPUT_CHC_READ_H
#define WHET_INPUT_CHC_READ_H

#include "input/diagnostic.h"

GIVE model *chc_read(source *s, diagnostics *d);

#endif
