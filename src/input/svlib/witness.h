/* A script together with a witness of a verdict about it: the script that is to be verified then. */
#ifndef WHET_INPUT_SVLIB_WITNESS_H
#define WHET_INPUT_SVLIB_WITNESS_H

#include "input/diagnostic.h"

typedef struct svlib_text {
  const char *path, *content;
  size_t length;
} svlib_text;

/* The commands of the witness stand before verify-call, as SV-LIB has it, except those that describe it. `property` gets
 * the name of the property that a trace violates, NULL if the witness is a proof. False after messages: if one of the two cannot be read, or
 * the witness has commands that could change what is asked. */
bool svlib_combine(const svlib_text *program, const svlib_text *witness, text *out, GIVE char **property,
                   diagnostics *d);

#endif
