/* That every run ends, as a property of a model. */
#ifndef WHET_PROOF_TERMINATION_H
#define WHET_PROOF_TERMINATION_H

#include "model/model.h"

/* Adds the property `name`: on every run there is a state in which nothing can be done. False, and nothing is added, if inputs cannot be
 * eliminated exactly from the conditions of transitions, so that there is no formula for these states. Of a program
 * that is clauses: PROPERTY_ENDS. */
bool termination_add(model *m, const char *name);

#endif
