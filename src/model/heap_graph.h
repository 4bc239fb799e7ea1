/* Sets of heaps as graphs: what the abstract domain computes with (engine/lists/heap_graphs.h), what evidence
 * lists (proof/evidence.h).
 *
 * A graph has a node for each thing that a variable points to, and others; node 0 is null. A heap is one of the graph's
 * if its nodes, those that a variable leads to, can be mapped to nodes of the graph so that
 *   - a variable that is null is at node 0; one that is not is at the node that its own is mapped to,
 *   - variables are at the same node exactly if they are equal, and nothing else is mapped to such a node,
 *   - the value of a node (term/heap/node_layout.h) is among the `data` of its image; if it was freed, that is NODE_FREED,
 *   - what pointer field f of a node leads to is mapped to one of its image's next[f],
 *   - no two are mapped to one node unless that is a *summary*, which the node of a variable never is,
 *   - field f of at most one node leads to it if bit f of `shared` of its image is not set,
 *   - if bit HEAP_BACK(f, g) of `back` of its image is set and its field f leads to a node, field g of that one leads
 *     back to it,
 *   - each variable of `reached` of its image leads to it, by any pointers. */
#ifndef WHET_MODEL_HEAP_GRAPH_H
#define WHET_MODEL_HEAP_GRAPH_H

#include "model/model.h"
#include "term/heap/node_layout.h"

enum { HEAP_MOST_NODES = 63, HEAP_MOST_VARIABLES = 32 };

typedef uint64_t node_set; /* bit n: node n; bit 0: null */
#define NODE(N) (UINT64_C(1) << (N))
#define HEAP_BACK(F, G) (1u << (NODE_MOST_POINTERS * (F) + (G)))

typedef struct heap_node {
  node_set next[NODE_MOST_POINTERS];
  uint64_t data;    /* NODE_VALUE of each */
  uint32_t reached; /* variables, by bits */
  uint16_t back;    /* HEAP_BACK of pairs of different fields */
  uint8_t shared;   /* by field */
  bool is_summary;
} heap_node;

typedef struct heap_graph {
  uint8_t variables, count;        /* nodes are 1 .. count */
  uint8_t fields;                  /* pointers of a node */
  uint8_t at[HEAP_MOST_VARIABLES]; /* by node variable: its node */
  heap_node nodes[HEAP_MOST_NODES + 1];
} heap_graph;

/* All bits of `back`; of `reached`. */
uint16_t heap_all_back(size_t fields);
uint32_t heap_all_reached(size_t variables);

/* The node variables of a model, in its order: `at` of a graph goes by it. NULL, or why there are too many. */
KEEP const char *heap_variables(const model *m, variable_vector *out);
/* Which of them `v` is. */
size_t heap_variable_index(const variable_vector *all, variable v);

/* The nodes that a variable is at. */
node_set heap_graph_named(const heap_graph *g);

/* The values of a node as people read them: `0 1`, `red 3`, `freed`. */
void heap_values_print(const node_layout *l, uint64_t data, const char *between, text *out);
/* `head -> a, p -> null; a [0] -> a, b; b* [01] -> null`: names of nodes in order; `*` is a summary, `+` is shared. With
 * several pointers, the name of each stands before its nodes: `a [red] next -> b prev -> null`. */
void heap_graph_print(const terms *ts, const variable_vector *variables, const heap_graph *g, text *out);

#endif
