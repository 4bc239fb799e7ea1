/* The invariant of a program with lists that a run proved: graphs and formulas at every location of the model. */
#ifndef WHET_ENGINE_WIDEN_HEAP_HEAP_INVARIANT_H
#define WHET_ENGINE_WIDEN_HEAP_HEAP_INVARIANT_H

#include "engine/widen/fixpoint.h"
#include "engine/widen/heap/heap_runs.h"
#include "proof/evidence.h"

/* Cut points have what the run reached there; between them stands what single steps make of it. Ask the domain for its
 * failure afterwards. `lines` (may be NULL) gets it as text. */
void heap_invariant(heap_domain *h, const program *p, const run *r, evidence *out, text *lines);

#endif
