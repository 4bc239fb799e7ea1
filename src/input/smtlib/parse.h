/* A text of commands, parsed by Z3 in a child process. */
#ifndef WHET_INPUT_SMTLIB_PARSE_H
#define WHET_INPUT_SMTLIB_PARSE_H

#include "input/smtlib/commands.h"
#include "input/smtlib/nodes.h"

/* False if something is wrong: messages then went to `r`. The roots of `out` are the assertions of `c`. */
bool smtlib_parse(const smtlib_commands *c, nodes *out, reporter *r);

#endif
