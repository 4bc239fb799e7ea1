/* What must be shown of a transition invariant (evidence.h), for the checker and for certificates: formulas that nothing may satisfy.
 *
 * An earlier state, with `cut`, and a later one are related if the formula of a relation holds of them and, if the later one has `cut` too, the
 * measure of the relation was at least 0 in the earlier one and is less in the later one. A relation may also say of fairness constraints
 * that the run from the earlier state to the later one waited for them (its `waits`): no step took the constraint, and
 * - of `fair strong`: it was possible before one of these steps, or, if not `was_possible`, nothing else;
 * - of others: it was possible before each of them.
 * Possible is: one of the actions can be taken; of `fair when e`: e is false. A relation with a wait that `was_possible` needs no measure that
 * falls. While the promise is open
 * - each step from a state with `cut` relates that to the one after it, and if an earlier state is related to the one before a step, so it
 *   is to the one after it, and what the relation says of waiting follows from the step and from what the relation before it says: so
 *   each state with `cut` is related to every later one, by a relation that says what is true of the steps between them;
 * - each step to a state without `cut` makes `between` fall from at least 0: a run without end has infinitely many states with `cut`.
 * If a run had the promise open for ever, by Ramsey's theorem there would be infinitely many states with `cut` any two of which are in the
 * same relation. Without a wait that `was_possible` its measure falls from each of them to the next, from at least 0: there is no such run
 * (Podelski, Rybalchenko: Transition Invariants, LICS 2004). With one, the runs from each of them to the next, which are together all of the
 * run but its beginning, never take the constraint, which is possible in all states, or, of a strong one, infinitely often: the run is not
 * fair (after Pnueli, Podelski, Rybalchenko: Separating Fairness and Well-Foundedness for the Analysis of Fair Discrete Systems, TACAS 2005). */
#ifndef WHET_PROOF_TRANSITION_INVARIANT_H
#define WHET_PROOF_TRANSITION_INVARIANT_H

#include "proof/ranking.h"

typedef struct transition_invariant {
  ranking base; /* what it has in common with a ranking: ranking_outside and ranking_stuck are to be shown too */
  variable_vector earlier; /* stand for the state variables, in the order of the model, in an earlier state */
} transition_invariant;

/* NULL, or why it says nothing about the property; there is then nothing to clear. */
KEEP const char *transition_invariant_open(const model *m, const property *p, const evidence *e,
                                           transition_invariant *out);
void transition_invariant_clear(transition_invariant *t);
/* In the region, as long as the promise is open: `t` leads out of it, to a state without `cut` though `between` does not fall, or from one
 * with it to one that is not related. Over states and inputs. If inputs of an action that is waited for are not eliminated exactly it says
 * more, and `*exact` becomes false. */
term transition_invariant_not_begun(const transition_invariant *i, const transition *t, bool *exact);
/* An earlier state with the invariant, which is given with the types, in the region and with `cut`, is in this relation to the one before
 * `t`, but not related to the one after it. Over earlier states, states and inputs. `exact` as above. */
term transition_invariant_not_kept(const transition_invariant *i, size_t relation, const transition *t, term invariant,
                                   bool *exact);

#endif
