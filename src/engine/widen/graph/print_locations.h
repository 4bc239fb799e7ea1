/* What holds at each location, as lines for people and as lemmas for engines. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_PRINT_LOCATIONS_H
#define WHET_ENGINE_WIDEN_GRAPH_PRINT_LOCATIONS_H

#include "engine/widen/graph/graph.h"

/* `formulas` by location: `false` if it is not reached. A line for each location that is, `place => formula`. */
void locations_print(const graph *g, const term *formulas, text *lines);
/* What all together says as much as the formulas do: also which locations there are. */
void locations_lemmas(const graph *g, const term *formulas, term_vector *lemmas);

#endif
