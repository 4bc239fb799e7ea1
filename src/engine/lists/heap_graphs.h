/* Graphs of heaps (model/heap_graph.h) as an abstract domain: Gulavani, Rajamani 2006, section 6.
 *
 * Graphs are kept apart by their *key*: which variables are null and which are equal. Graphs of one key can be merged
 * along a mapping of nodes, Delta in the paper: nodes of variables to each other, any other to one that is like it. */
#ifndef WHET_ENGINE_LISTS_HEAP_GRAPHS_H
#define WHET_ENGINE_LISTS_HEAP_GRAPHS_H

#include "model/heap_graph.h"

/* A heap command over indices of node variables. */
typedef struct heap_step {
  heap_kind kind;
  uint8_t target, source;
  uint8_t field; /* of pointers, or of data if HEAP_SET_DATA */
  uint8_t part;  /* HEAP_SET_DATA: the position that the field gets */
  uint64_t data; /* HEAP_NEW: the values that the node may have */
  const node_layout *layout;
  bool watches_lost;
  uint8_t lost; /* if so: the variable for what is lost (model/heap.h) */
} heap_step;

typedef enum heap_test_kind { HEAP_TEST_NULL, HEAP_TEST_SAME, HEAP_TEST_DATA } heap_test_kind;

typedef struct heap_test {
  heap_test_kind kind;
  uint8_t p, q;
  uint64_t values; /* HEAP_TEST_DATA */
  bool holds;
} heap_test;

typedef VECTOR(heap_graph) heap_graphs;

/* All variables are null. */
void heap_start(heap_graph *g, size_t variables, size_t fields);
/* Keeps the heaps in which the test comes out so; false if none is left. The value of null is 0. */
bool heap_restrict(heap_graph *g, const heap_test *t);
/* What the step makes of the heaps of `g`, if it has no fault: none, one or several graphs are added. False if
 * one would have too many nodes. */
bool heap_post(const heap_graph *g, const heap_step *s, heap_graphs *out);

/* What variables lead to (`reached`, model/heap_graph.h), in heap_reach.c. Adds what follows from what is there, and from
 * ways that lead to one single node. */
void heap_note_reach(heap_graph *g);
/* The step has made `after` of `before`, which is exact at what the step reads; nodes have kept their numbers. False if
 * no heap is left: it says of a variable's node that one leads to it that cannot. */
bool heap_follow_reach(const heap_graph *before, heap_graph *after, const heap_step *s);

/* Drops nodes that stand for nothing and those that no variable leads to, and numbers the others; false if it has no heap.
 */
bool heap_settle(heap_graph *g);

bool heap_same_key(const heap_graph *a, const heap_graph *b);
/* There is a mapping of `a` into `b` that shows that every heap of `a` is one of `b`'s. */
bool heap_within(const heap_graph *a, const heap_graph *b);

/* Adds graphs that have every heap that both have, each of which is within both (heap_meet.c). False if there would be
 * too many, or too many nodes. */
bool heap_meet(const heap_graph *a, const heap_graph *b, heap_graphs *out);

typedef enum heap_merging {
  HEAP_JOIN,    /* a node that is like none becomes another one of the result */
  HEAP_WIDEN,   /* the result has the nodes of `a`, and one summary more only if those are all named */
  HEAP_BY_DATA, /* as widening, but one node without a name for each data that nodes have */
} heap_merging;

/* `a`, of the same key, comes to have the heaps of `b` as well. */
void heap_merge(heap_graph *a, const heap_graph *b, heap_merging how);
/* What widening makes of a graph whose key is new: all nodes without a name become one summary, or one for each data.
 */
void heap_fold(heap_graph *g, heap_merging how);

#endif
