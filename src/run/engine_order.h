/* Which engine for what: a quick look at a model and a property, and the order in which engines take their turns
 * because of it. */
#ifndef WHET_RUN_ENGINE_ORDER_H
#define WHET_RUN_ENGINE_ORDER_H

#include "engine/engine.h"

/* What can be known without solving anything. */
typedef struct model_look {
  bool is_temporal, asks_for_end, has_heap, has_clauses, has_trees, has_arrays, has_reals, was_unfolded,
      has_open_inputs, is_nonlinear, is_finite, is_c_program, has_procedures, has_divisions;
  bool has_queues;                         /* the model as read has channels of any length */
  bool has_lemmas;                         /* of the user */
  double log2_states;                      /* of all combinations of values of variables with finite types */
  size_t variables, integers, transitions; /* `integers`: variables of infinite type */
  size_t inputs;                           /* of the transition that has most */
} model_look;

/* `m` as the engines will see it; `horn` are the clauses that it was made from, or NULL. */
model_look engine_order_look(const model *m, const clauses *horn, size_t property);

/* One big step, or its cases, as of synchronous programs. */
bool engine_order_is_one_step(const model_look *look);

typedef VECTOR(const engine *) engine_vector;

/* All engines that take part in `auto`, the most promising first, but those in `without` (a list with commas, or NULL);
 * `why` gets one line that explains it. */
void engine_order_make(const model_look *look, const char *without, engine_vector *out, text *why);
/* How many of the first get whole turns; the others get a part. */

/* When an engine begins, and how much it does then: all in counted work. */
typedef struct turn_plan {
  uint64_t begins; /* once turns are that long */
  uint64_t slows;  /* of what a turn has beyond that it gets the part below */
  unsigned part;   /* one in so many */
} turn_plan;

/* Of an engine that has this position in its order. Without a look, of one in a list of the user. */
turn_plan engine_order_plan(const model_look *look, const engine *e, size_t position);
/* How much of a turn an engine gets. */
uint64_t turn_plan_share(const turn_plan *p, uint64_t turn);

#endif
