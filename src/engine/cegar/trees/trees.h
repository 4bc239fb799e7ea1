/* Counterexample-guided predicate abstraction of Horn clauses, also those of which there is no transition system because
 * several predicates stand in a body, and those with reals (after Hojjat et al. 2012 and Grebenshchikov et al. 2012,
 * with interpolants made of half-spaces). */
#ifndef WHET_ENGINE_CEGAR_TREES_TREES_H
#define WHET_ENGINE_CEGAR_TREES_TREES_H

#include "engine/engine.h"

typedef struct tree_refinement tree_refinement;

/* Whether the model is of clauses that are treated here. */
bool tree_refinement_treats(const model *m);
/* `env` outlives the result. */
GIVE tree_refinement *tree_refinement_new(engine_environment *env);
void tree_refinement_free(TAKE tree_refinement *t); /* may be NULL */
/* One abstract fact, or one refinement. Done: the claim says how it ended. */
engine_status tree_refinement_step(tree_refinement *t, claim *out);

#endif
