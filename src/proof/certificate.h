/* Evidence as files: SMT-LIB 2 for invariants (with the obligations spelt out, so that any solver answers unsat to
 * each), JSON in the ITF form for traces, lines of text for sets of states; for models made from clauses definitions of
 * the predicates and steps of derivations. docs/certificates.md describes them. Reading treats the text as hostile:
 * only the invariant, the trace or the set is taken from it, and the obligations are rebuilt from the model. */
#ifndef WHET_PROOF_CERTIFICATE_H
#define WHET_PROOF_CERTIFICATE_H

#include "proof/evidence.h"

/* `e` is there; its formulas are without heap tests. */
void certificate_write(const model *m, size_t property, const evidence *e, text *out);
/* False and `*error` (owned by the caller; starts with line and column) if the text is no certificate for a property
 * of this model. What was read is well-formed, not yet checked: see check.h. `*e` is empty if the result is false.
 */
bool certificate_read(model *m, const char *content, size_t length, size_t *property, GIVE evidence *e,
                      GIVE char **error);

/* The same of a run that need not break a property: what it is taken from may be a certificate. Reading checks the form only: whether it is
 * a run of the model is for the caller to see. */
void run_write(const model *m, const evidence *e, text *out);
bool run_read(model *m, const char *content, size_t length, GIVE evidence *e, GIVE char **error);

/* A value as certificates have it, or for people: of an array a map of what is not its default. */
void clause_value_write(const model *m, const type *of, number n, bool for_people, text *out);
/* The atom that a step of a derivation derives, in SMT-LIB 2 but for reals if it is `for_people`: 7/2. */
void derivation_write_atom(const model *m, const derivation_step *s, text *out);

/* The certificate of `kind`, EVIDENCE_ANY_COPIES or EVIDENCE_COUNTED, whose other evidence has this certificate. */
void certificate_wrap(evidence_kind kind, const model *m, size_t property, const char *other, text *out);

#endif
