/* Conditions with quantifiers as ways through a graph.
 *
 * An edge whose condition says `exists i` is taken for some i: an input. One whose condition says `forall i : l..h` is taken
 * if a loop from l to h comes to its end that goes on only if the formula holds for i. Inside of both the same again. So what
 * can be reached is exactly what could be before, whatever quantifiers stand inside each other; only a `forall i : int` that
 * must hold for an edge to be taken is refused.
 *
 * Every element that is read is of the type of the array's elements: nothing else says so of an array of which nothing is known. */
#ifndef WHET_INPUT_WHET_ARRAYS_RESOLVE_H
#define WHET_INPUT_WHET_ARRAYS_RESOLVE_H

#include "input/procedures/flow.h"
#include "input/whet/lower.h"

/* Afterwards no edge of the graph has a mark. With messages if something cannot be said. */
void arrays_resolve(lowering *l, flow_graph *g);

#endif
