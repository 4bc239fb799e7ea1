/* What the writers of invariants share (invariant_write.c, k_induction_write.c). */
#ifndef WHET_PROOF_FORMAT_INVARIANT_WRITER_H
#define WHET_PROOF_FORMAT_INVARIANT_WRITER_H

#include "proof/evidence.h"

typedef struct invariant_writer {
  const model *model;
  const property *property;
  terms *ts;
  text *out;
} invariant_writer;

void writer_text(const invariant_writer *w, const char *s);
/* The logic, and the definitions of `types` and `inv`. */
void writer_definitions(const invariant_writer *w, const evidence *e);
void writer_info(const invariant_writer *w, const char *key, const char *value);
void writer_declare(const invariant_writer *w, variable v);
void writer_parameter(const invariant_writer *w, variable v); /* (name Sort) */
void writer_assert(const invariant_writer *w, term t);        /* nothing if it is true */
void writer_open_obligation(const invariant_writer *w, const char *what, const char *by);
void writer_close_obligation(const invariant_writer *w);

#endif
