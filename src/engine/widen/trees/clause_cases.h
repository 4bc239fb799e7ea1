/* Clauses as cases of linear constraints over the arguments of their atoms.
 *
 * Each atom of a clause is a block of dimensions, one for each argument: block 0 is the head, block i + 1 is atom i of the body. An
 * argument that is a variable is its own dimension, in all atoms that have it; another one gets a new variable. */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_CASES_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_CASES_H

#include "engine/engine.h"
#include "engine/widen/graph/cases.h"
#include "engine/widen/trees/clause_split.h"

typedef VECTOR(size_t) dimension_vector;

typedef struct clause_steps {
  case_frame frame;
  VECTOR(dimension_vector) blocks; /* dimensions of the frame, none twice in a block */
  VECTOR(polyhedron *) cases;      /* over the frame's dimensions, then the case's own */
  clause_split *split;             /* has the cases that are not found yet; NULL: there are none */
  bool keeps_locals;               /* cases have dimensions of their own */
} clause_steps;

/* All clauses that matter for a property, as cases; and its predicates. "False" counts as one more predicate, without parameters. */
typedef struct clause_system {
  engine_environment *env;
  terms *ts;
  const clauses *all;
  polyhedra *space;
  VECTOR(bool) matters;         /* by predicate: what derives "false" depends on it */
  VECTOR(clause_steps) steps;   /* by clause; without blocks if it does not matter */
  VECTOR(case_frame) arguments; /* by predicate: its parameters */
} clause_system;

/* `all` are the clauses of the model, as read or rewritten. Of clauses with many cases only some are found here. NULL, or why it cannot be done. */
KEEP const char *clause_system_open(clause_system *s, engine_environment *env, const clauses *all, polyhedra *space);
void clause_system_close(clause_system *s); /* what it holds */

static inline uint32_t clause_query(const clause_system *s) { return (uint32_t)s->all->predicates.count; }
static inline uint32_t clause_head_of(const clause_system *s, const clause *c) {
  return c->head == NO_PREDICATE ? clause_query(s) : c->head;
}
static inline size_t clause_dimension(const clause_system *s, uint32_t predicate) {
  return s->arguments.at[predicate].dimensions.count;
}
/* The clause derives something that matters. */
static inline bool clause_matters(const clause_system *s, uint32_t clause) { return s->steps.at[clause].blocks.count; }

/* Up to `most` further cases of a clause with instances that satisfy `among`, which is over the frame; fewer: there are no others.
 * NULL, or why it cannot be done. */
KEEP const char *clause_add_cases(clause_system *s, uint32_t clause, term among, size_t most, size_t *added);

/* What `part` says of a block's arguments is added to `whole`, which is over the frame's dimensions and more. */
void clause_restrict(polyhedron *whole, const dimension_vector *block, const polyhedron *part);

#endif
