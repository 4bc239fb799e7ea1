/* What clauses lead to what, as a graph of cut points (engine/widen/domain.h): a head for each predicate, a path for each clause.
 *
 * `directed` adds a head for the calls of each predicate: the arguments with which a derivation of "false" may need an atom of it (query-answer
 * transformation, as RAHFT has it). A clause then derives its head only if that is called, and calls each atom of its body once the ones
 * before it are derived.
 *
 * `by_clause` gives a predicate one head for each clause that derives it. */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_GRAPH_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_GRAPH_H

#include "engine/widen/domain.h"
#include "engine/widen/trees/clause_cases.h"

typedef struct graph_head {
  uint32_t predicate; /* meaningless for the entry */
  bool is_call;
} graph_head;

#define NO_BLOCK SIZE_MAX

/* A path: which block of the clause is its end, which are its sources (NO_BLOCK: the entry). */
typedef struct graph_rule {
  uint32_t clause;
  size_t target;
  dimension_vector sources;
} graph_rule;

typedef struct clause_graph {
  cut_graph cuts;
  VECTOR(graph_head) heads;
  VECTOR(graph_rule) rules; /* as cuts.paths */
  bool is_directed;
} clause_graph;

/* NULL, or why it cannot be made; `g` is then to be closed too. */
KEEP const char *clause_graph_open(clause_graph *g, const clause_system *s, bool directed, bool by_clause);
void clause_graph_close(clause_graph *g); /* what it holds */

#endif
