/* Making a model smaller for one property, with the way back for what is found out about the smaller one.
 *
 *   fold    variables that keep one known value become constants; guards are simplified; transitions that cannot be
 *           taken go
 *   slice   variables that neither a guard, a fault nor the property needs go, and inputs that nothing reads
 *   merge   variables that were proved to have one value, or always that of another, go, and conjuncts of guards that
 *           were proved to hold in every reachable state
 * Models made here share the terms of the first, so formulas need no translation: an invariant of the small model
 * becomes one of the large model by adding `passes_facts`. */
#ifndef WHET_MODEL_PASSES_H
#define WHET_MODEL_PASSES_H

#include "base/budget.h"
#include "model/trace.h"

typedef struct passes passes;

/* The conjunct of a transition's guard that has this index in the order of `term_conjuncts`. */
typedef struct conjunct_place {
  uint32_t transition, conjunct;
} conjunct_place;

/* `m` outlives the result. A pass that is not done when `b` (NULL: no limits) is spent is left out, and all that follow.
 */
GIVE passes *passes_run(const model *m, size_t property, budget *b);
/* Leaves the model as it is. */
GIVE passes *passes_none(const model *m, size_t property);
void passes_free(TAKE passes *p);

/* Formulas about a model, proved to be inductive together. */
typedef struct known_invariants {
  term_vector formulas; /* x = c and x = y, of booleans also x, !x, x <=> y and x <=> !y, serve to merge variables */
  VECTOR(conjunct_place) redundant; /* hold in every state in which all of these do, whatever the inputs; sorted */
} known_invariants;

void known_invariants_clear(known_invariants *k); /* what it holds */
/* Makes the smallest model of `before`, which outlives the result, smaller by what is known of it: merge, fold, slice. */
GIVE passes *passes_use_invariants(passes *before, const known_invariants *known, budget *b);

KEEP model *passes_model(passes *p);     /* the smallest */
size_t passes_property(const passes *p); /* the property's index there */
/* What holds in every reachable state of the first model and was used to make it smaller: conjoin it to an invariant.
 */
term passes_facts(const passes *p);
/* Formulas that hold in every reachable state of the first model, said about the small one: those that it has all
 * variables of, appended. */
void passes_keep_facts(const passes *p, const term_vector *facts, term_vector *out);
/* A run of the small model as one of the first. False if one of its rounds does not do the same each time there. */
bool passes_trace_back(const passes *p, trace *t);
/* A transition of the small model, in the first; `inputs` (may be NULL) of it become inputs there. */
uint32_t passes_transition_back(const passes *p, uint32_t transition, number_vector *inputs);
/* No variable went, and each has after a step what it has in the first model. */
bool passes_keep_states(const passes *p);

#endif
