/* Runs of a program with recursive procedures that come back to where they were, with the same values: at a place of the procedure, or at
 * its entry, in a call that was made on the way. From there they can go on so for ever. */
#ifndef WHET_ENGINE_EXPLICIT_CALL_LOOPS_H
#define WHET_ENGINE_EXPLICIT_CALL_LOOPS_H

#include "engine/facts.h"

/* A step from the place that one fact says to the place, or the entry of a procedure, that another one says. */
typedef struct call_edge {
  uint32_t from, to;
  derivation_step by;
} call_edge;

typedef struct call_loops {
  VECTOR(call_edge) edges;
  size_t look_at; /* how many edges there are when they are looked at next */
} call_loops;

void call_loops_clear(call_loops *l); /* what it holds */
void call_loops_add(call_loops *l, uint32_t from, uint32_t to, TAKE derivation_step by);
/* There are many more edges than at the last look. */
bool call_loops_wait(const call_loops *l);
/* Looks for edges that lead back to where they begin. Then the facts along them are appended to `known`, each derived from the one before,
 * and the result is the last of them: a copy of an earlier one. Else NO_FACT. */
uint32_t call_loops_find(call_loops *l, ground_facts *known);

#endif
