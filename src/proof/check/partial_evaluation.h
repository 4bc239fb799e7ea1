/* Partial evaluation: terms and transitions when some state variables have known values.
 *
 * Known values are given as an array: `known[v.x]` is the value of variable v, or number_unknown. What comes out is
 * remembered by the values that matter, so that thousands of parts that agree on them cost one substitution. */
#ifndef WHET_PROOF_CHECK_PARTIAL_EVALUATION_H
#define WHET_PROOF_CHECK_PARTIAL_EVALUATION_H

#include "model/model.h"
#include "proof/check/invariant_index.h"
#include "term/substitute.h"

/* One term. Only variables that some part fixes are ever looked at. `shared` is scratch that many may use. */
typedef struct partial partial;
GIVE partial *partial_evaluation_new(terms *ts, term t, const parts *fixing, substitution *shared);
void partial_evaluation_free(TAKE partial *p);
term partial_evaluation_value(partial *p, const number *known);

/* One transition. `move_enter` says from which values; the others are then about these. */
typedef struct move move;
GIVE move *move_new(const model *m, const transition *t, const parts *fixing, substitution *shared);
void move_free(TAKE move *v);
/* False if the known values alone make the guard false; the move is then not entered. */
bool move_enter(move *v, const number *known);
/* Guard and no fault, over unknown variables and inputs. */
term move_enabled(move *v);
/* `after` becomes `known` with the assignments done: unknown if the result is no constant. */
void move_known_after(move *v, number *after);
/* Takes the assignments back: `after` is as `known` again. */
void move_restore(move *v, number *after);
/* `t`, over state variables, after the assignments. */
term move_after(move *v, term t);

#endif
