/* Formulas about a model on their way from one process to another: SMT-LIB 2 terms, one after the other. What comes is
 * read as hostile. */
#ifndef WHET_PROOF_FORMULAS_H
#define WHET_PROOF_FORMULAS_H

#include "model/model.h"

/* Appends `t` and a newline. */
void formulas_add(const terms *ts, term t, text *out);
/* Appends the formulas, over state variables of `m`, that `lines` holds; false if something in it is none. */
bool formulas_read(model *m, const char *lines, term_vector *out);
/* The same for who reads often: the names of the state variables are made ready once. */
typedef struct formula_names formula_names;
GIVE formula_names *formula_names_of(const model *m);
void formula_names_free(TAKE formula_names *n);
bool formulas_read_named(model *m, const formula_names *n, const char *lines, term_vector *out);

#endif
