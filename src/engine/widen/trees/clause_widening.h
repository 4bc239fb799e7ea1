/* Abstract interpretation of Horn clauses, also of those of which there is no transition system because several predicates stand in a body,
 * with the same repairs as that of models. */
#ifndef WHET_ENGINE_WIDEN_TREES_CLAUSE_WIDENING_H
#define WHET_ENGINE_WIDEN_TREES_CLAUSE_WIDENING_H

#include "engine/engine.h"
#include "set/polyhedra.h"

typedef struct clause_widening clause_widening;

/* The model is of clauses; `env` outlives the result. */
GIVE clause_widening *clause_widening_new(engine_environment *env, widening how);
void clause_widening_free(TAKE clause_widening *w); /* may be NULL */
/* One run. Done: the claim says how it ended. */
engine_status clause_widening_step(clause_widening *w, claim *out);

#endif
