/* Variables that had equal values in every state seen so far, in classes: what may be equal always. Of booleans the
 * negation counts too. A class may have had one value only. */
#ifndef WHET_RUN_CORRESPONDENCE_CLASSES_H
#define WHET_RUN_CORRESPONDENCE_CLASSES_H

#include "model/model.h"
#include "model/trace.h"

typedef struct classes classes;

/* Of the booleans and integers of `m` that are not places, in its first state: in the order of its variables. `m` outlives
 * the result. */
GIVE classes *classes_new(const model *m, const number *state);
void classes_free(TAKE classes *c);
/* One more state. True if it takes some class apart. */
bool classes_refine(classes *c, const number *state);
/* x = c for each member of a class with one value; x = y, with the first member, for the others. Appended. */
void classes_equalities(const classes *c, term_vector *out);

#endif
