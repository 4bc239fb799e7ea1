/* A transition invariant (proof/transition_invariant.h), for steps of which no measures fall one after the other.
 *
 * A relation is a set of predicates over two states, an earlier one and the state now. From the relation of a single step on, each is
 * followed by each transition; what comes out is the relation of all predicates that must hold then, until there are no new ones (transition
 * predicate abstraction; Podelski, Rybalchenko, POPL 2005). One of which no known measure falls is that of a word of transitions, the lasso:
 * a measure is looked for that falls by this word alone (lasso.h), and that it does becomes a predicate, as well as what must hold for that
 * after each shorter beginning of the word. With fairness a relation also knows which constraints were waited for (relation_histories.h); where
 * one that was possible was not taken, no measure needs to fall. */
#ifndef WHET_ENGINE_RANK_RELATE_H
#define WHET_ENGINE_RANK_RELATE_H

#include "engine/engine.h"
#include "engine/rank/guessing.h"

typedef struct relating relating;

/* Predicates to begin with: each has more than the one before. */
typedef enum relation_level {
  RELATIONS_PLAIN, /* places, and each number now and earlier */
  RELATIONS_PAIRS, /* also each number now and each other one earlier, and atoms of guards */
} relation_level;

/* Steps count as in measure.h. All arguments outlive the result. */
GIVE relating *relating_new(engine_environment *env, term open, relation_level level, bool is_careful);
void relating_free(TAKE relating *r);
measuring_end relating_step(relating *r);
/* Appends the relations and their measures to the evidence. */
void relating_write(const relating *r, evidence *e);
size_t relating_count(const relating *r);
/* The question that was not decided: why. */
KEEP const char *relating_trouble(const relating *r);
uint64_t relating_questions(const relating *r);

#endif
