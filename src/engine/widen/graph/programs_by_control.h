/* The model as a program, once for each choice of control that a lane asks for. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_PROGRAMS_BY_CONTROL_H
#define WHET_ENGINE_WIDEN_GRAPH_PROGRAMS_BY_CONTROL_H

#include "engine/engine.h"
#include "engine/widen/graph/program.h"

typedef struct programs {
  engine_environment *env;
  polyhedra *space;
  const term *bad; /* NULL: nothing is, the whole behaviour is asked for */
  bool over_integers;
  program *made[CONTROL_CHOICES];
  const char *failure[CONTROL_CHOICES];
} programs;

/* Makes it if there is none yet. NULL, or why there is none. Control that is too large is given up for places
 * alone. */
KEEP const char *programs_prepare(programs *all, control_choice choice);
KEEP program *programs_get(const programs *all, control_choice choice);
/* Steps are over the integers from now on. False if that cannot be had with this much work, or, unless it `must` be,
 * if divisibility says nothing. */
bool programs_go_over_integers(programs *all, bool must, uint64_t work);
void programs_clear(programs *all); /* what it holds */

#endif
