/* SV-LIB 1.0: programs and what is to be verified of them, on top of SMT-LIB (docs/svlib.md). */
#ifndef WHET_INPUT_SVLIB_READ_H
#define WHET_INPUT_SVLIB_READ_H

#include "input/diagnostic.h"

GIVE model *svlib_read(source *s, diagnostics *d);

#endif
