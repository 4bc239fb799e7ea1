/* The abstract fixpoint, with hints at which steps to be more precise than widening: MAFixPoint of Gulavani, Rajamani
 * 2006, Fig. 4(b). */
#ifndef WHET_ENGINE_WIDEN_FIXPOINT_H
#define WHET_ENGINE_WIDEN_FIXPOINT_H

#include "base/budget.h"
#include "engine/widen/domain.h"

typedef enum operator{ OPERATOR_WIDEN, OPERATOR_CONNECT, OPERATOR_UNION } operator;

typedef struct hint {
  uint32_t head;
  size_t step; /* counted from the entry of the head's component, from 1 */
  operator operator;
} hint;

typedef VECTOR(hint) hint_vector;

typedef enum schedule {
  SCHEDULE_JOINT,  /* the images of all paths of one pass are one step (Fig. 2 and 4) */
  SCHEDULE_SINGLE, /* each path is a step of its own, in turn */
} schedule;

/* What a step did at a head: `reached` comes of `operator` between `before` and `with_images`, and of the meet with the
 * run before. */
typedef struct head_step {
  element *before, *with_images, *reached;
  operator operator;
  bool is_quiet; /* nothing new came here */
} head_step;

typedef struct component_run {
  VECTOR(head_step *) steps; /* steps.at[i][k]: head k of the component; step 0 is what enters it */
} component_run;

typedef struct run {
  const domain *domain;
  component_run *components;
  size_t users;
  bool has_error; /* the first component and its first step at which an error is met */
  bool is_cut;    /* it ended there: later components have no steps, and what it reached need not be closed */
  size_t error_component, error_step;
  size_t steps;
} run;

/* A whole run, to the fixpoint even if an error is met. `before` may be NULL. *failure is set if it did not come
 * to an end; the run then means nothing. */
GIVE run *fixpoint(const domain *d, const hint_vector *hints, const run *before, schedule how, budget *b,
                   const char **failure);
/* AbstractFixPoint of Fig. 2: ends at its first error, and depends on no run before. */
GIVE run *fixpoint_to_error(const domain *d, const hint_vector *hints, schedule how, budget *b, const char **failure);
KEEP run *run_share(run *r);
void run_free(TAKE run *r);
/* What a step of the head's component reached there. */
KEEP const element *run_reached(const run *r, uint32_t head, size_t step);
/* At the end; REQUIREs that the run came to the head's component. */
KEEP const element *run_final(const run *r, uint32_t head);
/* The path that step i (from 1) of a component handles if steps are single. */
uint32_t run_single_path(const domain *d, size_t component, size_t step);

#endif
