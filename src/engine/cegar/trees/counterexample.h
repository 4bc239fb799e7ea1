/* An abstract derivation of "false" as a tree of clauses: whether it is one of the clauses themselves, and if not, what
 * the abstraction has to know at its nodes. */
#ifndef WHET_ENGINE_CEGAR_TREES_COUNTEREXAMPLE_H
#define WHET_ENGINE_CEGAR_TREES_COUNTEREXAMPLE_H

#include "engine/cegar/trees/clause_abstraction.h"

#define NO_NODE UINT32_MAX

/* An instance of a clause, with variables of its own. */
typedef struct derivation_node {
  uint32_t clause;
  uint32_t parent;       /* NO_NODE of the root, which is first: a query */
  size_t atom;           /* of the parent's body: what this node derives */
  index_vector children; /* one for each atom of the body */
  variable_vector variables;
  substitution *to_own;  /* from the clause's variables */
  term_vector conjuncts; /* of the clause's constraint, over the clause's variables */
  /* By conjunct, and then that it derives the atom of its parent's body: used in the proof that there is no such
   * derivation. */
  VECTOR(bool) is_needed;
} derivation_node;

/* Variables of instances, to be used again by the next tree. */
typedef struct instance_variables {
  VECTOR(variable_vector) of_instance;
  size_t used;
} instance_variables;

typedef struct counterexample {
  clause_abstraction *a;
  VECTOR(derivation_node) nodes;        /* each after its parent */
  VECTOR(instance_variables) of_clause; /* by clause; stays from tree to tree */
  VECTOR(solver *) keepers;             /* by clause: has its constraint; NULL: not asked yet */
  uint64_t questions;
} counterexample;

void counterexample_open(counterexample *c, clause_abstraction *a);
void counterexample_close(counterexample *c);
/* The tree that derives `a->query`, in the place of the last one. False if it is too large. */
bool counterexample_unfold(counterexample *c);

/* Do values satisfy all of its clauses? Yes: `out` gets a derivation. No: conjuncts that are enough for that are needed. */
answer counterexample_check(counterexample *c, evidence *out);

/* Formulas over the variables of nodes. */
/* The needed conjuncts of a node's constraint, or all. */
term derivation_node_constraint(const counterexample *c, uint32_t node, bool only_needed);
/* That what a node derives is the atom of its parent's body; with `only_needed` true, if that is not needed. */
term derivation_node_link(const counterexample *c, uint32_t node, bool only_needed);

/* counterexample_refine.c: predicates that exclude the tree, added to the abstraction; how many, or 0 if none is found.
 * After `counterexample_check` said no. */
size_t counterexample_refine(counterexample *c);

#endif
