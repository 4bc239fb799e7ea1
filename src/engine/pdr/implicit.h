/* The predicates that the implicit abstraction (Cimatti, Griggio, Mover, Tonetta 2014) sees states through.
 *
 * An abstract state is a cube that says of predicates whether they hold. No abstract step is ever computed: the
 * question of the paper, F(X) and EQ(X, Y) and T(Y, Y') and EQ(Y', X') and c(X'), has a second copy of the state that
 * agrees with the first on the predicates. Lemmas of frames and cubes that are about predicates alone are as true of one
 * copy as of the other, so that it has a solution exactly if F(Y) and T(Y, Y') and c(Y') has one: this is asked
 * (frames_ask_step). Lemmas that are about more than predicates are then about Y, which is right too, and says more. */
#ifndef WHET_ENGINE_PDR_IMPLICIT_H
#define WHET_ENGINE_PDR_IMPLICIT_H

#include "engine/pdr/frames.h"

typedef struct predicate {
  term term; /* positive, over state variables */
  variable_vector inside;
  bool is_kept; /* in every abstract state, also if it seems to have nothing to do with it */
} predicate;

typedef struct implicit {
  engine_environment *env;
  VECTOR(predicate) all; /* none twice */
  struct map *known;     /* term -> in `all`, or REFUSED */
  size_t hints_taken, offers_taken, told;
} implicit;

/* Those to begin with: boolean variables, the model's own predicates, atoms of the initial condition, of what is bad
 * and of guards, if these are few. */
void implicit_init(implicit *p, engine_environment *env, term bad);
void implicit_clear(implicit *p);
/* From now on this predicate is there. False if it was, or if it is about more than states. */
bool implicit_add(implicit *p, term t);
/* The same, and in every abstract state: false if it was there and in all of them. */
bool implicit_add_kept(implicit *p, term t);
/* What other engines have sent since. */
void implicit_take(implicit *p);
/* Those that are new since the last call become known to others. */
void implicit_tell(implicit *p);
/* The abstract state of the state with these values, indexed by variable: predicates that have no variable with
 * `reasons` in common, the literals that let the state lead where it does, are left out unless they are kept. */
void implicit_cube(const implicit *p, const number *values, const term_vector *reasons, cube *out);

#endif
