/* Concrete runs of Horn clauses: facts derived one from the other, with values that are chosen at random if the clauses
 * leave them open. The same seed gives the same runs.
 *
 * A run begins with a clause without body. Each next fact is derived from the one before it, with earlier facts for other
 * atoms of a body; queries are tried at every fact. A run computes: no solver is asked. */
#ifndef WHET_ENGINE_CLAUSE_WALK_H
#define WHET_ENGINE_CLAUSE_WALK_H

#include "base/budget.h"
#include "engine/facts.h"

typedef struct clause_walk clause_walk;

typedef enum walk_end {
  WALK_FOUND,   /* a query was derived: `clause_walk_facts(w)->query` */
  WALK_STUCK,   /* no clause was seen to derive more, or only what is known */
  WALK_LIMITED, /* there may be more steps */
} walk_end;

/* All of it outlives the walk. Queries are those of the property. */
GIVE clause_walk *clause_walk_new(terms *ts, const clauses *of, size_t property, budget *b);
void clause_walk_free(TAKE clause_walk *w);
/* One run of at most so many steps. Numbers that are chosen are mostly about as large as `size`. */
walk_end clause_walk_run(clause_walk *w, size_t size, uint64_t steps);
/* Whether, as far as the first run has seen, there is no other. */
bool clause_walk_is_only_one(const clause_walk *w);
/* What was derived, also by earlier runs, until it is forgotten. */
KEEP const ground_facts *clause_walk_facts(const clause_walk *w);
void clause_walk_forget(clause_walk *w);

#endif
