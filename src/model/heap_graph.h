/* Sets of heaps as graphs: what the abstract domain computes with (engine/widen/heap/heap_graphs.h), what evidence
 * lists (proof/evidence.h).
 *
 * A graph has a node for each thing that a variable points to, and others; node 0 is null. A heap is one of the graph's
 * if its nodes, those that a variable leads to, can be mapped to nodes of the graph so that
 *   - a variable that is null is at node 0; one that is not is at the node that its own is mapped to,
 *   - variables are at the same node exactly if they are equal, and nothing else is mapped to such a node,
 *   - the data of a node is among those of its image, and the next one of a node is mapped to one of its image's next,
 *   - no two are mapped to one node unless that is a *summary*, which the node of a variable never is,
 *   - a node is the next one of at most one other if its image is not `shared`. */
#ifndef WHET_MODEL_HEAP_GRAPH_H
#define WHET_MODEL_HEAP_GRAPH_H

#include "model/model.h"

enum { HEAP_MOST_NODES = 63, HEAP_MOST_VARIABLES = 32 };

typedef uint64_t node_set; /* bit n: node n; bit 0: null */
#define NODE(N) (UINT64_C(1) << (N))

enum { DATA_FALSE = 1, DATA_TRUE = 2, DATA_ANY = 3 };

typedef struct heap_node {
  node_set next;
  uint8_t data; /* DATA_* */
  bool is_summary, is_shared;
} heap_node;

typedef struct heap_graph {
  uint8_t variables, count;        /* nodes are 1 .. count */
  uint8_t at[HEAP_MOST_VARIABLES]; /* by node variable: its node */
  heap_node nodes[HEAP_MOST_NODES + 1];
} heap_graph;

/* The node variables of a model, in its order: `at` of a graph goes by it. NULL, or why there are too many. */
KEEP const char *heap_variables(const model *m, variable_vector *out);
/* Which of them `v` is. */
size_t heap_variable_index(const variable_vector *all, variable v);

/* The nodes that a variable is at. */
node_set heap_graph_named(const heap_graph *g);

/* `head -> a, p -> null; a [0] -> a, b; b* [01] -> null`: names of nodes in order; `*` is a summary, `+` is shared. */
void heap_graph_print(const terms *ts, const variable_vector *variables, const heap_graph *g, text *out);

#endif
