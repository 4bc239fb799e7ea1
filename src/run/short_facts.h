/* Short formulas that follow from long ones. What holds at one place here and at another there is of little use to an
 * engine that asks about single variables, and hard to read; that a counter is never negative is not. */
#ifndef WHET_RUN_SHORT_FACTS_H
#define WHET_RUN_SHORT_FACTS_H

#include "base/budget.h"
#include "term/term.h"

/* Literals about one or two integer variables, with constants that occur in `facts`, that hold wherever all of these
 * do; none that is itself one of the facts' conjuncts, none that says less than another. Appended, in an order that
 * depends on the facts alone. Asks a solver; if it does not know, there are fewer. */
void short_facts_of(terms *ts, size_t count, const term *facts, budget *b, term_vector *out);

#endif
