/* How the files of evidence about clauses name predicates and sorts. */
#ifndef WHET_PROOF_FORMAT_CLAUSE_NAMES_H
#define WHET_PROOF_FORMAT_CLAUSE_NAMES_H

#include "base/escape.h"
#include "model/model.h"

/* Predicates go by the names that they have in the clauses, so that others can use an interpretation. What is not visible
 * was escaped when they were read, once; neither a bar nor a backslash can have been in them. */
static inline void clause_name_escape(const char *name, text *out) { text_add_escaped_before(out, name, "\\|"); }

/* The sort of a parameter, as the text has it. */
static inline KEEP const char *clause_sort_name(const model *m, variable v) {
  return clauses_sort_name(m->clauses, variable_type(m->terms, v));
}

#endif
