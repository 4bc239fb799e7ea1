/* A model in a state, whose steps are taken one by one: random ones, or those that are asked for. For models without
 * reals and without recursive procedures. */
#ifndef WHET_RUN_SIMULATION_H
#define WHET_RUN_SIMULATION_H

#include "base/budget.h"
#include "model/semantics.h"
#include "proof/evidence.h"

typedef struct simulation simulation;

GIVE simulation *simulation_new(model *m, uint64_t seed, budget *b);
void simulation_free(TAKE simulation *s);

/* A random initial state, added to the steps of `out`. NULL, or why there is none. */
GIVE char *simulation_start(simulation *s, evidence *out);
/* A random step, added to `out`; a run-time error is noted in `out`. NULL, or why there was no step. */
GIVE char *simulation_step(simulation *s, evidence *out);

/* The words of the state (model/semantics.h). */
KEEP const int64_t *simulation_state(const simulation *s);
/* What transition `index` would do: if STEP_TAKEN, simulation_next is the state after it, which simulation_take goes
 * to. */
step_status simulation_try(simulation *s, size_t index, const int64_t *inputs, size_t *fault);
KEEP const int64_t *simulation_next(const simulation *s);
void simulation_take(simulation *s);
/* Goes to the state that these steps lead to, from the first on. False if they are no steps of the model, or do not fit in 64
 * bits; the state is then any. */
bool simulation_replay(simulation *s, size_t count, const trace_step *steps);
/* So few values of its inputs that all of them can be looked at. */
bool simulation_inputs_are_few(const simulation *s, size_t index);
/* Random inputs with which the transition can be taken; false if none were found. */
bool simulation_draw_inputs(simulation *s, size_t index, int64_t *inputs);

#endif
