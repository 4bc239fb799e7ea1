/* Proofs by guessed formulas about cells: those that hold in some concrete runs (engine/clause_walk.h), and of those the
 * ones that are inductive together (C. Flanagan, K. R. M. Leino: Houdini, an Annotation Assistant for ESC/Java, FME 2001).
 * Formulas without cells first, then about one cell of each array, then about two, and about three if those are known to be
 * too few. */
#ifndef WHET_ENGINE_CELLS_GUESS_GUESS_H
#define WHET_ENGINE_CELLS_GUESS_GUESS_H

#include "engine/cells/cells.h"

typedef struct guess_run guess_run;

/* `effort` is 0 at first; with more of it there are more runs, so that fewer guesses are wrong. */
GIVE guess_run *guess_run_new(engine_environment *env, unsigned effort);
void guess_run_free(TAKE guess_run *r);

/* With so many cells something may be found, for fewer are not enough; two are tried in any case. */
void guess_run_allow(guess_run *r, size_t cells);

typedef enum guess_end {
  GUESS_PROVED, /* `guess_run_interpretation` has the formulas */
  GUESS_PAUSED, /* that much work was done, about; the next call goes on */
  GUESS_MORE,   /* not with so many cells; the next call takes more */
  GUESS_NONE,   /* there is no use in guessing on: a run breaks the property, all was tried, or the budget is spent */
} guess_end;

/* Guesses with one cell at first, then with two, then with as many as are allowed. */
guess_end guess_run_go_on(guess_run *r, uint64_t work);
/* After a proof, by predicate: formulas over its parameters and these indices. */
KEEP const term_vector *guess_run_interpretation(const guess_run *r, const variable **indices, size_t *count);
/* How many cells, how many formulas were there at first and are inductive, and how many points refuted some, with as many
 * cells as now. */
typedef struct guess_counts {
  size_t cells, guessed, kept, refuted;
} guess_counts;
guess_counts guess_run_counts(const guess_run *r);
/* The concrete runs came to every predicate. */
bool guess_run_saw_all(const guess_run *r);

#endif
