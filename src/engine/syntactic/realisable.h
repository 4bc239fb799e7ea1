/* The assignments to a list of atoms that integers realise, as a decision diagram: for atoms that bound differences of
 * variables, found without enumerating them. */
#ifndef WHET_ENGINE_SYNTACTIC_REALISABLE_H
#define WHET_ENGINE_SYNTACTIC_REALISABLE_H

#include "predicate/allsat.h"

typedef struct realisable_node {
  uint32_t atom;    /* which one is decided here */
  uint32_t yes, no; /* nodes */
} realisable_node;

enum {
  REALISABLE_NONE = 0,
  REALISABLE_ALL = 1
}; /* the first two nodes: no assignment, every one of the atoms that follow */

typedef struct realisable {
  VECTOR(realisable_node)
  nodes; /* those that a node leads to come before it; atoms are met in one order, each on every way but to
            REALISABLE_NONE */
  VECTOR(uint32_t) order; /* of atoms */
  uint32_t root;
  bool exact; /* else there may be assignments that nothing realises */
} realisable;

/* The assignments to `atoms` that are realised while `context`, a conjunction of facts, holds and every variable is
 * within its type. False if it is too much work; `*reason` then says so. */
bool realisable_find(terms *ts, allsat *a, budget *b, size_t count, const term *atoms, term context, realisable *out,
                     const char **reason);
void realisable_clear(realisable *c); /* what it holds */
/* How many there are; the nearest double if they are very many. */
double realisable_count(const realisable *c);
/* As a formula over `bits`. */
term realisable_term(terms *ts, const realisable *c, const term *bits);

#endif
