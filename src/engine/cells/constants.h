/* Large numbers of clauses as variables of which only little is known: what is proved for arrays of any length holds for
 * those of 100000 elements too, and is found much more easily; concrete runs can be short. */
#ifndef WHET_ENGINE_CELLS_CONSTANTS_H
#define WHET_ENGINE_CELLS_CONSTANTS_H

#include "model/clauses.h"

/* A variable that stands for a number; every predicate has it as a parameter besides its own. */
typedef struct general_number {
  variable parameter; /* of predicates */
  variable inside;    /* of clauses */
  number value;
} general_number;
typedef VECTOR(general_number) general_numbers;

/* The clauses with variables for their large numbers, which are appended to `numbers`; NULL if they have none. */
GIVE clauses *clauses_generalise(terms *ts, const clauses *from, general_numbers *numbers);
/* What a formula about a predicate of those says about the predicate of the clauses as they were. */
term general_formula_back(terms *ts, const general_numbers *numbers, term formula);

#endif
