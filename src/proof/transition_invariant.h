/* What must be shown of a transition invariant (evidence.h), for the checker and for certificates: formulas that nothing may satisfy.
 *
 * An earlier state, with `cut`, and a later one are related if the formula of a relation holds of them and, if the later one has `cut` too, the
 * measure of the relation was at least 0 in the earlier one and is less in the later one. While the promise is open
 * - each step from a state with `cut` relates that to the one after it, and if an earlier state is related to the one before a step, so it
 *   is to the one after it: each state with `cut` is related to every later one;
 * - each step to a state without `cut` makes `between` fall from at least 0: a run without end has infinitely many states with `cut`.
 * If a run had the promise open for ever, by Ramsey's theorem there would be infinitely many states with `cut` any two of which are in the
 * same relation, whose measure falls from each of them to the next, from at least 0: there is no such run (Podelski, Rybalchenko:
 * Transition Invariants, LICS 2004). Fairness is not needed. */
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
 * with it to one that is not related. Over states and inputs. */
term transition_invariant_not_begun(const transition_invariant *i, const transition *t);
/* An earlier state with the invariant, which is given with the types, in the region and with `cut`, is in this relation to the one before
 * `t`, but not related to the one after it. Over earlier states, states and inputs. */
term transition_invariant_not_kept(const transition_invariant *i, size_t relation, const transition *t, term invariant);

#endif
