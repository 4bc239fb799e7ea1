/* A model ready for the fixpoint: cut points, and the paths between them as steps on polyhedra. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_PROGRAM_H
#define WHET_ENGINE_WIDEN_GRAPH_PROGRAM_H

#include "engine/widen/domain.h"
#include "engine/widen/graph/graph.h"
#include "set/grids.h"
#include "set/powerset.h"

/* A step with its updates in an order in which they may be done one after the other. */
typedef struct ordered_step {
  size_t locals;
  const row_vector *rows; /* of the case */
  row_vector saved;       /* old values that are needed after they are overwritten, in locals of their own */
  VECTOR(row_update) updates;
} ordered_step;

typedef struct program_path {
  uint32_t start; /* of a path from the entry: which initial states; NO_STATES elsewhere */
  VECTOR(uint32_t) edges;
  uint32_t bad; /* of an error path: which bad states; NO_STATES elsewhere */
} program_path;

#define NO_STATES UINT32_MAX

typedef struct program {
  graph *graph;
  cut_graph cuts;
  VECTOR(uint32_t) location_of;   /* by head; meaningless for the entry */
  VECTOR(program_path) paths;     /* as cuts.paths */
  VECTOR(program_path) bad_paths; /* in the order of the heads they start from */
  VECTOR(uint32_t) bad_from;      /* by bad path: its head */
  VECTOR(ordered_step) steps;     /* by edge */
  row_vector types;
  grid **grids;       /* by location, once they were asked for (congruences.h) */
  bool over_integers; /* steps are, by the grids */
} program;

GIVE program *program_new(TAKE graph *g);
void program_free(TAKE program *p);
/* One edge forwards and backwards; the polyhedron is over the frame before and after. */
void program_step(const program *p, uint32_t edge, polyhedron *at);
void program_step_back(const program *p, uint32_t edge, polyhedron *at);
/* Intersection with initial or bad states, or others, of a location. */
void program_restrict(const program *p, uint32_t location, const linear_case *states, polyhedron *at);

#endif
