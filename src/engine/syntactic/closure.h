/* Predicates closed under weakest preconditions (Namjoshi, Kurshan 2000, Fig. 3 and section 4.3, with the errata that
 * docs/engines/syntactic.md lists).
 *
 * Starting from the atoms of what is to be preserved, of the initial condition and of the actions, atoms that weakest
 * preconditions bring up are added round by round, until there are none left or the bound on rounds is reached.
 * Predicates for which that is done are `old`; the others, on which steps may depend though it is not known how they
 * change, are `new`. If an action has inputs, atoms over them are `mixed`; they are projected away. */
#ifndef WHET_ENGINE_SYNTACTIC_CLOSURE_H
#define WHET_ENGINE_SYNTACTIC_CLOSURE_H

#include "predicate/allsat.h"
#include "predicate/control_and_data.h"

typedef struct closure_action {
  uint32_t transition;            /* in the model */
  term enabled;                   /* over known atoms and control */
  VECTOR(control_update) updates; /* the same */
  term_vector after;              /* of each old predicate: its value after the action, if it is enabled */
  term_vector mixed;              /* atoms over inputs */
  size_t projected;               /* how many of them `possible` mentions */
  term possible;                  /* which assignments to the mixed atoms some inputs realise, by state predicates */
} closure_action;

typedef struct closure {
  const predicate_model *system;
  allsat *allsat;
  presburger *sets;
  budget *budget;
  term_vector predicates;         /* atoms over data of the state, in the order they were found */
  struct map *position;           /* index of the atom -> in `predicates` */
  size_t old;                     /* the first so many are old, the others new */
  VECTOR(closure_action) actions; /* those of the system */
  size_t rounds, defined;         /* how many rounds; how often a formula was expressed by known predicates */
  bool exact;    /* nothing is new, and every input was projected: the abstract program is bisimilar to the model */
  char *inexact; /* why not; owned, NULL if exact */
  const char *trouble; /* not NULL: what it holds is of no use */
} closure;

typedef struct closure_limits {
  size_t rounds;     /* 0: no limit */
  size_t predicates; /* 0: no limit; if there are more, no further round is started, and without any it is of no use */
} closure_limits;

#define CLOSURE_TOO_MANY "the predicates become too many; -K sets the number of rounds"

/* `preserved` are formulas over the state; all arguments outlive the result. */
GIVE closure *closure_new(const predicate_model *s, allsat *a, presburger *p, budget *b, size_t count,
                          const term *preserved, closure_limits limits);
void closure_free(TAKE closure *c);

/* `t`, over states and inputs, for some values of the inputs: over states, prepared. False if the inputs cannot be
 * eliminated. */
bool closure_without_inputs(const predicate_model *s, presburger *p, term t, term *out);

#endif
