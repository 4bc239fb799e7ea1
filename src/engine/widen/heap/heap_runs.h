/* The abstract domain of a program with lists: at each cut point a set of pairs of a graph of the heap
 * (engine/lists/heap_graphs.h) and a polyhedron of the numbers.
 *
 * Joins keep all pairs apart. Widening makes one graph of those with the same key, and widens the polyhedra that go
 * with that key as a powerset. There are no pre-images. */
#ifndef WHET_ENGINE_WIDEN_HEAP_HEAP_RUNS_H
#define WHET_ENGINE_WIDEN_HEAP_HEAP_RUNS_H

#include "engine/lists/heap_graphs.h"
#include "engine/widen/numeric.h"

typedef struct heap_part {
  heap_graph graph;
  polyhedron *numbers; /* owned */
} heap_part;

typedef VECTOR(heap_part) heap_parts;

typedef struct heap_domain heap_domain;

/* `n` is the domain of the numbers alone, whose widening is used; it outlives this one. NULL, and *why set, if the
 * model has too many node variables. `by_data`: graphs with other data at their
 * variables are kept apart, and so are nodes with other data. Running out of `b` is a failure. */
GIVE heap_domain *heap_domain_new(const program *p, const numeric *n, bool by_data, budget *b, const char **why);
void heap_domain_free(TAKE heap_domain *h);
KEEP const domain *heap_domain_of(const heap_domain *h);
KEEP const variable_vector *heap_domain_variables(const heap_domain *h);

/* An element of this domain holds these. */
KEEP const heap_parts *element_parts(const element *e);
/* An element of one pair; takes `numbers`. */
GIVE element *heap_element(heap_domain *h, const heap_graph *g, TAKE polyhedron *numbers);

/* Does this error path lead from the element to an error? */
bool heap_errs_along(heap_domain *h, uint32_t bad_path, const element *e);
/* Adds what one edge of the graph makes of a pair, unless `out` has it already. */
void heap_step_edge(heap_domain *h, uint32_t edge, const heap_part *from, heap_parts *out);
/* The initial states of this number, at their location. */
void heap_first_states(heap_domain *h, uint32_t initial, heap_parts *out);
/* Pairs that are within another go. True if `more`, which is taken, stays. */
bool heap_parts_add(heap_parts *all, TAKE heap_part *more);
void heap_parts_clear(heap_parts *all);

#endif
