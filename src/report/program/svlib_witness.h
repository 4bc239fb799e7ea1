/* Witnesses of verdicts about SV-LIB scripts, which are SV-LIB too: invariants of tags, or a trace. */
#ifndef WHET_REPORT_PROGRAM_SVLIB_WITNESS_H
#define WHET_REPORT_PROGRAM_SVLIB_WITNESS_H

#include "run/outcome.h"

/* False if there is none: nothing was decided, or the run is too long to be written. */
bool svlib_witness_print(const char *path, const char *version, const model *m, const outcome *o, text *out);

#endif
