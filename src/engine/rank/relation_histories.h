/* What transition invariants know of fairness (relate.h): that the run from an earlier state to the state now waited for a constraint. Such a
 * history is a predicate that is a variable of its own. */
#ifndef WHET_ENGINE_RANK_RELATION_HISTORIES_H
#define WHET_ENGINE_RANK_RELATION_HISTORIES_H

#include "base/bits.h"
#include "engine/rank/help.h"

/* More constraints are not waited for. */
enum { MOST_WAITED_FOR = 3 };

typedef struct relation_history {
  uint32_t fairness;
  bool was_possible; /* proof/evidence.h */
  variable waits;
  uint32_t predicate; /* its position among those of relation_predicates.h */
} relation_history;

/* Of a strong constraint two one after the other: that it was not taken, and that it was possible too. */
typedef VECTOR(relation_history) relation_histories;

void relation_histories_open(const model *m, relation_histories *out);
/* That it is still waited for after the transition, over what was waited for before it, and the state. */
term relation_history_after(const model *m, const relation_histories *all, size_t which, const transition *t);
/* Before the first step all is waited for that need not have been possible. */
term relation_histories_first(const model *m, const relation_histories *all);
/* Of what is known of two states: a constraint that was possible is waited for, so that no measure needs to fall. */
bool relation_histories_are_unfair(const relation_histories *all, const bits *known);
bool relation_histories_have(const relation_histories *all, uint32_t predicate);
/* The same histories are known. */
bool relation_histories_agree(const relation_histories *all, const bits *known, const bits *other);
void relation_histories_write(const relation_histories *all, const bits *known, uint32_t relation, evidence *e);
/* Each transition, in each combination of which of the constraints are possible. */
void relation_histories_cases(const model *m, const relation_histories *all, transition_cases *out);

#endif
