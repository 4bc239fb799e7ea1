/* Which state was found from which, in two bits a state.
 *
 * A breadth-first search takes states in the order of their numbers and numbers what it finds in that order too, so the
 * finders of 0, 1, 2, .. never go back. The record is one string of bits: a 1 for each state found, a 0 after the last
 * one that a state found. The initial states come before the first 0. */
#ifndef WHET_ENGINE_EXPLICIT_LINEAGE_H
#define WHET_ENGINE_EXPLICIT_LINEAGE_H

#include "base/vector.h"

typedef struct lineage {
  VECTOR(uint64_t) words;
  uint64_t bits;
} lineage;

void lineage_clear(lineage *l);
/* The next state has found `children` new ones; the first call is for the initial states. */
void lineage_add(lineage *l, uint64_t children);
/* The states on the way from an initial one to state `last`, both included. */
typedef VECTOR(uint64_t) state_path;
void lineage_path(const lineage *l, uint64_t last, state_path *out);

#endif
