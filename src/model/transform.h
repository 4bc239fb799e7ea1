/* Weakest precondition, precondition and the step relation as terms (Dijkstra; the engines rest on these). */
#ifndef WHET_MODEL_TRANSFORM_H
#define WHET_MODEL_TRANSFORM_H

#include "model/model.h"

/* `p` after the updates of `t`, read before them: p[e/x]. Over states and inputs of `t`. */
term transform_after(const model *m, const transition *t, term p);
/* enabled(t) => p[e/x]; its inputs are to be read "for all". */
term transform_wp(const model *m, const transition *t, term p);
/* enabled(t) and p[e/x]; its inputs are to be read "for some". */
term transform_pre(const model *m, const transition *t, term p);
/* The step as a relation: enabled(t) and x!next = e for every state variable. Over states, inputs and next states. */
term transform_relation(const model *m, const transition *t);
/* `p` with every state variable replaced by its next one. */
term transform_prime(const model *m, term p);

#endif
