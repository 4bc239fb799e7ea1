/* Which variables are in locations, and which values they may have; why these, model/control.h says. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_LOCATION_VARIABLES_H
#define WHET_ENGINE_WIDEN_GRAPH_LOCATION_VARIABLES_H

#include "engine/widen/graph/graph.h"

typedef struct location_variable {
  variable var;
  number_vector values; /* all it may ever have, ascending */
} location_variable;

typedef VECTOR(location_variable) location_variables;

/* In the order of the model's variables. */
void location_variables_find(const model *m, control_choice choice, location_variables *out);
void location_variables_clear(location_variables *all);

#endif
