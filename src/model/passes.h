/* Making a model smaller for one property, with the way back for what is found out about the smaller one.
 *
 *   fold    variables that keep one known value become constants; guards are simplified; transitions that cannot be
 *           taken go
 *   slice   variables that neither a guard, a fault nor the property needs go
 * Models made here share the terms of the first, so formulas need no translation: an invariant of the small model
 * becomes one of the large model by adding `passes_facts`. */
#ifndef WHET_MODEL_PASSES_H
#define WHET_MODEL_PASSES_H

#include "base/budget.h"
#include "model/trace.h"

typedef struct passes passes;

/* `m` outlives the result. A pass that is not done when `b` (NULL: no limits) is spent is left out, and all that follow.
 */
GIVE passes *passes_run(const model *m, size_t property, budget *b);
/* Leaves the model as it is. */
GIVE passes *passes_none(const model *m, size_t property);
void passes_free(TAKE passes *p);

KEEP model *passes_model(passes *p);     /* the smallest */
size_t passes_property(const passes *p); /* the property's index there */
/* What holds in every reachable state of the first model and was used to make it smaller: conjoin it to an invariant.
 */
term passes_facts(const passes *p);
/* Formulas that hold in every reachable state of the first model, said about the small one: those that it has all
 * variables of, appended. */
void passes_keep_facts(const passes *p, const term_vector *facts, term_vector *out);
/* A run of the small model as one of the first. */
void passes_trace_back(const passes *p, trace *t);
/* A transition of the small model, in the first. */
uint32_t passes_transition_back(const passes *p, uint32_t transition);

#endif
