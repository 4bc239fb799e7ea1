/* What must be shown of a ranking (evidence.h), for the checker and for certificates: formulas that no state may satisfy in which the
 * invariant holds. */
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
/* In the region, as long as the promise is open: `t` leads out of it, or no measure falls. Over states and inputs. */
term ranking_not_falling(const ranking *r, const transition *t);
/* In the region, while the promise is open: no transition can be taken. An inexact one says less; `*exact` becomes false. */
term ranking_stuck(const ranking *r, bool *exact);
/* Of two values of the measures: one falls that was at least 0, and those before it do not grow. */
term ranking_falls(terms *ts, size_t count, const term *before, const term *after);

#endif
