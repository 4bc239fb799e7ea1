/* Horn clauses as a solver is asked about them: relations, rules with any number of atoms in their bodies, and one
 * relation without arguments that shall not be derivable. */
#ifndef WHET_SOLVER_HORN_H
#define WHET_SOLVER_HORN_H

#include "term/term.h"

typedef struct horn_relation {
  variable_vector parameters; /* stand for its arguments in formulas about it */
} horn_relation;

typedef struct horn_atom {
  uint32_t relation;
  term_vector arguments;
} horn_atom;

/* For all values of its variables: if the constraint holds and every atom of the body is derivable, so is the head. */
typedef struct horn_rule {
  variable_vector variables;
  term constraint;
  VECTOR(horn_atom) body;
  horn_atom head;
  uint32_t origin; /* what it stands for, in the numbers of the caller */
} horn_rule;

typedef struct horn_problem {
  VECTOR(horn_relation) relations;
  VECTOR(horn_rule) rules;
  uint32_t query; /* a relation without parameters */
} horn_problem;

/* What is known of a relation. */
typedef struct horn_cover {
  uint32_t relation;
  int level;    /* of the atoms that are derived in at most so many steps; HORN_ALWAYS: of all that are derivable */
  term formula; /* over the parameters */
} horn_cover;
#define HORN_ALWAYS (-1)
typedef VECTOR(horn_cover) horn_covers;

/* An atom that was derived, and from which ones: their numbers are smaller. */
typedef struct horn_node {
  uint32_t relation;
  VECTOR(number) values;
  bool lacks_values; /* one of them is not known, and 0 */
  VECTOR(uint32_t) premises;
} horn_node;
typedef VECTOR(horn_node) horn_derivation;

/* What they hold. */
void horn_problem_clear(horn_problem *p);
void horn_rule_clear(horn_rule *r);
void horn_derivation_clear(horn_derivation *d);

#endif
