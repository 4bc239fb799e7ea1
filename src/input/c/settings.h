/* What else than its text says what a C program means. */
#ifndef WHET_INPUT_C_SETTINGS_H
#define WHET_INPUT_C_SETTINGS_H

#include "base/base.h"

enum { C_MOST_EXPANDED = 256 }; /* the default of --expand-arrays */

typedef struct c_settings {
  bool is_32;            /* ILP32 instead of LP64 */
  bool signed_wraps;     /* signed arithmetic wraps around, as with gcc -fwrapv */
  int64_t most_expanded; /* an array or struct of more integers is not expanded */
  bool keeps_heads;      /* the head of every loop is a place of the model, also if engines could do without */
  const struct c_witness *witness; /* whose invariants are checked, or whose run is looked for; NULL: none */
  const char *properties;          /* those that are asked for, with commas between, or NULL */
  const char *includes;            /* folders, a line each, or NULL */
  const char *defines;             /* NAME or NAME=VALUE, a line each, or NULL */
} c_settings;

#endif
