/* Variables of a model that remember what its runs have been through: fairness of steps and operators of the past are said with them. They
 * are part of the model as read; every step gives them a value, and nothing else depends on them. */
#ifndef WHET_INPUT_WHET_HISTORY_HISTORY_H
#define WHET_INPUT_WHET_HISTORY_HISTORY_H

#include "input/whet/lower.h"

/* A truth value that is `first` in initial states, and after each step `value`, which is over the state before the step and, by its next
 * variables, after it. Two of the same value and the same first value are one. Its name comes from the text at `named`. */
term history_variable_of(lowering *l, bool first, term value, const char *before, span named);
/* When all of them and all steps are there: the steps set them. */
void history_close(lowering *l);
/* `t` without its next variables, if all its variables are such; and whether it has any. */
bool history_is_of_next(lowering *l, term t, bool *has_next, term *here);

#endif
