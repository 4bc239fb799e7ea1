/* Running single steps of models on states written as text. */
#ifndef WHET_TESTS_STEP_HELPER_H
#define WHET_TESTS_STEP_HELPER_H

#include "model/model.h"

/* What step `name` does in the state `state`, "x=3 b=true st=W P[1]=idle"; variables that are not mentioned are 0.
 * Inputs are given in order in `inputs`, "3 1"; several steps of one name are distinguished as "name#2". The result lists
 * the variables that changed, in the order of the model: "x=4 y=0"; or says "disabled", "fault: .." or "overflow". */
GIVE char *step_text(const model *m, const char *name, const char *state, const char *inputs);
/* The value of a condition over states, "true" or "false". */
const char *condition_text(const model *m, term t, const char *state);

#endif
