/* Counting out the values of some variables that make a condition true: initial states, inputs of a transition in a
 * state.
 *
 * Intervals are narrowed by the linear parts of the condition, then values are tried, the variable with the fewest left
 * first. If a variable has no bounds, or far too many values, those nearest to zero are tried, in
 * growing windows; the result then says that there may be more, and which variable is to blame. */
#ifndef WHET_STORE_ENUMERATE_H
#define WHET_STORE_ENUMERATE_H

#include "base/budget.h"
#include "solver/solver.h"

typedef struct enumerator enumerator;

typedef enum enumeration_end {
  ENUMERATION_ALL,       /* there are no others */
  ENUMERATION_UNBOUNDED, /* `blame` has no bound, or too many values */
  ENUMERATION_TOO_MANY,  /* the limit was reached */
  ENUMERATION_TOO_LARGE, /* values or constants beyond 64 bits */
  ENUMERATION_STOPPED,   /* by the visitor or the budget */
} enumeration_end;

typedef struct enumeration {
  enumeration_end end;
  variable blame;
  uint64_t found;
} enumeration;

typedef struct enumeration_limits {
  uint64_t all;  /* how many to visit if they can be counted, */
  uint64_t some; /* and if they cannot */
  uint64_t far;  /* of a variable with more values than this not all are tried; 0: as many as can be counted */
} enumeration_limits;

/* `values` in the order of the unknowns; false to stop. No solution comes twice. */
typedef bool enumeration_visitor(void *context, const int64_t *values);

/* Every variable of `condition` is among the unknowns or the knowns. Types of unknowns are respected. `s` (may be NULL)
 * is asked only if trying finds nothing; it outlives the enumerator. */
GIVE enumerator *enumerator_new(terms *ts, term condition, size_t count, const variable *unknowns, size_t known_count,
                                const variable *knowns, solver *s);
void enumerator_free(TAKE enumerator *e);
/* `known_values` in the order of the knowns. */
enumeration enumerator_run(enumerator *e, const int64_t *known_values, enumeration_limits limits, budget *b,
                           enumeration_visitor *visit, void *context);
/* What narrowing alone shows about unknown `i`, without any known value: true if both bounds are there. False also
 * if the condition cannot hold. */
bool enumerator_range(enumerator *e, size_t i, int64_t *low, int64_t *high);

#endif
