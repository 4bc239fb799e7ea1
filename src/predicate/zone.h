/* Integer points given by bounds on differences of two variables: x - y <= c, x <= c, and x - y != c.
 *
 * Most atoms of protocols are of this kind, and emptiness is then a matter of shortest paths: a hundred times faster
 * than for sets in general. */
#ifndef WHET_PREDICATE_ZONE_H
#define WHET_PREDICATE_ZONE_H

#include "solver/solver.h"
#include "term/term.h"

enum { ZONE_VARIABLES = 24, ZONE_HOLES = 64 };

/* first - second (<= | = | !=) bound; 0 stands for the number zero, i + 1 for variable i. */
typedef struct zone_literal {
  enum { ZONE_AT_MOST, ZONE_EQUAL, ZONE_DIFFERENT } kind;
  uint8_t first, second;
  int64_t bound;
} zone_literal;

/* The literal over the given variables; false if it is of another kind or its constant is very large. */
bool zone_literal_of(const terms *ts, size_t count, const variable *variables, term literal, zone_literal *out);

typedef struct zone {
  uint8_t count; /* variables, and the zero */
  uint8_t holes;
  bool empty;
  int64_t bound[(ZONE_VARIABLES + 1) * (ZONE_VARIABLES + 1)]; /* rows of `count`; closed: the tightest that follow */
  zone_literal hole[ZONE_HOLES];                              /* ZONE_DIFFERENT */
} zone;

/* All points; REQUIREs at most ZONE_VARIABLES. */
void zone_start(zone *z, size_t variables);
/* Copies what is in use. */
void zone_copy(zone *to, const zone *from);
/* False if there is no room for one more `!=`; `z` is then too large. */
bool zone_add(zone *z, zone_literal l);
/* Says the same with fewer `!=`: those at a border move it, those outside are dropped. */
void zone_settle(zone *z);
/* Unsure if many `!=` made it too much work. */
answer zone_is_empty(const zone *z);

#endif
