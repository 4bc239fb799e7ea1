/* Identical processes, counted instead of listed (E. A. Emerson, R. J. Treffler: From Asymmetry to Full Symmetry, CHARME 1999).
 *
 * Copies of a process with few local states (its place and its variables), whose index only tells them apart, are replaced by a counter for
 * each local state: how many of them are in it. Formulas that do not change when copies change places speak of counters then: that some copy
 * is critical is `#P.critical >= 1`, that two are is `#P.critical >= 2`. A step of any copy from one local state to another is one
 * transition, which moves 1 from one counter to the other.
 *
 * Nobody relies on the result being right: the checker of evidence proves that the model maps to it (proof/check/identical/). */
#ifndef WHET_MODEL_COUNTED_COUNTED_H
#define WHET_MODEL_COUNTED_COUNTED_H

#include "model/trace.h"

#define NO_LOCAL_STATE SIZE_MAX

/* What a transition of the counted model stands for. */
typedef struct counted_step {
  uint32_t orbit;  /* its transitions: `counter_model.orbits` */
  size_t from, to; /* local states of the copy that moves; NO_LOCAL_STATE if none does */
} counted_step;

typedef struct counter_model {
  const model *original;
  model *made;                /* over the same terms; the property is the only one. Owned. */
  const char *name;           /* of the process, without index */
  size_t copies, width;       /* how many there are; local variables of each, the place first */
  variable_vector locals;     /* of the first copy, then of the second and so on */
  VECTOR(number) values;      /* of each local state: `width` */
  variable_vector counters;   /* by local state */
  VECTOR(size_t) first;       /* local states in which copies may start */
  VECTOR(uint32_t) orbit_of;  /* transition of the original -> its orbit */
  VECTOR(uint32_t) mover;     /* .. -> the copy that moves, or NO_PROCESS */
  VECTOR(uint32_t) orbits;    /* the first transition of each */
  VECTOR(counted_step) steps; /* by transition of `made` */
} counter_model;

/* `m` outlives the result. NULL and `*why` (in words, not owned) if nothing can be counted. */
GIVE counter_model *counter_model_new(const model *m, size_t property, const char **why);
void counter_model_free(TAKE counter_model *c);
/* Copy `copy` is in that local state: over its variables. */
term counted_is_in(const counter_model *c, size_t copy, size_t local_state);
/* A run of `made` as one of the original, in place; `*loop` (NULL: none) is the state that its last one is again. False if it has many rounds
 * in one step, or copies are not in the same places again within few rounds of the loop. */
bool counted_trace_back(const counter_model *c, trace *t, size_t *loop);

#endif
