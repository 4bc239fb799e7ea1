/* Variables of a model that remember what its runs have been through: fairness of steps and operators of the past are said with them. They
 * are part of the model as read; every step gives them a value, and nothing else depends on them. */
#ifndef WHET_INPUT_WHET_HISTORY_HISTORY_H
#define WHET_INPUT_WHET_HISTORY_HISTORY_H

#include "input/whet/lower.h"

/* A truth value, `first` in initial states, that remembers `f` and `g` as `kind` says; two that do the same are one. If it is new, `*made` is
 * set, and its `value` is to be set: what it is after each step, over the state before the step and, by its next variables, after it. Its
 * name comes from the text at `named`; if `before` is not empty, it stands before that, and a parenthesis behind. */
term history_variable_of(lowering *l, bool first, const history_variable *what, const char *before, span named,
                         KEEP history_variable **made);
/* When all of them and all steps are there: the steps set them. */
void history_close(lowering *l);
/* `t` without its next variables, if all its variables are such; and whether it has any. */
bool history_is_of_next(lowering *l, term t, bool *has_next, term *here);

#endif
