/* Formulas about a model on their way from one process to another: SMT-LIB 2 terms, one after the other. What comes is
 * read as hostile. */
#ifndef WHET_PROOF_FORMULAS_H
#define WHET_PROOF_FORMULAS_H

#include "model/model.h"

/* Appends `t` and a newline. */
void formulas_add(const terms *ts, term t, text *out);
/* Appends the formulas, over state variables of `m`, that `lines` holds; false if something in it is none. */
bool formulas_read(model *m, const char *lines, term_vector *out);

#endif
