/* Whether a relation is derivable by Horn rules: Z3's engine Spacer (Komuravelli, Gurfinkel, Chaki: SMT-Based Model
 * Checking for Recursive Programs, CAV 2014), asked once.
 *
 * A query is one long call that cannot be interrupted and taken up again: Z3 forgets all it has learned when a query is
 * ended. So the observer is called in the middle of it, often: there work is counted (which may wait for the next
 * turn), what has been learned can be read, and the query can be ended. What was read may be given to the next one.
 *
 * Nothing here is to be believed: what is read from Z3 is checked by others. */
#ifndef WHET_SOLVER_FIXEDPOINT_H
#define WHET_SOLVER_FIXEDPOINT_H

#include "solver/horn.h"
#include "solver/solver.h"

typedef struct fixedpoint fixedpoint;

/* All arguments outlive the result. */
GIVE fixedpoint *fixedpoint_new(terms *ts, const horn_problem *p, budget *b);
/* The same without the step of Spacer that looks for equations among numbers: of two questions that are alike it answers
 * now one and now the other with it. */
GIVE fixedpoint *fixedpoint_new_without_equations(terms *ts, const horn_problem *p, budget *b);
void fixedpoint_free(TAKE fixedpoint *f);

/* Known before the query. */
void fixedpoint_add_cover(fixedpoint *f, const horn_cover *c);

/* True: the query shall end, and be unsure. */
typedef bool fixedpoint_observer(void *context);

/* Is the problem's query derivable? Asked once. Reasons live as long as `f`. */
answer fixedpoint_query(fixedpoint *f, fixedpoint_observer *observe, void *context);
/* True after a query that the observer has ended. */
bool fixedpoint_was_ended(const fixedpoint *f);

typedef struct fixedpoint_counts {
  uint64_t levels, predecessors; /* unfolded and computed so far */
} fixedpoint_counts;
fixedpoint_counts fixedpoint_counts_of(const fixedpoint *f);

/* Within the observer: what is known now. Covers that hold always, and those of levels too if `all_levels`;
 * appended. What cannot be read is left out: then false, and `*reason` says why. */
bool fixedpoint_covers(fixedpoint *f, bool all_levels, horn_covers *out, const char **reason);
/* After no: a formula for each relation over its parameters, that together make every rule true, and of the query is
 * false. Each holds for all values of `indices`, integers that are made here. False: `*reason` says why there are none. */
bool fixedpoint_interpretation(fixedpoint *f, term_vector *out, variable_vector *indices, const char **reason);
/* After yes: the last node derives the query. Atoms that hold whatever the values may be missing among the premises.
 * False: `*reason` says why there is none. */
bool fixedpoint_derivation(fixedpoint *f, horn_derivation *out, const char **reason);

#endif
