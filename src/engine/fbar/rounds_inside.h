/* What the files of the algorithms share. */
#ifndef WHET_ENGINE_FBAR_ROUNDS_INSIDE_H
#define WHET_ENGINE_FBAR_ROUNDS_INSIDE_H

#include "engine/fbar/rounds.h"

/* An update of M, for the invariant: line 7 has U', line 10 has M before it, V' and M after it. */
typedef struct m_update {
  bool is_line_10;
  bits before, reached, after;
} m_update;

/* The sets of the pseudo-code that live from round to round. P and Q are X and Y of the half against the steps. */
enum value { VALUE_M, VALUE_U, VALUE_V, VALUE_X, VALUE_Y, VALUE_P, VALUE_Q, VALUE_Z, VALUE_INVARIANT, VALUES };

struct rounds {
  method how;
  partition *p;
  observer observer;
  bits values[VALUES];
  VECTOR(m_update) updates;
  points *wave;      /* what reaches the bad states in so many steps; NULL if it is not asked for, or grows no more */
  size_t wave_steps; /* taken in the last round */
  bool has_changed;  /* in this round */
  rounds_statistics statistics;
};

void rounds_report(const rounds *r, int line, const char *name, const bits *value);
/* Refines by the set, which all values and `pending` (may be NULL) then follow; the cut is used up. The value `becomes`
 * is then that set: VALUES if none is to. */
void rounds_refine(rounds *r, TAKE cut *by, enum value becomes, cut *pending);

void cgr_start(rounds *r);
round_end cgr_next(rounds *r);
void fbar_start(rounds *r);
round_end fbar_next(rounds *r);
/* The invariant of the system from one that holds within M: the updates of M undone, last one first. */
GIVE bits fbar_invariant(const rounds *r);

#endif
