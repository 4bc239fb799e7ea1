/* A term read from SMT-LIB 2 text: the operators of booleans, integers and reals but for those that round, tests
 * for constructors of enumerations, which are numbers, and let.
 * An integer may stand where a real is wanted.
 *
 * Nothing recurses, and numbers and products are limited in size, so that a hostile text costs no more than in
 * proportion to its length. SMT-LIB leaves the value of a division by 0 open; in whet x div 0 is 0 and x mod 0
 * is x. */
#ifndef WHET_PROOF_SMTLIB_TERM_H
#define WHET_PROOF_SMTLIB_TERM_H

#include "base/map.h"
#include "base/tokens.h"
#include "proof/evidence.h"

/* What free symbols stand for; of two with one name the later counts. Filled once and used for many formulas: reading one
 * costs nothing for symbols that are not in it. */
typedef struct named_terms {
  names *index; /* name -> position in `values`; NULL while there are none */
  term_vector values;
} named_terms;

void named_terms_add(named_terms *n, const char *name, term value);
void named_terms_clear(named_terms *n);
/* The variable under its name of SMT-LIB, without bars. */
void named_terms_add_variable(named_terms *n, terms *ts, variable v);

/* Reads one boolean term. The result is the disjunction of `out` (cleared first): if the text is an `or`, its
 * arguments. Divisions by what may be 0 are added to `divisions`, with variables for their values, unless the text says
 * what they are; if that is NULL they are whet's. False, a message and the offset of its place on an error. */
bool smtlib_read_formula(terms *ts, token_reader *from, const named_terms *free_symbols, open_divisions *divisions,
                         term_vector *out, GIVE char **error, size_t *place);

/* (Array Int T), T of Bool, Int and Real, or arrays of these. */
bool smtlib_read_array_sort(token_reader *from, type *out);

/* Reads one integer term, whose divisions are whet's. */
bool smtlib_read_integer(terms *ts, token_reader *from, const named_terms *free_symbols, term *out, GIVE char **error,
                         size_t *place);

#endif
