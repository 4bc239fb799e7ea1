/* The inside of the engine `derive`: ground facts that follow from clauses, and how. */
#ifndef WHET_ENGINE_DERIVE_DERIVE_H
#define WHET_ENGINE_DERIVE_DERIVE_H

#include "base/map.h"
#include "engine/engine.h"
#include "proof/clause_plan.h"

#define NO_FACT UINT32_MAX

/* A derived atom, or (of predicate NO_PREDICATE) a derived query. */
typedef struct fact {
  uint32_t predicate;
  number_vector values;
  derivation_step by; /* its premises are facts */
  uint32_t next;      /* with the same hash; or NO_FACT */
} fact;

/* A clause, and a fact for each atom of its body, that may derive more than was asked for so far. */
typedef struct open_instance {
  uint32_t clause;
  index_vector premises;
  term_vector excluded; /* formulas: the heads that it has derived */
} open_instance;

typedef struct derive {
  engine_environment *env;
  terms *ts;
  bool is_as_read;    /* of programs, whose clauses are about single steps */
  const clauses *all; /* rewritten, if there are such and not as read */
  VECTOR(fact) facts;
  index_vector *of_predicate; /* by predicate: its facts */
  map *by_hash;
  bool has_begun;
  size_t looked_at; /* facts whose consequences are known */
  VECTOR(open_instance) open;
  VECTOR(clause_plan *) plans; /* by clause; NULL before it was needed */
  VECTOR(bool) is_whole;       /* by clause: its plan gives every variable */
  solver *solver;
  const char *unsure;       /* the last reason why an instance is not known */
  number_vector assignment; /* by variable, inside a search for instances */
  VECTOR(bool) is_bound;    /* by variable: has a value there */
  uint32_t query;           /* the fact that is a derived query; NO_FACT before */
} derive;

/* True if it is new. `by` is taken. */
bool facts_add(derive *d, uint32_t predicate, const number_vector *values, TAKE derivation_step by);
/* The facts of `e`, as an interpretation, or the derivation of the query. */
void facts_interpret(const derive *d, evidence *e);
void facts_derive(const derive *d, evidence *e);

/* All instances of the clause whose atom `atom` is the fact, others being this one or earlier ones; of a clause without
 * body, all (`fact` is NO_FACT). */
void instances_with(derive *d, uint32_t clause, size_t atom, uint32_t fact);
/* Some more heads of an instance that was left open. True if there may be still more. */
bool instances_more(derive *d, open_instance *o);
void open_instance_clear(open_instance *o);

#endif
