/* Between which places of its process each transition leads. */
#ifndef WHET_RUN_BOUNDS_CONTROL_EDGES_H
#define WHET_RUN_BOUNDS_CONTROL_EDGES_H

#include "model/model.h"

typedef struct control_edge {
  uint32_t transition;
  uint32_t from, to; /* values of the location */
} control_edge;

/* The places of one process. */
typedef struct control_edges {
  VECTOR(control_edge) edges;
  uint32_t places;
  uint32_t first; /* where it is at first; NO_PLACE if that is not fixed */
  bool is_whole;  /* nothing else changes the place */
} control_edges;

#define NO_PLACE UINT32_MAX

void control_edges_find(const model *m, uint32_t process, control_edges *out);
void control_edges_clear(control_edges *g); /* what it holds */
/* `reached[place]` for each place to which edges lead from `from`, itself included, without passing `without` (NO_PLACE: none). */
void control_edges_reach(const control_edges *g, uint32_t from, uint32_t without, bool *reached);
/* The places from which edges lead to `to`, itself included, without passing `without`. */
void control_edges_reach_back(const control_edges *g, uint32_t to, uint32_t without, bool *reached);
/* The smallest loop that the edge is in: the places from which a way leads back to the loop's head, through which every way into it leads.
 * False if it is in none. */
bool control_edges_loop(const control_edges *g, const control_edge *edge, bool *inside);
/* The edge of the transition; NULL if it has none. */
KEEP const control_edge *control_edges_of(const control_edges *g, uint32_t transition);
/* The edge of the transition cannot be taken twice: nothing leads back to where it begins. NULL if it can, or there is none. */
KEEP const control_edge *control_edges_once(const control_edges *g, uint32_t transition);

#endif
