/* Weighted sums of the elements of a vector that no step makes larger: what a Petri net conserves, or only ever loses.
 *
 * From such a sum and its largest initial value comes a bound that holds in every state that can be reached. */
#ifndef WHET_ENGINE_FBAR_FLOWS_H
#define WHET_ENGINE_FBAR_FLOWS_H

#include "engine/fbar/upward.h"

typedef struct flows {
  size_t width;
  VECTOR(int64_t) weights; /* a row for each sum, none negative */
} flows;

/* The sums that are not made of others, as far as they are found with little work; some twice. */
GIVE flows flows_of_steps(size_t width, size_t count, const upward_step *steps);
void flows_clear(flows *f); /* what it holds */
static inline size_t flows_count(const flows *f) { return f->width ? f->weights.count / f->width : 0; }
static inline const int64_t *flows_at(const flows *f, size_t i) { return f->weights.at + i * f->width; }
/* The value of a sum; INT64_MAX if it is too large to matter. */
int64_t flow_sum(size_t width, const int64_t *weights, const int64_t *vector);

#endif
