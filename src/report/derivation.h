/* A derivation as text, a line a step: what is derived, and the line of the clause. Of systems that were not written as
 * clauses, the state instead of the atom.
 *
 *       0  (inv 0 0)    line 3
 *       1  (inv 1 1)    line 5
 *       !  false        line 7
 */
#ifndef WHET_REPORT_DERIVATION_H
#define WHET_REPORT_DERIVATION_H

#include "proof/evidence.h"

void derivation_print(const model *m, const evidence *e, text *out);
/* What each argument of a predicate is called. */
GIVE char *parameter_label(const model *m, uint32_t predicate, size_t i);
/* The values of the arguments of what a step derives. */
void derivation_values(const model *m, const derivation_step *s, number_vector *out);
/* The first steps of a run of clauses, at most so many, as a derivation; `*out` is cleared by the caller. False if there are more. */
bool derivation_of_run(const model *m, const evidence *run, size_t most, evidence *out);
enum { MOST_STEPS_SHOWN = 1000 };
/* The clause that a derivation, or a run of clauses, ends with. */
uint32_t derivation_last_clause(const evidence *e);
/* True if step `i` rests on the step before it alone (the first: on nothing), as in a run. */
bool derivation_goes_on(const evidence *e, size_t i);

#endif
