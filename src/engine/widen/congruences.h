/* What divisibility says at each location: grids, found once, over which polyhedra are then tightened. */
#ifndef WHET_ENGINE_WIDEN_CONGRUENCES_H
#define WHET_ENGINE_WIDEN_CONGRUENCES_H

#include "engine/widen/program.h"

/* Fills p->grids: steps are over the integers from then on. True where some grid says more than that all are integers and
 * what equalities say. Ask for polyhedra_failure afterwards: where there is one, the grids mean nothing. */
bool program_find_grids(program *p);
void program_drop_grids(program *p);
/* What the grid of a location says beyond `known` and beyond that all are integers; `true` where there are no grids. */
term congruences_term(const program *p, uint32_t at, const polyhedron *known);

#endif
