/* The bad states of a property as a formula over states and inputs, of which some value will do. */
#ifndef WHET_ENGINE_WIDEN_GRAPH_BAD_STATES_H
#define WHET_ENGINE_WIDEN_GRAPH_BAD_STATES_H

#include "model/model.h"

/* NULL, or why there is no such formula. */
KEEP const char *bad_states_of(const model *m, const property *p, term *out);

#endif
