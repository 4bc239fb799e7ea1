/* What must be shown of a ranking (evidence.h), for the checker and for certificates: formulas that no state may satisfy in which the
 * invariant holds.
 *
 * At each step while the promise is open some measure, the one of the step, falls that was at least 0, or is helped; those before it in the
 * list are kept. A measure is kept if it does not grow; and it is helped if it does not grow, its fairness constraint is waited for (`helpful`)
 * before and after the step, is possible before it and not taken by it. Possible is: one of the actions can be taken; of `fair when e`:
 * e is false. A measure with a constraint is kept only if, too,
 * - of `fair strong`: if the constraint is waited for before the step, it is after it, and the step does not take it;
 * - of others: the constraint is not waited for before the step.
 *
 * Then no fair run has the promise open for ever. Let m be the first measure that is the one of infinitely many steps. From some time on it
 * does not grow, so it falls finitely often from at least 0, and then is helped infinitely often, and its constraint is waited for. From
 * then on it is never taken and infinitely often possible; if it is not a strong one, it is possible in every state, for m is the measure of
 * every step. Such a run is not fair. */
#ifndef WHET_PROOF_RANKING_H
#define WHET_PROOF_RANKING_H

#include "proof/evidence.h"

typedef struct ranking {
  const model *model;
  temporal_promise promise;
  const evidence *evidence;
} ranking;

/* NULL, or why a ranking says nothing about the property. */
KEEP const char *ranking_open(const model *m, const property *p, const evidence *e, ranking *out);
/* The promise is open, and the region does not hold. If it is not always made, of initial states only. */
term ranking_outside(const ranking *r);
/* In the region, as long as the promise is open: `t` leads out of it, or no measure falls or is helped. Over states and inputs. If inputs of
 * an action that is waited for are not eliminated exactly it says more, and `*exact` becomes false. */
term ranking_not_falling(const ranking *r, const transition *t, bool *exact);
/* In the region, while the promise is open: no transition can be taken, and to stay there is fair. An inexact one says more; `*exact` becomes
 * false. */
term ranking_stuck(const ranking *r, bool *exact);
/* In the region, and the promise is open. */
term ranking_in_region(const ranking *r);
/* `t` can be taken, and the promise is not kept after it. Over states and inputs. */
term ranking_goes_on(const ranking *r, const transition *t);
/* Of two values of the measures: one falls that was at least 0, and those before it do not grow. */
term ranking_falls(terms *ts, size_t count, const term *before, const term *after);

/* Of a fairness constraint: one of its actions can be taken, or its condition is false. Inexact: it says less. */
term ranking_possible(const model *m, const fairness *f, bool *exact);
bool ranking_takes(const model *m, const fairness *f, const transition *t);
/* The help for a measure; NULL if it has none. */
KEEP const ranking_help *ranking_help_for(const evidence *e, size_t measure);

#endif
