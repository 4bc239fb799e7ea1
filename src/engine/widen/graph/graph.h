/* A model as a graph: a location for each combination of values that control can have, an edge for each case of a
 * transition.
 *
 * Control is kept explicit (Gulavani, Rajamani 2006, section 5): places of processes; if it stays small also
 * booleans, enumerations, and integers that are only ever set to constants. The other variables are dimensions of
 * polyhedra, but for those of nodes: steps only say which tests of the heap they need. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_GRAPH_H
#define WHET_ENGINE_WIDEN_GRAPH_GRAPH_H

#include "base/budget.h"
#include "engine/widen/graph/cases.h"
#include "model/trace.h"

typedef struct location {
  number *values; /* of the control variables */
  bool matters;   /* a bad state may be ahead */
} location;

typedef struct graph_edge {
  uint32_t from, to;
  uint32_t transition;
  uint8_t part; /* what its heap command writes, if that is p.data := E: a position (term/heap/node_layout.h) */
  linear_case step;
} graph_edge;

/* Initial states, and bad ones, at a location. */
typedef struct graph_states {
  uint32_t at;
  linear_case states;
} graph_states;

typedef enum control_choice {
  CONTROL_FINITE, /* all that is finite and acts as control */
  CONTROL_PLACES, /* places of processes only */
  CONTROL_STEPS,  /* as CONTROL_FINITE, and the step that came last */
  CONTROL_CHOICES,
} control_choice;

/* Invariant: the edges are sorted by where they start, then by transition, and `first_edge` says where those of each
 * location begin; edges, initial and bad states name locations and transitions that are there; a location with bad
 * states, or with an edge to one that matters, matters. */
typedef struct graph {
  case_frame frame;
  variable_vector control;
  VECTOR(location) locations; /* in the order they are reached in */
  VECTOR(graph_edge) edges;   /* by `from`, then by transition */
  VECTOR(size_t) first_edge;  /* by location, and one more */
  VECTOR(graph_states) initial, bad;
} graph;

/* `bad` is over states, and over inputs of which some value will do; if there is none, every location matters. NULL,
 * and *why set, if it cannot be done. */
GIVE graph *graph_new(const model *m, const term *bad, control_choice choice, polyhedra *s, budget *b,
                      const char **why);
/* The same, with a copy of each location for each edge that leads to it, and one for initial states. NULL if that is
 * too large. */
GIVE graph *graph_split_by_step(const graph *g);
/* With only those variables as dimensions that are `kept`, by position: the others have any value of their type at any
 * time. */
GIVE graph *graph_new_over(const model *m, const term *bad, const bool *kept, control_choice choice, polyhedra *s,
                           budget *b, const char **why);
void graph_free(TAKE graph *g);
/* NULL, or what is broken of the invariant (base/instruments/check.h). */
KEEP const char *graph_check(const graph *g);
/* Control has the values of this location. */
term location_term(const graph *g, uint32_t at);

#endif
