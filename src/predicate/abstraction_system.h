/* An abstraction as the temporal checker wants it. */
#ifndef WHET_PREDICATE_ABSTRACTION_SYSTEM_H
#define WHET_PREDICATE_ABSTRACTION_SYSTEM_H

#include "predicate/abstraction.h"
#include "temporal/temporal.h"

typedef struct abstraction_system {
  finite_system
      system; /* without fairness at first; its actions are those of the abstracted system, in the same order */
  uint32_t *now, *next;
} abstraction_system;

/* Lives no longer than `a`, which is not implicit. */
GIVE abstraction_system *abstraction_system_new(abstraction *a);
void abstraction_system_free(TAKE abstraction_system *s);
/* The states where `t`, over control and predicates, holds. */
obdd abstraction_states(abstraction *a, term t);
/* States that stay as they are. */
obdd abstraction_staying(abstraction *a);
/* What holds in the state with these bits of the checker: the values of control, and the predicates. */
term abstraction_state_term(const abstraction *a, const bool *bits);
/* How many states a set has. */
double abstraction_count(const abstraction *a, obdd set);

#endif
