/* A run that somebody makes step by step: what can be done in the state where it is, doing and undoing it. The run goes on
 * after that state if steps were undone, until another step is taken. For models that simulation.h is for. */
#ifndef WHET_RUN_EXPLORATION_H
#define WHET_RUN_EXPLORATION_H

#include "base/budget.h"
#include "proof/evidence.h"

typedef struct exploration exploration;

/* Something that can be done. */
typedef struct exploration_choice {
  trace_step step; /* the transition, its inputs, and the state after it */
  bool is_fault;   /* a run-time error: there is no state after it */
  uint32_t fault;
  bool has_more; /* the same transition can be taken with more inputs than are listed */
} exploration_choice;
typedef VECTOR(exploration_choice) exploration_choices;

GIVE exploration *exploration_new(model *m, uint64_t seed, budget *b);
void exploration_free(TAKE exploration *x);

/* A new run, of a random initial state. NULL, or why there is none; there is no run then. */
GIVE char *exploration_start(exploration *x);
/* A new run, of these steps, at its end. False if they are no run of the model from an initial state: the old run
 * stays. */
bool exploration_load(exploration *x, const trace *steps);
/* The run as far as it is known. It has at least one state after a start. */
KEEP const evidence *exploration_run(const exploration *x);
/* The index of the state where it is. */
size_t exploration_place(const exploration *x);
void exploration_go(exploration *x, size_t place);

/* What can be done here, in the order of the transitions. Freed by exploration_choices_clear. */
void exploration_choices_list(exploration *x, GIVE exploration_choices *out);
void exploration_choices_clear(exploration_choices *c);
/* NULL after the step, else why it cannot be taken. */
GIVE char *exploration_take(exploration *x, uint32_t transition, const number_vector *inputs);

/* Random steps stop in a state where this holds; TERM_FALSE: nowhere. */
void exploration_stop_where(exploration *x, term condition);
/* At most `count` random steps. NULL, or why there were fewer; `*taken` says how many. */
GIVE char *exploration_random(exploration *x, uint64_t count, uint64_t *taken);

#endif
