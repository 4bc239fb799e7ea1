/* Constants whose values are given from outside (-D NAME=VALUE), before the text is checked. */
#ifndef WHET_INPUT_WHET_SET_CONSTANTS_H
#define WHET_INPUT_WHET_SET_CONSTANTS_H

#include "input/input.h"
#include "input/whet/ast.h"

/* `defines`: NAME=VALUE, a line each; VALUE is a number, `true`, `false` or a value of an enumeration. Each must name a
 * `const` that is declared alone; else there is a message. */
void set_constants(module *tree, const char *defines, arena *a, words *w, const char *path, diagnostics *d);

#endif
