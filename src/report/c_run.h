/* A run of a C program as text: a line for each statement that is executed, with its line in the source, and behind it the
 * values that the inputs and the assigned variables get.
 *
 *     5: n = __VERIFIER_nondet_int()        __VERIFIER_nondet_int() = 9, n = 9
 *     7: [!(n > 10)]
 */
#ifndef WHET_REPORT_C_RUN_H
#define WHET_REPORT_C_RUN_H

#include "proof/evidence.h"

/* Of a program without recursion: its evidence is a run of the model. */
void c_run_print(const model *m, const evidence *e, text *out);

#endif
