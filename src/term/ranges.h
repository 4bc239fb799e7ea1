/* Values that are listed one by one, as ranges. */
#ifndef WHET_TERM_RANGES_H
#define WHET_TERM_RANGES_H

#include "term/term.h"

/* A formula that says the same as `t`: if it, or a conjunct of it, is a disjunction in which an integer variable has three
 * values or more that follow each other, `x = 4 or x = 5 or x = 6`, it says `4 <= x and x <= 6`. Enumerations stay as
 * they are. */
term term_with_ranges(terms *ts, term t);

#endif
