/* Assignments of atoms as a decision diagram. */
#ifndef WHET_PREDICATE_CELLS_OBDD_H
#define WHET_PREDICATE_CELLS_OBDD_H

#include "predicate/allsat.h"
#include "set/obdd.h"

/* The disjunction of the rows, where `bits` stands for the atoms. Rows are sorted, those with an atom before those
 * without it, as allsat_cells gives them. */
obdd cells_to_obdd(obdds *b, const cells *c, const obdd *bits);

#endif
