/* The formats behind certificate.h. */
#ifndef WHET_PROOF_FORMATS_H
#define WHET_PROOF_FORMATS_H

#include "proof/evidence.h"
#include "proof/json.h"

#define CERTIFICATE_VERSION 1

void invariant_write(const model *m, size_t property, const evidence *e, text *out);
bool invariant_read(model *m, const char *content, size_t length, size_t *property, evidence *e, GIVE char **error);

/* How a file with an invariant begins. */
#define INVARIANT_FIRST_WORDS "; whet certificate "

/* The same for k-inductive ones; invariant_read reads both. */
void k_induction_write(const model *m, size_t property, const evidence *e, text *out);
#define K_INDUCTION_FIRST_WORDS "; whet k-induction "

void trace_write(const model *m, size_t property, const evidence *e, text *out);
bool trace_read(model *m, const char *content, size_t length, size_t *property, evidence *e, GIVE char **error);

/* The object that the file of a trace has for a quotient. */
void quotient_write(const model *m, const evidence *e, text *out);
bool quotient_read(const model *m, json_reader *json, evidence *e);

void states_write(const model *m, size_t property, const evidence *e, text *out);
bool states_read(model *m, const char *content, size_t length, size_t *property, evidence *e, GIVE char **error);
/* How a file with states begins. */
#define STATES_FIRST_WORD "whet-states"

void heap_write(const model *m, size_t property, const evidence *e, text *out);
bool heap_read(model *m, const char *content, size_t length, size_t *property, evidence *e, GIVE char **error);
#define HEAP_FIRST_WORD "whet-heap"
/* About clauses. */
#define DERIVATION_FIRST_LINE "; whet derivation 1"
void interpretation_write(const model *m, size_t property, const evidence *e, text *out);
void derivation_write(const model *m, size_t property, const evidence *e, text *out);
bool clause_evidence_read(model *m, const char *content, size_t length, size_t *property, evidence *e,
                          GIVE char **error);

/* "LINE:COLUMN: message" for an offset into `content`; takes `message`. */
GIVE char *error_at(const char *content, size_t length, size_t offset, TAKE char *message);
/* The property called `name`; else false and a message in `*error`. */
bool property_named(const model *m, const char *name, size_t *property, GIVE char **error);

#endif
