/* What steps do to graphs of heaps, for the checker: written from the meaning of graphs (model/heap_graph.h) alone, and
 * sharing nothing with the domain that engines compute with. There is no merging and no widening here. */
#ifndef WHET_PROOF_CHECK_HEAP_TRANSFER_H
#define WHET_PROOF_CHECK_HEAP_TRANSFER_H

#include "model/heap_graph.h"

/* A graph of which some nodes are gone: what the checker works on. */
typedef struct heap_shape {
  heap_graph graph; /* `count` is the highest number in use */
  node_set present;
} heap_shape;

typedef VECTOR(heap_shape) heap_shapes;

/* What of a model a graph is about. */
typedef struct heap_frame {
  const node_layout *layout;
  const variable_vector *variables; /* by index */
  bool frees;
  variable lost; /* if so: the variable for what is lost (model/heap.h) */
} heap_frame;

/* Whether `g`, as somebody gave it, is a graph of `variables` variables and such nodes: NULL, or what is wrong with it. */
KEEP const char *heap_graph_fault(const heap_graph *g, size_t variables, const node_layout *l);

heap_shape heap_shape_of(const heap_graph *g);
/* The shapes after the command with `value` for its value, if it has no fault. False if there are too many nodes. */
bool heap_transfer(const heap_shape *s, const heap_frame *frame, const heap_command *h, unsigned value,
                   heap_shapes *out);

typedef enum heap_cover { HEAP_COVERED, HEAP_NOT_COVERED, HEAP_COVER_UNSURE } heap_cover;
/* Is every heap of `s` one of `g`'s? */
heap_cover heap_covers(const heap_graph *g, const heap_shape *s);

#endif
