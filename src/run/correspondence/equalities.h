/* Equal variables as a part of a portfolio: when they are looked for, and who works on the model in which they are merged. */
#ifndef WHET_RUN_CORRESPONDENCE_EQUALITIES_H
#define WHET_RUN_CORRESPONDENCE_EQUALITIES_H

#include "run/portfolio_state.h"

/* In models whose steps are large, if some engine has a use for it. */
bool equalities_are_wanted(const portfolio *g, const model_look *look);
/* Looks for them, once. If the model gets smaller, engines that have begun with the larger one begin again, unless they
 * have made a claim. */
void equalities_look(portfolio *g);

#endif
