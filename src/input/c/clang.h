/* Clang as a program that parses C. */
#ifndef WHET_INPUT_C_CLANG_H
#define WHET_INPUT_C_CLANG_H

#include "input/c/settings.h"
#include "input/diagnostic.h"

/* The syntax tree of a text as JSON, added to `out`. False if clang is missing, refuses the text or takes too long: a
 * message then went to `d`. */
bool c_clang_run(const source *s, const c_settings *settings, text *out, diagnostics *d);

#endif
