/* Which literals can hold together over the integers, asked again and again and remembered.
 *
 * There is a stack of literals that hold together. Whether one more can join them is answered by a conflict found
 * before (literals that exclude each other), by a point found before where all of them hold, or else by the solver,
 * whose answer becomes a point or a conflict. Both stay true whatever the stack is, so that searches over the same
 * atoms get cheaper the more of them there are. */
#ifndef WHET_PREDICATE_CONSISTENCY_H
#define WHET_PREDICATE_CONSISTENCY_H

#include "solver/solver.h"

typedef struct consistency consistency;

/* Both outlive it. */
GIVE consistency *consistency_new(terms *ts, budget *b);
void consistency_free(TAKE consistency *c);
/* Holds from now on, with the types. Empties the stack and forgets what was found. */
void consistency_assume(consistency *c, term fact);

/* The number of an atom: any positive boolean term; the same one each time. */
uint32_t consistency_atom(consistency *c, term atom);
/* Whether the stack and the literal can hold together. */
answer consistency_can(consistency *c, uint32_t atom, bool value);
/* Puts it on the stack; there must have been no answer `no` about it. */
void consistency_push(consistency *c, uint32_t atom, bool value);
void consistency_pop(consistency *c, size_t count);

typedef struct consistency_statistics {
  uint64_t by_conflict, by_point, by_solver;
} consistency_statistics;
KEEP const consistency_statistics *consistency_statistics_of(const consistency *c);

#endif
