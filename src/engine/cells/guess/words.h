/* What formulas about cells are guessed from, for each relation of a problem (cells.h):
 *
 *   points     sums of arguments at which something may change along an array: 0, i, i + 1, n
 *   facts      comparisons of such, and of others of one class: formulas without cells
 *   literals   where a cell is: index < point, index >= point; of two indices also how they are related; and how
 *              arguments are
 *   goals      what may hold of the elements there: a[i] <= x, a[i] = b[i], a[i] <= a[j]
 *
 * A guess is a fact, or a goal that holds unless one of at most SLOTS literals does, one of each slot. */
#ifndef WHET_ENGINE_CELLS_GUESS_WORDS_H
#define WHET_ENGINE_CELLS_GUESS_WORDS_H

#include "engine/cells/cells.h"
#include "engine/cells/guess/classes.h"

/* Of each index, SLOT_BOUNDS + 2 * index has literals index < point, the next one index >= point; SLOT_PAIRS and the following
 * have those about two indices, STATE those about none. */
enum { MOST_LITERALS = 128, MOST_PAIRS = 3 };
typedef enum guess_slot {
  SLOT_BOUNDS,
  SLOT_PAIRS = SLOT_BOUNDS + 2 * MOST_INDICES,
  SLOT_STATE = SLOT_PAIRS + MOST_PAIRS,
  SLOTS
} guess_slot;

typedef struct guess_literal {
  term formula;     /* over the parameters of the relation */
  uint32_t slot;    /* a guess_slot, or one after it */
  uint32_t point;   /* of bounds */
  bool is_distance; /* of a pair: says how far apart the indices are; for GOAL_ACROSS */
  bool is_of_one;   /* about no other cell than the first */
} guess_literal;

/* About one cell, the first; about more; about two of different arrays that depend on how far apart they are. */
typedef enum goal_kind { GOAL_OF_ONE, GOAL_OF_MORE, GOAL_ACROSS } goal_kind;

typedef struct guess_words {
  term_vector points, facts, goals;
  VECTOR(goal_kind) kinds; /* by goal */
  VECTOR(guess_literal) literals;
} guess_words;

/* Those of a relation. Not `with_all`: without literals about arguments alone, and
 * those about distances only for arrays whose elements have no order. */
void guess_words_make(const cell_problem *c, term_classes *k, uint32_t predicate, bool with_all, guess_words *out);
void guess_words_clear(guess_words *w);

#endif
