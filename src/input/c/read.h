/* C programs; docs/c.md says what is read and what it means. */
#ifndef WHET_INPUT_C_READ_H
#define WHET_INPUT_C_READ_H

#include "input/c/settings.h"
#include "input/diagnostic.h"

GIVE model *c_read(source *s, diagnostics *d);
/* The same of a text whose syntax tree is given, as JSON from clang: no process is started. */
GIVE model *c_read_json(source *s, const char *json, size_t length, diagnostics *d);

#endif
