/* Z3's parser behind a plain interface. Runs in a child process (parse.c): it may be slow, and on hostile texts crash.
 */
#ifndef WHET_INPUT_SMTLIB_Z3_NODES_H
#define WHET_INPUT_SMTLIB_Z3_NODES_H

#include "input/smtlib/nodes.h"

/* `is_definition[i]`: assertion i is `(= name value)`, and from there on the name is the value. False and `error`, in
 * Z3's words or (if `*bad_definition` is one) about the assertion of that number. */
bool z3_parse(const char *smtlib, size_t count, const bool *is_definition, nodes *out, text *error,
              size_t *bad_definition);

#endif
