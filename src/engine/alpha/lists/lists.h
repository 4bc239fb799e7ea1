/* alpha on models with lists: concrete search, in which states are matched up to their control, their predicates over
 * numbers, and the shape of their heap (node_tests.h); refined from below.
 *
 * Each iteration searches concrete states, of which those with one abstraction are one. What it finds is real. Then it
 * is asked whether the graphs of what was visited are closed under steps (cover.h): if so, they are an inductive
 * invariant, which is claimed with its graphs and checked like that of any engine. If a bad state comes in, the way to
 * it begins in an abstract state that was visited, with a state that was not: predicates of that way's weakest
 * preconditions are added, and a node test that tells apart what is one node there. */
#ifndef WHET_ENGINE_ALPHA_LISTS_LISTS_H
#define WHET_ENGINE_ALPHA_LISTS_LISTS_H

#include "engine/alpha/alpha.h"
#include "engine/alpha/lists/node_tests.h"
#include "engine/lists/list_search.h"

typedef struct alpha_lists {
  engine_environment *env;
  const model *m;
  const property *property;
  terms *ts;
  kept_variables kept;
  predicates *predicates; /* over numbers; each counts everywhere */
  variable_vector nodes;
  node_tests tests;
  solver *solver;
  list_search *search;        /* of this iteration */
  VECTOR(heap_graph) graphs;  /* those that were met, each once */
  map *graph_index;           /* hash -> position in `graphs`, from 1; of equal hashes the first */
  VECTOR(uint32_t) same_hash; /* by graph: the next one, from 1; 0 is none */
  uint64_t iteration, queries, transitions_before;
  size_t reported;
} alpha_lists;

/* NULL, and *why set (it lives for ever), if the model or an option is not for it. */
GIVE alpha_lists *alpha_lists_new(engine_environment *env, const char **why);
void alpha_lists_free(TAKE alpha_lists *l);
/* The heap of a state, with all that is known of it. */
void alpha_lists_graph(const alpha_lists *l, const int64_t *words, heap_graph *g);
engine_status alpha_lists_step(alpha_lists *l, claim *out);

#endif
