/* Which nodes of a list are told apart when states are matched: the shape part of alpha's abstraction (section 7.3 of the
 * paper, which names it and reports elsewhere).
 *
 * Nodes that variables are at are always single. All others with the same outcome of these *node tests* become one node,
 * a summary if they are several. What is asked of a node:
 *   - whether it is shared, and which of its fields lead back (always),
 *   - its data,
 *   - whether a pointer field followed from a variable reaches it,
 *   - how far it is from the nearest variable's node, up to a bound. */
#ifndef WHET_ENGINE_ALPHA_LISTS_NODE_TESTS_H
#define WHET_ENGINE_ALPHA_LISTS_NODE_TESTS_H

#include "base/text.h"
#include "model/heap_graph.h"

enum { NODE_TESTS_FARTHEST = 12 };

typedef struct node_tests {
  bool data;
  uint8_t reached[HEAP_MOST_VARIABLES]; /* by variable: bits of pointer fields */
  uint8_t distance;                     /* 0: it is not asked */
} node_tests;

/* Makes one node of those with the same outcomes. Every heap of the graph is one of the result's. Graphs that differ in
 * the numbers of nodes only become the same, bytes included. */
void node_tests_abstract(const node_tests *t, heap_graph *g);
/* If both graphs have nodes with the same outcomes, those of variables alike: `g` comes to have the heaps of `more` too.
 * False if not. */
bool node_tests_merge(const node_tests *t, heap_graph *g, const heap_graph *more);
/* Adds the first test, in the order above, that tells two nodes of `g` apart that are one now. False if there is none. */
bool node_tests_refine(node_tests *t, const heap_graph *g);
/* What `now` asks that `before` did not: `p reaches`, as a list of texts (text_string) in JSON's words. */
void node_tests_print_last(const terms *ts, const variable_vector *variables, const node_tests *before,
                           const node_tests *now, text *out);

#endif
