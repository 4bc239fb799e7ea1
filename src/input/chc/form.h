/* Formulas as clauses. */
#ifndef WHET_INPUT_CHC_FORM_H
#define WHET_INPUT_CHC_FORM_H

#include "input/smtlib/commands.h"
#include "input/smtlib/convert.h"
#include "model/model.h"

typedef struct former {
  model *model; /* its clauses grow */
  converter converter;
  source *source;
  reporter *reporter;
  names *predicates;        /* name -> index */
  VECTOR(uint8_t) contents; /* by node: whether predicates or quantifiers are inside */
  bool *is_constant;        /* by variable: a constant of the whole text */
  size_t constant_count;
} former;

/* The declarations of `c` become predicates of the model's clauses and symbols of the converter. */
void former_open(former *f, model *m, const nodes *n, const smtlib_commands *c, source *s, reporter *r);
void former_close(former *f);
/* Adds the clauses that the assertion is the conjunction of. False and a message if it is none. */
bool former_add(former *f, uint32_t root, span at);

/* The type of values of that sort; the enumerations of the text are there. */
type smtlib_type(const clauses *all, smtlib_sort s);
/* A variable of clauses: "name!0", or with another number if that is of another type. */
variable clause_variable(terms *ts, const char *name, const type *of, size_t nth);
/* Finds the variables of the clause, and says of those that reals were rounded to what they are. */
void clause_add_roundings(const converter *from, clause *c);
/* Gives every predicate its parameters, called as the variables of clauses that stand in their places. `types` has
 * those of all arguments, one predicate after the other. */
void clauses_make_parameters(model *m, const type *types, const size_t *counts);

#endif
