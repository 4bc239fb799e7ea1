/* A fact as a file: SMT-LIB 2, which says that a formula holds in every reachable state. Its name is a digest of its content. */
#ifndef WHET_RUN_FACT_FOLDER_FACT_FILE_H
#define WHET_RUN_FACT_FOLDER_FACT_FILE_H

#include "base/text.h"
#include "proof/formulas.h"

#define FACT_FILE_ENDING ".smt2"
enum { FACT_FILE_MOST_BYTES = 64 << 10 };

/* The content; "" if the formula is too large for one. */
GIVE char *fact_file_content(const terms *ts, term fact);
/* `DIGITS.smt2` */
GIVE char *fact_file_name(const char *content);
/* Could `name` be one? */
bool fact_file_is_named(const char *name);

typedef enum fact_file_answer {
  FACT_FILE_READ,
  FACT_FILE_DAMAGED, /* it is not what its name says, or no such file at all */
  FACT_FILE_FOREIGN, /* it names variables that the model does not have, or has with other types */
} fact_file_answer;

/* The content is hostile. That the formula holds is what the file says, and nothing more. */
fact_file_answer fact_file_read(model *m, const formula_names *n, const char *name, const char *content, term *out);

#endif
