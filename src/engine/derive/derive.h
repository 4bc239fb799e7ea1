/* The inside of the engine `derive`: ground facts that follow from clauses, and how. */
#ifndef WHET_ENGINE_DERIVE_DERIVE_H
#define WHET_ENGINE_DERIVE_DERIVE_H

#include "engine/engine.h"
#include "engine/facts.h"
#include "proof/replay/clause_plan.h"

/* A clause, and a fact for each atom of its body, that may derive more than was asked for so far. */
typedef struct open_instance {
  uint32_t clause;
  index_vector premises;
  term_vector excluded; /* formulas: the heads that it has derived */
  bool avoids_zero;     /* only values with which nothing is divided by 0: others are no derivation in SMT-LIB */
} open_instance;

typedef struct derive {
  engine_environment *env;
  terms *ts;
  bool is_as_read;    /* of programs, whose clauses are about single steps */
  const clauses *all; /* rewritten, if there are such and not as read */
  ground_facts known;
  bool has_begun;
  size_t looked_at; /* facts whose consequences are known */
  VECTOR(open_instance) open;
  VECTOR(clause_plan *) plans; /* by clause; NULL before it was needed */
  VECTOR(bool) is_whole;       /* by clause: its plan gives every variable */
  solver *solver;
  const char *unsure;       /* the last reason why an instance is not known */
  number_vector assignment; /* by variable, inside a search for instances */
  VECTOR(bool) is_bound;    /* by variable: has a value there */
} derive;

/* All instances of the clause whose atom `atom` is the fact, others being this one or earlier ones; of a clause without
 * body, all (`fact` is NO_FACT). */
void instances_with(derive *d, uint32_t clause, size_t atom, uint32_t fact);
/* Some more heads of an instance that was left open. True if there may be still more. */
bool instances_more(derive *d, open_instance *o);
void open_instance_clear(open_instance *o);

#endif
