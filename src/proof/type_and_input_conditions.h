/* The conditions that obligations are made of: types as formulas, and whether a transition can be taken for some
 * inputs. */
#ifndef WHET_PROOF_TYPE_AND_INPUT_CONDITIONS_H
#define WHET_PROOF_TYPE_AND_INPUT_CONDITIONS_H

#include "model/model.h"

/* `value` lies within type `t`. */
term condition_within(terms *ts, const type *t, term value);
/* Every state variable is within its type. */
term condition_types(const model *m);
/* The inputs of `t` are within theirs. */
term condition_input_types(const model *m, const transition *t);
/* What `t` assigns is within the types of the variables assigned to. Over states and inputs. */
term condition_types_after(const model *m, const transition *t);

/* There are values of `inputs`, within their types, for which `t` holds: a formula without them. Exact for finite types
 * of moderate size and for linear conditions on the others; elsewhere the result only implies it, and `*exact` becomes
 * false. */
term condition_for_some(terms *ts, term t, size_t count, const variable *inputs, bool *exact);
/* Some inputs let `t` be taken. */
term condition_can_be_taken(const model *m, const transition *t, bool *exact);

#endif
