/* What intervals alone can show: bounds of terms from the types of their variables and from literals that hold. */
#ifndef WHET_TERM_BOUNDS_H
#define WHET_TERM_BOUNDS_H

#include "term/term.h"

typedef struct interval {
  bool has_low, has_high;
  number low, high;
} interval;

/* The interval of an integer term if every variable is within its type. */
interval term_interval(const terms *ts, term t);
/* `t` simplified under the types' bounds: atoms that the bounds decide become constants; if sum's minimum is 0, `sum
 * <= 0` becomes `sum = 0`; if its maximum is 1, it becomes `not (sum = 1)`. The result is equivalent in every state
 * that respects the types. */
term term_simplify_in_types(terms *ts, term t);
/* `t` simplified if every term of `facts` holds as well: bounds on single variables and on equal linear forms are
 * used, nothing deeper. */
term term_simplify_under(terms *ts, term t, size_t count, const term *facts);
/* Integer if-then-else lifted out of atoms: (if c then a else b) <= d becomes (c and a <= d) or (not c and b <= d). */
term term_lift_ite(terms *ts, term t);

#endif
