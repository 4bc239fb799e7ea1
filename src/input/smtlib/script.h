/* A file of SMT-LIB commands, read: its commands, and Z3's reading of them as nodes. What chc and vmt begin with. */
#ifndef WHET_INPUT_SMTLIB_SCRIPT_H
#define WHET_INPUT_SMTLIB_SCRIPT_H

#include "input/smtlib/commands.h"
#include "input/smtlib/nodes.h"

typedef struct script {
  source *source;
  diagnostics *diagnostics;
  smtlib_commands commands;
  nodes nodes;
  reporter reporter;
  arena *names;
} script;

/* False if something is wrong, which was reported then; to be closed in both cases. A file of Horn clauses has one at
 * least. */
bool script_open(script *s, source *from, bool is_vmt, diagnostics *d);
void script_close(script *s);

#endif
