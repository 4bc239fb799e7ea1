/* What the algorithms found, as evidence about the model. */
#ifndef WHET_ENGINE_FBAR_EVIDENCE_OF_H
#define WHET_ENGINE_FBAR_EVIDENCE_OF_H

#include "engine/fbar/partition.h"
#include "engine/fbar/problem.h"

/* invariant.c: the blocks as an invariant. False if they cannot be written as formulas. */
bool evidence_of_blocks(problem *p, const partition *blocks, const bits *which, evidence *out);
/* witness.c: a run from an initial to a bad state; NULL if one was found, else why not. */
KEEP const char *evidence_of_run(problem *p, evidence *out);

#endif
