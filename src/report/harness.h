/* A run of a C program as C: the functions that the program gets its inputs from, with the inputs of the run. */
#ifndef WHET_REPORT_HARNESS_H
#define WHET_REPORT_HARNESS_H

#include "proof/evidence.h"

/* False if the run is too long to be written. */
bool harness_print(const model *m, const evidence *e, text *out);

#endif
