/* An error that is real over the rationals, looked for over the integers: the paths that led to it, followed forwards
 * with the solver. */
#ifndef WHET_ENGINE_WIDEN_CONFIRM_H
#define WHET_ENGINE_WIDEN_CONFIRM_H

#include "engine/widen/graph/program.h"
#include "engine/widen/refine.h"
#include "proof/evidence.h"
#include "solver/solver.h"

typedef enum confirmation {
  CONFIRM_TRACE,  /* a run of the model, in *out */
  CONFIRM_NONE,   /* there is no such run of integers */
  CONFIRM_UNSURE, /* the solver does not know, or there are too many ways */
} confirmation;

/* `bad` and `kind` are those of the property; `f` is REFINE_REAL. */
confirmation confirm(const program *p, const refinement *f, property_kind kind, term bad, budget *b, evidence *out);

#endif
