/* What the writers of invariants share (invariant_write.c, k_induction_write.c, k_interpretation_write.c, ranking_write.c,
 * transition_invariant_write.c). */
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
/* The logic, and the definition of `types`. */
void writer_types(const invariant_writer *w, const evidence *e);
/* The same, and that of `inv`. */
void writer_definitions(const invariant_writer *w, const evidence *e);
/* (define-fun NAME (state) SORT value) */
void writer_define(const invariant_writer *w, const char *name, const char *sort, term value);
/* That the invariant is initial and preserved, as obligations. */
void writer_inductive(const invariant_writer *w);
void writer_assume_invariant(const invariant_writer *w); /* and the types */
void writer_choose_inputs(const invariant_writer *w, const transition *t);
void writer_info(const invariant_writer *w, const char *key, const char *value);
void writer_declare(const invariant_writer *w, variable v);
void writer_parameter(const invariant_writer *w, variable v); /* (name Sort) */
void writer_assert(const invariant_writer *w, term t);        /* nothing if it is true */
void writer_assert_any(const invariant_writer *w, term t);    /* also if it is true or false */
void writer_open_obligation(const invariant_writer *w, const char *what, const char *by);
void writer_close_obligation(const invariant_writer *w);
/* That no state with the invariant, and no inputs of `t`, which may be NULL, satisfy it. */
void writer_obligation(const invariant_writer *w, const char *what, const transition *t, term violation);

#endif
