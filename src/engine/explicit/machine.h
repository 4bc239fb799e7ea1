/* The transitions of a model compiled for search: which of them can be taken at all in a state is looked up, not tried;
 * guards and faults are tested on the unpacked state, and a successor is the packed state with the changed fields
 * written over.
 *
 * A machine is read by many threads at once; each has a `stepper` of its own to run it with. */
#ifndef WHET_ENGINE_EXPLICIT_MACHINE_H
#define WHET_ENGINE_EXPLICIT_MACHINE_H

#include "base/budget.h"
#include "model/semantics.h"
#include "solver/solver.h"
#include "store/layout.h"

typedef struct machine machine;
typedef struct stepper stepper;

/* `m` outlives the machine and has no heap: REQUIREd. */
GIVE machine *machine_new(const model *m);
void machine_free(TAKE machine *m);
/* From now on states are packed like this; `l` is kept by the caller. No stepper may be at work. */
void machine_set_layout(machine *m, const layout *l);
/* An input that has no bounds; false if there is none. */
bool machine_has_endless_input(const machine *m, variable *input);

/* `s` (may be NULL) helps to find values of endless inputs. */
GIVE stepper *stepper_new(const machine *m, bool is_temporal, solver *s);
void stepper_free(TAKE stepper *s);

typedef struct machine_step {
  uint32_t transition;
  const int64_t *inputs;
  const uint64_t *packed; /* the next state; NULL if the step is a fault, */
  uint32_t fault;         /* then this one */
} machine_step;

/* Called with each step from a state, always in the same order; false to stop. */
typedef bool step_visitor(void *context, const machine_step *s);

typedef enum expansion_end {
  EXPANDED,
  EXPANSION_STOPPED, /* by the visitor or the budget */
  EXPANSION_MISFIT,  /* a value does not fit its field, `misfit` and `misfit_value` say which */
} expansion_end;

typedef struct expansion {
  expansion_end end;
  uint64_t taken;    /* steps that are no faults */
  bool lacks_inputs; /* not all values of endless inputs were tried: there may be other steps */
  bool lacks_size;   /* a step was left out because of values beyond 64 bits */
  size_t misfit;
  int64_t misfit_value;
} expansion;

/* All steps from a state. Faults are visited only if `with_faults`; `b` may be NULL. */
expansion stepper_expand(stepper *s, const uint64_t *packed, bool with_faults, budget *b, step_visitor *visit,
                         void *context);
/* A condition over states, on a packed one: 1, 0, or -1 for values beyond 64 bits. */
int stepper_test(stepper *s, const state_condition *c, const uint64_t *packed);

#endif
