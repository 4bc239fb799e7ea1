/* Proofs by predicate abstraction of cells: of each relation about two cells of its arrays (cells.h), which combinations of truth values
 * of some atoms can be derived. Identical processes are cells of arrays (input/whet/copies/copies.h), so these are the states in which any
 * two of them can be, with what all share; how many processes there are does not matter.
 *
 * The atoms compare what is compared in the clauses: elements, arguments and numbers of one class (guess/classes.h), and indices. If the
 * combinations that are found break the property, nothing is known. */
#ifndef WHET_ENGINE_CELLS_PAIRS_PAIRS_H
#define WHET_ENGINE_CELLS_PAIRS_PAIRS_H

#include "engine/cells/cells.h"
#include "engine/cells/guess/classes.h"

typedef struct pair_run pair_run;

/* NULL if cells have more than one index. */
GIVE pair_run *pair_run_new(engine_environment *env);
void pair_run_free(TAKE pair_run *r);

typedef enum pair_end {
  PAIRS_PROVED, /* `pair_run_interpretation` has the formulas */
  PAIRS_PAUSED, /* that much work was done, about; the next call goes on */
  PAIRS_NONE,   /* the atoms are too few, the combinations too many, or the budget is spent */
} pair_end;

pair_end pair_run_go_on(pair_run *r, uint64_t work);
/* After a proof, by predicate: formulas over its parameters and these indices. */
KEEP const term_vector *pair_run_interpretation(const pair_run *r, const variable **indices, size_t *count);
typedef struct pair_counts {
  size_t atoms, combinations, scans;
} pair_counts;
pair_counts pair_run_counts(const pair_run *r);

/* The atoms about a relation, over its parameters (atoms.c). */
void pair_atoms(const cell_problem *c, term_classes *k, uint32_t predicate, term_vector *out);

#endif
