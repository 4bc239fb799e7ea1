/* Terms as text: in whet's own language (it parses back to the same term) and in SMT-LIB 2. */
#ifndef WHET_TERM_PRINT_H
#define WHET_TERM_PRINT_H

#include "term/term.h"

/* In whet's language. Values of enumerations are printed by name if an atom compares one variable with a constant,
 * locations as `P at idle`. */
void term_print(const terms *ts, term t, text *out);
GIVE char *term_string(const terms *ts, term t);

/* A term can be far larger as text than as it is stored, where equal parts are one. So a large term with shared parts is
 * printed as `(let s1 = .., s2 = .. in ..)`. Whoever prints several terms can name the parts that they share: */
typedef struct term_names term_names;
/* Names `prefix`1, `prefix`2, ..; the prefix is lengthened until no variable or value of `ts` has such a name.
 * Parts that have none here may have one in `outer` (NULL: no). */
GIVE term_names *term_names_new(const terms *ts, const char *prefix, KEEP const term_names *outer);
void term_names_free(TAKE term_names *n);
KEEP const char *term_names_prefix(const term_names *n);
/* The next number is for `t`. */
void term_names_add(term_names *n, term t);
/* As term_print, but parts of `t` that have names are printed by name; `names` may be NULL. */
void term_print_with(const terms *ts, term t, const term_names *names, text *out);
/* What is worth a name in texts of the roots, arguments first; nothing if names would not make them much shorter.
 * `known` have names already (NULL: none); what `may` refuses gets none (NULL: it refuses nothing). */
typedef bool may_be_named(void *context, term t);
void terms_shared(const terms *ts, size_t count, const term *roots, const term_names *known, may_be_named *may,
                  void *context, term_vector *out);
/* A name as whet's language wants it in an expression: plain if it is an identifier or a qualified one (P[1].a),
 * else between bars. */
void name_print(const char *name, text *out);
/* The same where the name is declared: only identifiers are plain there. */
void name_print_declared(const char *name, text *out);

/* SMT-LIB 2: names always between bars, shared parts bound by let as ?1, ?2, .. A name that solvers give a meaning of
 * their own (true, div, select, ?7), and one that ends with a space, is printed with one more space at its end: whoever
 * reads names back takes one away. Characters that some reader could take for the end of a name or the start of
 * something else (\ | " ( ) ;), and all that are not visible, are escaped as text_add_escaped does. */
void term_print_smtlib(const terms *ts, term t, text *out);
void name_print_smtlib(const char *name, text *out);
/* The name of a variable: as it is if names of `ts` are escaped already, so that none is escaped twice. */
void variable_print_smtlib(const terms *ts, variable v, text *out);
/* The same with made-up names, v0, v1, .., so that nothing of the model's own words is in the text. */
void term_print_numbered(const terms *ts, term t, text *out);
void variable_print_numbered(variable v, text *out);
void number_print_smtlib(number n, text *out);      /* an integer */
void number_print_smtlib_real(number n, text *out); /* as a real */

#endif
