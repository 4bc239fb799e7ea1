/* The invariant that a run proved, at every location of the model. */
#ifndef WHET_ENGINE_WIDEN_INVARIANT_H
#define WHET_ENGINE_WIDEN_INVARIANT_H

#include "engine/widen/fixpoint.h"
#include "engine/widen/graph/program.h"
#include "proof/evidence.h"

/* Cut points have what the run reached there; between them stands what the steps make of it, so that each single step
 * preserves the whole. Locations from which no bad state can be reached have `true`. Ask for polyhedra_failure
 * afterwards. */
void invariant_of(const program *p, const run *r, evidence *out);
/* The same, made smaller by going round once or twice more, and as text: a line for each location that can be reached,
 * `place => formula`. */
void invariant_print(const program *p, const run *r, evidence *out, text *lines);
/* What the evidence says at each location, `false` if it is not reached. */
GIVE term *invariant_formulas(const program *p, const run *r);
/* That, as formulas which together say as much as the evidence. */
void invariant_lemmas(const program *p, const run *r, evidence *out, term_vector *lemmas);

#endif
