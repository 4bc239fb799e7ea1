/* What else than its text says what a C program means. */
#ifndef WHET_INPUT_C_SETTINGS_H
#define WHET_INPUT_C_SETTINGS_H

#include "base/base.h"

/* Arrays of up to so many elements are expanded if no number is given: of C programs, of those whose termination is asked
 * for, and of models. A C program whose arrays are all expanded may have larger ones. */
enum { C_MOST_EXPANDED = 16, C_MOST_EXPANDED_TO_END = 2048, MODEL_MOST_EXPANDED = 256, C_MOST_CELLS = 256 };

typedef struct c_settings {
  bool is_32;            /* ILP32 instead of LP64 */
  bool signed_wraps;     /* signed arithmetic wraps around, as with gcc -fwrapv */
  int64_t most_expanded; /* an array or struct of more elements is not expanded; 0: see above */
  int64_t most_copies;   /* of a model: a process with more copies becomes arrays; 0: none does */
  bool without_arrays;   /* a model with arrays of any length becomes a transition system without, or is refused */
  bool all_procedures;   /* functions that do not call themselves are procedures too, if they can be */
  bool keeps_heads;      /* the head of every loop is a place of the model, also if engines could do without */
  const struct c_witness *witness; /* whose invariants are checked, or whose run is looked for; NULL: none */
  const char *properties;          /* those that are asked for, with commas between, or NULL */
  const char *includes;            /* folders, a line each, or NULL */
  const char *defines;             /* NAME or NAME=VALUE, a line each, or NULL */
} c_settings;

#endif
