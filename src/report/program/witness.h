/* Witnesses of verdicts about C programs, in the format 2.0 of the competition on software verification (YAML). */
#ifndef WHET_REPORT_PROGRAM_WITNESS_H
#define WHET_REPORT_PROGRAM_WITNESS_H

#include "run/outcome.h"

/* What was verified. */
typedef struct witness_task {
  const char *path;
  const char *content; /* of the program */
  size_t length;
  bool is_32;
  const char *version; /* of whet */
  int64_t time;        /* seconds since 1970 */
} witness_task;

/* False if there is none: nothing was decided, the format has no such property, or the run is too long to be written. */
bool witness_print(const witness_task *task, const model *m, const outcome *o, text *out);

#endif
