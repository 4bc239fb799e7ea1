/* Listed states as formulas. */
#ifndef WHET_PROOF_STATES_FORMULA_H
#define WHET_PROOF_STATES_FORMULA_H

#include "model/model.h"
#include "proof/diagram.h"

/* A value of `v` as a term. */
term states_formula_value(terms *ts, variable v, int64_t value);
/* A formula that, if init holds, is true exactly in the states of the set: variables to which init gives a value are
 * put in. */
term states_formula_where_initial(const model *m, const diagram *d);

#endif
