/* Equal variables (van Eijk 2000, "Sequential equivalence checking based on structural similarities"): variables with one
 * value, pairs that are always equal, booleans that always differ, and conjuncts of guards that always hold. Candidates
 * are what holds in the states of a random walk. Those that a step breaks, from a state in which all of them hold, are
 * dropped until the rest is inductive. */
#ifndef WHET_RUN_CORRESPONDENCE_CORRESPONDENCE_H
#define WHET_RUN_CORRESPONDENCE_CORRESPONDENCE_H

#include "model/passes.h"
#include "process/worker.h"

/* What is found about `m`; nothing if the budget does not do, if a question stays open, and of a heap or reals. */
void correspondence_find(model *m, budget *b, known_invariants *out);
/* The same in a worker, within `limits` and at most `work` (0: no limit of the caller); `stop` (may be NULL) ends it. */
void correspondence_find_apart(model *m, uint64_t work, const worker_limits *limits, const atomic_bool *stop,
                               known_invariants *out);

#endif
