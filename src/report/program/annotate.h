/* A C program with what was proved of it: as comments of ACSL, which compilers do not see and Frama-C proves again, or as the
 * clauses of contracts that CBMC reads. */
#ifndef WHET_REPORT_PROGRAM_ANNOTATE_H
#define WHET_REPORT_PROGRAM_ANNOTATE_H

#include "run/outcome.h"

typedef enum annotate_dialect { ANNOTATE_ACSL, ANNOTATE_CBMC } annotate_dialect;

/* `content` is the text of the program that `m` was made from. */
void annotate_print(const model *m, size_t count, const outcome *const *outcomes, annotate_dialect dialect,
                    const char *content, size_t length, text *out);

#endif
