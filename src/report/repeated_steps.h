/* Blocks of steps that a run takes again and again, so that a reader need not. */
#ifndef WHET_REPORT_REPEATED_STEPS_H
#define WHET_REPORT_REPEATED_STEPS_H

#include "proof/evidence.h"

/* `length` steps from `first` on, and then the same ones again; `times` in all. */
typedef struct repeated_steps {
  size_t first, length, times;
} repeated_steps;

/* The repetition that starts at step `first` and covers most; false if it is not worth while to leave steps out. */
bool repeated_steps_at(const evidence *e, size_t first, repeated_steps *out);

#endif
