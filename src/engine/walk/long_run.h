/* One long run of clauses. Of it nothing is kept but the clauses and what was chosen, and its arrays are written in place: a step
 * takes less than a microsecond, mostly. Its clauses have at most one atom in their bodies; if others would be needed, it is stuck. */
#ifndef WHET_ENGINE_WALK_LONG_RUN_H
#define WHET_ENGINE_WALK_LONG_RUN_H

#include "engine/clause_walk.h"

typedef struct long_run long_run;

/* It chooses as the walk does, which outlives it. */
GIVE long_run *long_run_new(clause_walk *w);
void long_run_free(TAKE long_run *l);
/* Begins, or goes on, for so many steps; after WALK_STUCK the next call begins another one. Numbers that are chosen are mostly
 * about as large as `size`; if it `is_wide`, they are any that their bounds allow. WALK_FOUND: long_run_evidence has the run. */
walk_end long_run_go_on(long_run *l, size_t size, bool is_wide, uint64_t steps);
void long_run_evidence(const long_run *l, evidence *e);
/* Steps so far. */
uint64_t long_run_length(const long_run *l);
/* The walk has forgotten what it knew, and arrays with it. */
void long_run_forget_values(long_run *l);

#endif
