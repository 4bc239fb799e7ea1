/* C programs; docs/c.md says what is read and what it means. */
#ifndef WHET_INPUT_C_READ_H
#define WHET_INPUT_C_READ_H

#include "input/c/settings.h"
#include "input/diagnostic.h"

GIVE model *c_read(source *s, diagnostics *d);

#endif
