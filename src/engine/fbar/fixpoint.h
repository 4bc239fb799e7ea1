/* The abstract fixpoints of Ranzato, Rossi Doria, Tapparo 2008 over blocks, each in the way the steps go or against it.
 *
 * In a view against the steps, first and bad states change places, and so do predecessors and successors: what is said
 * below of `post` and Init is then about `pre` and Bad. Sets are over blocks; those called `within`, `m`, `x` and `y`
 * are sets of the domain. Every fixpoint ends, since there are finitely many blocks. */
#ifndef WHET_ENGINE_FBAR_FIXPOINT_H
#define WHET_ENGINE_FBAR_FIXPOINT_H

#include "engine/fbar/partition.h"

typedef struct view {
  partition *p;
  bool against;
} view;

static inline view view_turned(view v) { return (view){v.p, !v.against}; }
static inline const bits *view_first(view v) { return v.against ? partition_last(v.p) : partition_first(v.p); }
static inline const bits *view_last(view v) { return v.against ? partition_first(v.p) : partition_last(v.p); }

/* mu(within and (Init or post(z))); `out` is of the right size. */
void fixpoint_image(view v, const bits *within, const bits *z, bits *out);
/* lfp Z. mu(within and (Init or post(Z))) */
void fixpoint_reach(view v, const bits *within, bits *out);
/* gfp Z. mu(x and pre~_m(Z)) */
void fixpoint_stay(view v, const bits *m, const bits *x, bits *out);
/* lfp Z. under(y or pre_m(Z)) */
void fixpoint_must(view v, const bits *m, const bits *y, bits *out);
/* x and pre~_m(x). False if that is x itself. */
bool fixpoint_cut(view v, const bits *m, const bits *x, GIVE cut *out);

#endif
