/* A C program with what was proved of it as comments of ACSL, which compilers do not see and Frama-C proves again. */
#ifndef WHET_REPORT_PROGRAM_ANNOTATE_H
#define WHET_REPORT_PROGRAM_ANNOTATE_H

#include "run/outcome.h"

/* `content` is the text of the program that `m` was made from. */
void annotate_print(const model *m, size_t count, const outcome *const *outcomes, const char *content, size_t length,
                    text *out);

#endif
