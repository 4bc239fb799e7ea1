/* Guesses about one relation: those formulas over its words (words.h) that hold at all points seen so far, the strongest
 * ones. A point is a value for each parameter of the relation: concrete ones at first, then those that refute guesses.
 *
 * Of goals there are many guesses. They are kept as those from which no literal can be left out, or be replaced by a
 * stronger one, so that all points are still right: the others follow. A point that one of them is wrong at replaces it by those that
 * are a little weaker. */
#ifndef WHET_ENGINE_CELLS_GUESS_GUESSES_H
#define WHET_ENGINE_CELLS_GUESS_GUESSES_H

#include "engine/cells/guess/words.h"
#include "model/trace.h"
#include "term/evaluate.h"

#define NO_LITERAL UINT32_MAX
#define NO_GOAL UINT32_MAX

/* Of the literals of the words, which are at most MOST_LITERALS. */
typedef struct literal_set {
  uint64_t word[MOST_LITERALS / 64];
} literal_set;
typedef VECTOR(literal_set) literal_sets;

typedef struct guess {
  term formula;  /* over the parameters */
  uint32_t goal; /* of the words; or NO_GOAL, then it is a fact: */
  uint32_t fact;
  uint32_t literals[SLOTS]; /* of the words, or NO_LITERAL */
} guess;

typedef struct guesses {
  terms *ts;
  guess_words words;
  const variable_vector *parameters;
  VECTOR(guess) list;
  /* Inside. */
  code *code; /* of facts, literals and goals, which are `count` */
  VECTOR(uint32_t) slots;
  size_t count;
  literal_sets points;    /* the literals that hold at each */
  bool *is_refuted;       /* by fact */
  literal_sets *refuting; /* by goal: of points at which it does not hold, those literals that may stand with it; only
                             sets of which no other is a part */
  VECTOR(bool) is_less;   /* of two points of the words, in a table: the first is known to be at most the second */
} guesses;

/* Takes the words. All others outlive it. */
void guesses_open(guesses *g, terms *ts, guess_words words, const variable_vector *parameters);
void guesses_close(guesses *g);

/* A point, before or after guesses are made; those that are wrong at it go, or become weaker. True if any did. */
bool guesses_add_point(guesses *g, const number *values);
/* All facts that hold at the points. */
void guesses_make_facts(guesses *g);
/* The facts that are guessed are true from now on; then of all goals the guesses that hold at the points. */
void guesses_make_of_goals(guesses *g, budget *b);

#endif
