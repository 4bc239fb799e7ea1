/* A model with the values that bounds are said in: parameters, first values of variables, and inputs that are read at most once. Each is a
 * variable that never changes. A run of the model as read is one of this model with the right values of these, and the other way round. */
#ifndef WHET_RUN_BOUNDS_FROZEN_MODEL_H
#define WHET_RUN_BOUNDS_FROZEN_MODEL_H

#include "model/model.h"

typedef struct frozen_value {
  variable var;
  variable shown; /* the variable of the model that has this value: at first, or once the input was read */
  bool is_input;
  place at; /* of the transition that reads it */
} frozen_value;

typedef struct frozen_model {
  model *m; /* without properties, fairness and lemmas */
  VECTOR(frozen_value) made;
  term_vector
      values; /* integers that never change: those that were made, parameters, and variables that nothing assigns */
} frozen_model;

/* `m` is a transition system without a heap and outlives the result. */
void frozen_model_make(const model *m, frozen_model *out);
void frozen_model_clear(frozen_model *f); /* what it holds */
/* The formula or sum, over states, of an initial state: with numbers and values that never change for all variables of which the initial
 * condition says what they are. */
term frozen_model_first(const frozen_model *f, term of);
/* The same with the variables that people know for those that were made, if that can be told apart. */
term frozen_model_shown(const frozen_model *f, term of);
/* A variable that never changes, or a count; its name begins with `stem`. */
variable frozen_add_variable(model *m, const char *stem, const type *of, variable_role role);

#endif
