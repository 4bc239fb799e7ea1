/* A term read from SMT-LIB 2 text: the operators of booleans and integers, and let.
 *
 * Nothing recurses, and numbers and products are limited in size, so that a hostile text costs no more than its length
 * deserves. Division is read as whet's, which gives 0 for x div 0 and x for x mod 0, where SMT-LIB leaves the value
 * open. */
#ifndef WHET_PROOF_SMTLIB_TERM_H
#define WHET_PROOF_SMTLIB_TERM_H

#include "base/map.h"
#include "base/tokens.h"
#include "term/term.h"

/* What free symbols stand for. */
typedef struct named_term {
  char *name; /* owned by whoever fills the vector */
  term value;
} named_term;
typedef VECTOR(named_term) named_terms;

/* Reads one boolean term. The result is the disjunction of `out` (cleared first): where the text is an `or`, its
 * arguments. False, a message and the offset of its place on an error. */
bool smtlib_read_formula(terms *ts, token_reader *from, const named_terms *free_symbols, term_vector *out,
                         GIVE char **error, size_t *place);

#endif
