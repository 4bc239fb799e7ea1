/* A finite set of states as a decision diagram.
 *
 * There is a level for each variable of a list; a node of a level has edges for ranges of that variable's values, each
 * to a node of the next level. Following a state's values from the root, one arrives at the end exactly if it is in
 * the set. Equal nodes are one, so that sets of millions of states with some structure are a few thousand nodes.
 * Variables not listed may have any value. */
#ifndef WHET_PROOF_DIAGRAM_H
#define WHET_PROOF_DIAGRAM_H

#include "term/term.h"

typedef struct diagram_edge {
  int64_t low, high;
  uint32_t child;
} diagram_edge;

typedef struct diagram_node {
  uint32_t level;
  uint32_t first, count; /* edges: ascending, disjoint */
} diagram_node;

#define DIAGRAM_END 0 /* the node after the last level; all others come after those that they lead to */

typedef struct diagram {
  variable_vector levels;
  VECTOR(diagram_node) nodes;
  VECTOR(diagram_edge) edges;
  bool is_empty;
  uint32_t root; /* if it is not empty */
} diagram;

GIVE diagram *diagram_new(size_t count, const variable *levels); /* empty */
void diagram_free(TAKE diagram *d);

/* Nodes with the same level and edges are one. `edges` are as in diagram_node. */
typedef struct diagram_builder diagram_builder;
GIVE diagram_builder *diagram_builder_new(KEEP diagram *d);
/* States in ascending order, none twice: REQUIREd. `values` in the order of the levels. */
void diagram_builder_add(diagram_builder *b, const int64_t *values);
void diagram_builder_finish(TAKE diagram_builder *b);

bool diagram_has(const diagram *d, const int64_t *values);
/* The edge of node `n` for `value`, or NULL. */
KEEP const diagram_edge *diagram_follow(const diagram *d, uint32_t n, int64_t value);
/* How many states; UINT64_MAX stands for that and more. */
uint64_t diagram_count(const diagram *d);
/* `v` has a value of the edge. */
term diagram_edge_term(terms *ts, variable v, const diagram_edge *e);
/* The same set as a formula. */
term diagram_term(terms *ts, const diagram *d);
/* The diagram with more levels at the top: each of `vars` has its value. */
void diagram_add_constants(diagram *d, size_t count, const variable *vars, const int64_t *values);

typedef struct diagram_place {
  const int64_t *values; /* of the state */
  const uint32_t *path;  /* the nodes on its way: path[i] is of level i, path[levels] the end */
  size_t changed;        /* values before this one are those of the state visited before; 0 at first */
} diagram_place;

/* Every state in ascending order; false to stop. */
typedef bool diagram_visitor(void *context, const diagram_place *at);
bool diagram_visit(const diagram *d, diagram_visitor *visit, void *context);

#endif
