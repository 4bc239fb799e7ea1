/* Proofs by guessed formulas about cells: those that hold in some concrete runs (engine/clause_walk.h), and of those the
 * ones that are inductive together (C. Flanagan, K. R. M. Leino: Houdini, an Annotation Assistant for ESC/Java, FME 2001).
 * Formulas without cells first, then about one cell of each array, then about two. */
#ifndef WHET_ENGINE_CELLS_GUESS_GUESS_H
#define WHET_ENGINE_CELLS_GUESS_GUESS_H

#include "engine/cells/cells.h"

typedef struct guess_run guess_run;

/* Uses `c`, which outlives it, for its own problems. */
GIVE guess_run *guess_run_new(cell_problem *c);
void guess_run_free(TAKE guess_run *r);

typedef enum guess_end {
  GUESS_PROVED, /* `guess_run_interpretation` has the formulas */
  GUESS_MORE,   /* not with so many cells */
  GUESS_NONE,   /* there is no use in guessing on: a run breaks the property, all was tried, or the budget is spent */
} guess_end;

/* Guesses with one cell at the first call, with two at the second. */
guess_end guess_run_next(guess_run *r);
/* After a proof, by predicate: formulas over its parameters and the indices of `c`. */
KEEP const term_vector *guess_run_interpretation(const guess_run *r);
/* How many formulas were there at first and are inductive, and how many points refuted some, of the last call. */
typedef struct guess_counts {
  size_t guessed, kept, refuted;
} guess_counts;
guess_counts guess_run_counts(const guess_run *r);

#endif
