/* Which variables act as control, and which values they may have. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_CONTROL_H
#define WHET_ENGINE_WIDEN_GRAPH_CONTROL_H

#include "engine/widen/graph/graph.h"

typedef struct control_variable {
  variable var;
  number_vector values; /* all it may ever have, ascending */
} control_variable;

typedef VECTOR(control_variable) control_variables;

/* In the order of the model's variables. */
void control_variables_find(const model *m, control_choice choice, control_variables *out);
void control_variables_free(control_variables *all);

#endif
