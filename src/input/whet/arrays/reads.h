/* What is read from arrays is of the type of their elements. */
#ifndef WHET_INPUT_WHET_ARRAYS_READS_H
#define WHET_INPUT_WHET_ARRAYS_READS_H

#include "input/procedures/flow.h"

/* All elements that the edge reads are in their types; and arrays that it finds to be different differ at an index at which
 * both have elements of their type. */
term arrays_read_in_types(terms *ts, const flow_graph *g, const flow_edge *e);

#endif
