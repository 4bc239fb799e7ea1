/* Runs of a model that break a property of states, one length after the other: init, the steps and the bad state as one
 * formula that grows by a step at a time, in one solver. Engines that ask about many steps at once share it. */
#ifndef WHET_ENGINE_BOUNDED_H
#define WHET_ENGINE_BOUNDED_H

#include "engine/engine.h"
#include "model/unroll.h"

/* What breaks the property. */
typedef struct bounded_violation {
  term bad;            /* over states and inputs, "for some inputs" */
  term bad_states;     /* the same without inputs, if `is_of_states` */
  bool is_of_states;   /* else the inputs could not be eliminated */
  const char *trouble; /* not NULL: nothing here can treat it */
} bounded_violation;

bounded_violation violation_of(const model *m, size_t property);

/* With these values of the last state and of all inputs, indexed by variable: the fault that happens, for a run that
 * ends there. False if there is none. */
bool violation_find_fault(const model *m, const number *values, evidence *out);

/* After solver_check_assuming said yes: the transition taken at that time. */
bool unrolling_read_choice(unrolling *u, solver *s, size_t time, uint32_t *out);

typedef struct bounded bounded;

/* All arguments outlive the result. */
GIVE bounded *bounded_new(engine_environment *env, unrolling *u, const bounded_violation *v);
void bounded_free(TAKE bounded *b);
/* The length of the runs that `bounded_ask` asks for; it begins with 0. */
size_t bounded_length(const bounded *b);
/* Is there a run of that length whose last state is bad? Yes: `out` has it. No: the next question is about runs one
 * step longer, and takes for granted that no shorter one is bad. Unsure: the same question again next time. */
answer bounded_ask(bounded *b, double seconds, evidence *out);
/* Holds in every reachable state: made use of from now on. */
void bounded_assume(bounded *b, term fact);
/* How many questions were asked, and how many had no answer. */
KEEP const solver_statistics *bounded_statistics(const bounded *b);

#endif
