/* VMT-LIB: symbolic transition systems as annotated SMT-LIB definitions (docs/chc.md). */
#ifndef WHET_INPUT_VMT_READ_H
#define WHET_INPUT_VMT_READ_H

#include "input/diagnostic.h"

GIVE model *vmt_read(source *s, diagnostics *d);

#endif
