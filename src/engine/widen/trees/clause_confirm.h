/* Is a tree of clauses a derivation, over the numbers as they are? */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_CONFIRM_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_CONFIRM_H

#include "engine/widen/trees/clause_cases.h"

typedef struct tree_shape {
  uint32_t clause;
  index_vector premises; /* earlier ones, one for each atom of the body */
} tree_shape;
typedef VECTOR(tree_shape) tree_shapes;

/* The last one is of "false". Yes: `out` is the derivation. */
answer clause_confirm(clause_system *s, const tree_shapes *tree, evidence *out);

#endif
