/* Which engine for what: a quick look at a model and a property, and the order in which engines take their turns
 * because of it. */
#ifndef WHET_RUN_ENGINE_ORDER_H
#define WHET_RUN_ENGINE_ORDER_H

#include "engine/engine.h"

/* What can be known without solving anything. */
typedef struct model_look {
  bool is_temporal, has_heap, has_trees, has_reals, was_unfolded, has_open_inputs, is_nonlinear, is_finite;
  double log2_states;                      /* of all combinations of values, where finite */
  size_t variables, integers, transitions; /* `integers`: variables of infinite type */
  size_t inputs;                           /* of the transition that has most */
} model_look;

/* `m` as the engines will see it. */
model_look engine_order_look(const model *m, size_t property);

typedef VECTOR(const engine *) engine_vector;

/* All engines that take part in `auto`, the most promising first, but those in `without` (a list with commas, or NULL);
 * `why` gets one line that explains it. */
void engine_order_make(const model_look *look, const char *without, engine_vector *out, text *why);
/* How many of the first get whole turns; the others get a part. */
size_t engine_order_promising(const model_look *look);

#endif
