/* Predicate abstraction of Horn clauses, also with several atoms in a body: abstract facts and how they are derived.
 *
 * Here the unknowns of clauses are called relations, and predicates are formulas over a relation's parameters. An abstract
 * fact of a relation is a set of its predicates; it stands for all atoms of which they hold. A clause derives from
 * abstract facts, one for each atom of its body, the set of all predicates that hold of every head that it derives from
 * what they stand for (the Cartesian abstraction), if there is one. A fact with fewer predicates covers one with more.
 * Facts are found breadth first, until a query can be used or there are no new ones; what they stand for is then an
 * interpretation under which every clause holds.
 *
 * Predicates are never taken away. After new ones were added, facts are found anew; what is known about clauses stays. */
#ifndef WHET_ENGINE_CEGAR_TREES_CLAUSE_ABSTRACTION_H
#define WHET_ENGINE_CEGAR_TREES_CLAUSE_ABSTRACTION_H

#include "engine/clause_atoms.h"
#include "engine/engine.h"

typedef struct abstract_relation {
  term_vector predicates;       /* over the parameters, as they were found */
  VECTOR(number_vector) points; /* arguments of some atoms that can be derived */
  index_vector facts;           /* that are not covered */
} abstract_relation;

typedef struct abstract_fact {
  uint32_t relation;
  index_vector holds; /* numbers of predicates, ascending */
  uint32_t clause;    /* that derives it */
  index_vector premises;
  bool is_covered;
} abstract_fact;

typedef struct clause_post clause_post;

typedef struct clause_abstraction {
  engine_environment *env;
  terms *ts;
  const clauses *all;
  VECTOR(abstract_relation) relations;
  VECTOR(abstract_fact) facts;
  VECTOR(clause_post *) posts; /* by clause; NULL: not asked yet */
  size_t looked_at;            /* so many facts were used */
  bool has_begun;
  abstract_fact query; /* of "false", if it was derived: only clause and premises count */
  uint64_t checks, unsure, known;
  const char *trouble;
} clause_abstraction;

void clause_abstraction_open(clause_abstraction *a, engine_environment *env, const clauses *all);
void clause_abstraction_close(clause_abstraction *a);
/* Whether it is a new predicate of the relation, which then has it; true and false are none. */
bool clause_abstraction_add(clause_abstraction *a, uint32_t relation, term predicate);
size_t clause_abstraction_predicates(const clause_abstraction *a);
/* Forgets all facts. */
void clause_abstraction_restart(clause_abstraction *a);

typedef enum explore_end {
  EXPLORE_GOES_ON, /* one more fact was used */
  EXPLORE_CLOSED,  /* there are no new facts, and no query can be used */
  EXPLORE_QUERY,   /* one can: `query` */
  EXPLORE_TROUBLE, /* `trouble` says why */
} explore_end;
explore_end clause_abstraction_explore(clause_abstraction *a);
/* What all facts of a relation stand for. */
term clause_abstraction_formula(const clause_abstraction *a, uint32_t relation);

/* clause_post.c: what the clause derives from facts with these predicates, one list for each atom of the body: `out`
 * gets the numbers of the predicates of its head. No: nothing. */
answer clause_post_ask(clause_abstraction *a, uint32_t clause, const index_vector *const *body, index_vector *out);
void clause_post_free(TAKE clause_post *q); /* may be NULL */

#endif
