/* What divisibility says at each location: grids, found once, over which polyhedra are then tightened. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_CONGRUENCES_H
#define WHET_ENGINE_WIDEN_GRAPH_CONGRUENCES_H

#include "engine/widen/graph/program.h"

/* Computes p->grids if that was not done yet. True if some grid says more than that all are integers and what
 * equalities say. Ask for polyhedra_failure afterwards: if there is one, they mean nothing and are to be dropped. */
bool program_find_grids(program *p);
void program_drop_grids(program *p);
/* What the grid of a location says beyond `known` and beyond that all are integers. */
term congruences_term(const program *p, uint32_t at, const polyhedron *known);

#endif
