/* Ground atoms that follow from Horn clauses, each once, and how each was derived: what engines report that count facts
 * out, as an interpretation that lists them or as a derivation. */
#ifndef WHET_ENGINE_FACTS_H
#define WHET_ENGINE_FACTS_H

#include "base/map.h"
#include "model/clauses.h"
#include "proof/evidence.h"

#define NO_FACT UINT32_MAX

/* A larger interpretation takes too long to check: edges of the diagrams that stand for sets of facts. */
enum { MOST_PARTS_OF_A_PROOF = 10000 };

/* A derived atom, or (of predicate NO_PREDICATE) a derived query. */
typedef struct fact {
  uint32_t predicate;
  number_vector values;
  derivation_step by; /* its premises are facts */
  uint32_t next;      /* with the same hash; or NO_FACT */
} fact;

typedef struct ground_facts {
  terms *ts;
  const clauses *of;
  VECTOR(fact) list;
  index_vector *of_predicate; /* by predicate: its facts */
  map *by_hash;
  uint32_t query; /* the fact that is a derived query; NO_FACT before */
} ground_facts;

void facts_open(ground_facts *all, terms *ts, const clauses *of);
void facts_close(ground_facts *all);

/* True if it is new. `by` is taken; `at` (may be NULL) is the number of the fact, new or not. */
bool facts_add(ground_facts *all, uint32_t predicate, const number_vector *values, TAKE derivation_step by,
               uint32_t *at);
/* Adds it, new or not; gives its number. */
uint32_t facts_append(ground_facts *all, uint32_t predicate, const number_vector *values, TAKE derivation_step by);
/* The facts as an interpretation; false if that is too large. */
bool facts_interpret(const ground_facts *all, evidence *e);
/* How fact `last` is derived. */
void facts_derive(const ground_facts *all, uint32_t last, evidence *e);

#endif
