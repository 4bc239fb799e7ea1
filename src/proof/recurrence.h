/* What must be shown of a recurrence (evidence.h), for the checker and for certificates. */
#ifndef WHET_PROOF_RECURRENCE_H
#define WHET_PROOF_RECURRENCE_H

#include "proof/evidence.h"

/* NULL, or why a recurrence says nothing about the property of the model. */
KEEP const char *recurrence_open(const model *m, const property *p, temporal_promise *out);
/* The choice can be taken, with its inputs, and leads to a state of the region, within the types. Over states. */
term recurrence_stays(const model *m, const evidence *e, const trace_step *choice);
/* In the region, where none of the choices stays in it. No state may satisfy it. */
term recurrence_leaves(const model *m, const evidence *e);
/* The state, in the order of the run: it satisfies the formula over state variables. */
bool recurrence_holds_at(const model *m, const evidence *e, size_t position, term formula);
/* The last position of the run at which the promise is made: `asks` holds there, and of a promise that is not always made it is the first.
 * False if there is none. */
bool recurrence_made_at(const model *m, const temporal_promise *p, const evidence *e, size_t *position);

#endif
