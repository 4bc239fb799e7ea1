/* Whether the abstract states that a search visited, with those that steps from them lead to, are closed and free of bad
 * ones. Steps of graphs are those of engine/lists/heap_graphs.h; where a graph leaves off, the solver lists what values of
 * control and predicates a step can lead to. */
#ifndef WHET_ENGINE_ALPHA_LISTS_COVER_H
#define WHET_ENGINE_ALPHA_LISTS_COVER_H

#include "engine/alpha/lists/lists.h"

#define NO_BLOCK UINT32_MAX

/* An abstract state. */
typedef struct cover_block {
  heap_graph graph;
  uint32_t from, by;   /* the block and transition that it was added for; NO_BLOCK if it was visited or is initial */
  uint32_t seen;       /* the state of the search that it is the abstraction of; NO_BLOCK if it was added */
  bool is_within;      /* another one: that stands for it */
  uint32_t same_value; /* the next one with the same control and predicates, from 1; 0 is none */
} cover_block;

typedef struct cover {
  alpha_lists *l;
  VECTOR(cover_block) blocks;
  VECTOR(int64_t) values; /* for each block: of variables by position, as far as they are kept; then of predicates */
  size_t width;           /* of those */
  map *by_value;          /* hash of them -> block, from 1 */
  uint32_t bad;           /* a block with a bad state, or NO_BLOCK */
  uint32_t bad_by;        /* PROPERTY_NO_FAULT: the transition with the fault */
  const char *stuck;      /* why there is no answer */
} cover;

GIVE cover *cover_new(alpha_lists *l);
void cover_free(TAKE cover *c);
/* Adds what steps lead to until nothing is added. `bad`, `stuck` or neither is then set: in the last case it is closed. */
void cover_close(cover *c);
/* How many blocks are left of all: others stand for the rest. */
uint64_t cover_count(const cover *c);
/* They as an invariant. */
void cover_evidence(const cover *c, evidence *out);

#endif
