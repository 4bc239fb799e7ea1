/* A run that somebody makes step by step: what can be done in the state where it is, doing and undoing it. The run goes on
 * after that state if steps were undone, until another step is taken. For models that simulation.h is for. */
#ifndef WHET_RUN_GUIDED_RUN_H
#define WHET_RUN_GUIDED_RUN_H

#include "base/budget.h"
#include "proof/evidence.h"

typedef struct guided_run guided_run;

/* Something that can be done. */
typedef struct guided_run_choice {
  trace_step step; /* the transition, its inputs, and the state after it */
  bool is_fault;   /* a run-time error: there is no state after it */
  uint32_t fault;
  bool has_more; /* the same transition can be taken with more inputs than are listed */
} guided_run_choice;
typedef VECTOR(guided_run_choice) guided_run_choices;

GIVE guided_run *guided_run_new(model *m, uint64_t seed, budget *b);
void guided_run_free(TAKE guided_run *x);

/* A new run, of a random initial state. NULL, or why there is none; there is no run then. */
GIVE char *guided_run_start(guided_run *x);
/* A new run, of these steps, at its end. False if they are no run of the model from an initial state: the old run
 * stays. */
bool guided_run_load(guided_run *x, const trace *steps);
/* The run as far as it is known. It has at least one state after a start. */
KEEP const evidence *guided_run_run(const guided_run *x);
/* The index of the state where it is. */
size_t guided_run_place(const guided_run *x);
void guided_run_go(guided_run *x, size_t place);

/* What can be done here, in the order of the transitions. Freed by guided_run_choices_clear. */
void guided_run_choices_list(guided_run *x, GIVE guided_run_choices *out);
void guided_run_choices_clear(guided_run_choices *c);
/* NULL after the step, else why it cannot be taken. */
GIVE char *guided_run_take(guided_run *x, uint32_t transition, const number_vector *inputs);

/* Random steps stop in a state where this holds; TERM_FALSE: nowhere. */
void guided_run_stop_where(guided_run *x, term condition);
/* At most `count` random steps. NULL, or why there were fewer; `*taken` says how many. */
GIVE char *guided_run_random(guided_run *x, uint64_t count, uint64_t *taken);

#endif
