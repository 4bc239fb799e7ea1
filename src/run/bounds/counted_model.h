/* A bound as a property of a model, and the evidence for it.
 *
 * The model counts how often the subject is taken. What the property trusts is that count and the bound, which is made of sums over the
 * initial state, as it is printed; whatever else was found out is evidence, which the checker need not believe. */
#ifndef WHET_RUN_BOUNDS_COUNTED_MODEL_H
#define WHET_RUN_BOUNDS_COUNTED_MODEL_H

#include "proof/evidence.h"
#include "run/bounds/bound_units.h"

typedef struct counted_model {
  model *m; /* its only property: the count is at most the bound */
  evidence evidence;
} counted_model;

/* `facts` are inductive on `f->m`. `of`: the units whose bounds are added up. */
void counted_model_make(const frozen_model *f, term facts, const bound_subject *subject, const bound_units *units,
                        const index_vector *of, counted_model *out);
void counted_model_clear(counted_model *c);
/* The bound, in the language of models. */
GIVE char *counted_model_bound(const frozen_model *f, const bound_units *units, const index_vector *of);
/* The inputs that it speaks of, as positions in `f->made`. */
void counted_model_inputs(const frozen_model *f, const bound_units *units, const index_vector *of, index_vector *out);

#endif
