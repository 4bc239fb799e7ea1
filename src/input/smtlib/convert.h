/* Nodes as terms. */
#ifndef WHET_INPUT_SMTLIB_CONVERT_H
#define WHET_INPUT_SMTLIB_CONVERT_H

#include "base/map.h"
#include "input/smtlib/nodes.h"
#include "term/term.h"

/* The largest integer that is not above a real: a variable that stands for it in terms. Whoever uses a term with the
 * variable adds `is`, which says what it is. */
typedef struct rounding {
  variable value;
  term is;
} rounding;

/* Turns nodes into terms, each once in a scope. */
typedef struct converter {
  terms *ts;
  const nodes *nodes;
  VECTOR(term) values;     /* by node */
  VECTOR(uint32_t) stamps; /* by node: the value is of the present scope */
  uint32_t stamp;
  variable_vector bound;      /* of the quantifiers around, outermost first */
  variable_vector by_zero;    /* the values of divisions by 0, made so far */
  VECTOR(rounding) roundings; /* made so far */
  names *symbols;             /* name -> variable it stands for, as index */
  names *constructors;        /* of enumerations: name -> number */
  VECTOR(uint32_t) pending;
  uint64_t work; /* so far, in parts of sums and conjunctions */
  char *error;   /* owned */
} converter;

void converter_open(converter *c, terms *ts, KEEP const nodes *n);
void converter_close(converter *c);
/* Another scope: what is bound, and what symbols stand for, may have changed. */
void converter_rescope(converter *c);
/* Values of enumerations are integers; that variables of such a sort are within its range is not said here.
 * False and `error` if the expression is beyond whet: an operator, a sort, a quantifier, a division by
 * the constant 0, a symbol that stands for nothing. Nothing recurses, and work out of proportion to the text is
 * refused. */
bool converter_term(converter *c, uint32_t node, term *out);

#endif
