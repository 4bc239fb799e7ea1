/* A run that errs, from an error that no step of a fixpoint is to blame for. */
#ifndef WHET_ENGINE_WIDEN_HEAP_HEAP_TRACE_H
#define WHET_ENGINE_WIDEN_HEAP_HEAP_TRACE_H

#include "engine/widen/confirm.h"
#include "engine/widen/heap/heap_runs.h"
#include "engine/widen/refine.h"

/* As confirm.h has it, for programs with lists. `how` is the schedule of the run. */
confirmation heap_confirm(heap_domain *h, const program *p, const refinement *f, schedule how, const property *broken,
                          term bad, budget *b, evidence *out);

#endif
