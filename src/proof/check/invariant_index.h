/* The parts of an invariant, prepared for the checker: what each fixes, its other conjuncts, and an index by fixed
 * values.
 *
 * Parts that fix the same variables form a group; a group is indexed by the values of any subset of its variables when
 * that subset is first asked for. So the parts that a step may lead to are found without looking at the others. */
#ifndef WHET_PROOF_CHECK_INVARIANT_INDEX_H
#define WHET_PROOF_CHECK_INVARIANT_INDEX_H

#include "proof/evidence.h"

typedef struct part {
  VECTOR(fixed_value) fixed; /* sorted by variable */
  term_vector conjuncts;     /* of the rest */
  bool is_empty;             /* plainly false: nothing to show, and nothing to reach */
} part;

typedef struct parts parts;

/* NULL and `*error` (owned by the caller) if a part is not a formula over state variables of `m`. */
GIVE parts *invariant_index_new(const model *m, const evidence *e, GIVE char **error);
void invariant_index_free(TAKE parts *p);
size_t invariant_index_count(const parts *p);
KEEP const part *invariant_index_at(const parts *p, size_t i);
/* Is variable `v` fixed in some part? */
bool invariant_index_fix(const parts *p, variable v);
/* The parts that do not contradict what is known, ascending: `known[v.x]` is the value of variable v, or
 * number_unknown. */
void invariant_index_matching(parts *p, const number *known, index_vector *out);

#endif
