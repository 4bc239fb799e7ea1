/* Implications, answered as cheaply as they can be: free layers first, then a cache, then the solver.
 *
 *   folding     constants, a left side that contradicts itself
 *   same atom   the right side, or its negation, is on the left
 *   interval    bounds on the same linear form, from the left and from the types
 *   difference  bounds on differences x - y and on single variables, taken together
 *   cache       the same question was answered before
 *   witness     a counterexample that was found before, or guessed, and that evaluation confirms
 *   solver
 * (Pasareanu, Pelanek, Visser 2007, section 8, asks thousands of such questions; on its own examples none needs a
 * solver.)
 *
 * Every yes and every no is exact: a layer that cannot decide passes the question on. */
#ifndef WHET_SOLVER_PROVER_H
#define WHET_SOLVER_PROVER_H

#include "solver/solver.h"

typedef struct prover prover;

/* How many questions each layer answered; `unsure` counts questions that no layer could answer. A right side that is a
 * conjunction is one question for each of its parts, up to the first that is not implied. */
typedef struct prover_statistics {
  uint64_t questions, folding, same_atom, interval, difference, witness, cache, solver, unsure;
} prover_statistics;

/* `s` may be NULL: then what the free layers cannot decide is unsure. Between questions nothing is asserted in `s`, and
 * nobody else may leave anything asserted there. */
GIVE prover *prover_new(terms *ts, solver *s);
void prover_free(TAKE prover *p);
/* Facts that hold in every state (a proved invariant); they strengthen every left side from now on. The context is
 * forgotten. */
void prover_assume(prover *p, term fact);
/* The most that the solver may spend on one question; 0, as in the beginning, for no limit but the budget. */
void prover_set_seconds(prover *p, double seconds);

/* The left side of the questions that follow: any boolean terms, taken together with the types and the assumed facts.
 * `satisfiable`: the caller knows a state in which all of them hold; literals that share no variable with a question,
 * not even indirectly, are then left out of it. */
void prover_context(prover *p, size_t count, const term *literals, bool satisfiable);
/* Does the left side imply `right`? */
answer prover_ask(prover *p, term right);

/* The same for a single question; the context is forgotten. Do the literals on the left, taken together with the types
 * and the assumed facts, imply `right`? */
answer prover_implies(prover *p, size_t count, const term *left, term right);
/* Is the conjunction of the literals satisfiable? */
answer prover_consistent(prover *p, size_t count, const term *literals);
/* Is `t` true in every state that respects the types and the assumed facts? */
answer prover_valid(prover *p, term t);

/* Those of the literals that are connected with `right` through shared variables, in their order. */
void prover_relevant(prover *p, size_t count, const term *literals, term right, term_vector *out);

KEEP const prover_statistics *prover_statistics_of(const prover *p);

#endif
