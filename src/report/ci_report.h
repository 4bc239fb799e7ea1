/* Results for programs that run checks: JUnit's XML, which servers for continuous integration show as tests, and SARIF 2.1.0,
 * which hosts of sources and editors show beside the lines. */
#ifndef WHET_REPORT_CI_REPORT_H
#define WHET_REPORT_CI_REPORT_H

#include "base/text.h"

typedef enum ci_end { CI_HOLDS, CI_VIOLATED, CI_OPEN } ci_end;

typedef struct ci_result {
  const char *property;
  ci_end end;
  char *words;           /* the verdict: UNSAFE, UNKNOWN (time limit reached) */
  char *run;             /* that breaks it, as text; "" if there is none */
  unsigned line, column; /* of the property; 0 if it is not written anywhere */
  const char *file;      /* that it stands in, if that is an included one; else NULL */
  double seconds;
} ci_result;

/* `path` is the model's. */
GIVE char *junit_document(const char *path, size_t count, const ci_result *results);
GIVE char *sarif_document(const char *path, size_t count, const ci_result *results);

#endif
