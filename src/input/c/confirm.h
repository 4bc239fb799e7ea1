/* A run that was found, tried: the program is compiled with the functions that give its inputs, with checks for undefined
 * behaviour, and run. */
#ifndef WHET_INPUT_C_CONFIRM_H
#define WHET_INPUT_C_CONFIRM_H

#include "base/memory.h"
#include "input/c/settings.h"

/* NULL if the compiled program violates the property; else why that was not seen (owned by the caller). `harness` is
 * the text of the functions. */
GIVE char *c_confirm(const char *program, const c_settings *settings, const char *harness, const char *property);

#endif
