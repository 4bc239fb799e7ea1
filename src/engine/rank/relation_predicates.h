/* Predicates over an earlier state and the state now, for transition invariants (relate.h), and the measures of which some of them say that
 * they have fallen. */
#ifndef WHET_ENGINE_RANK_RELATION_PREDICATES_H
#define WHET_ENGINE_RANK_RELATION_PREDICATES_H

#include "engine/rank/cut.h"
#include "engine/rank/relate.h"
#include "engine/rank/relation_histories.h"

enum { MOST_RELATION_PREDICATES = 160 };

typedef struct relation_measure {
  term measure;
  uint32_t falls; /* the predicate: it was at least 0 earlier, and is less now */
} relation_measure;

typedef struct relation_predicates {
  const model *model;
  terms *ts;
  variable_vector earlier; /* stand for the state variables in an earlier state */
  term_vector at;
  uint32_t places; /* the first so many are about places alone, now or earlier */
  bool has_cut;    /* the first says that the state now is not at the cut */
  VECTOR(relation_measure) measures;
  relation_histories histories; /* each is a predicate too */
} relation_predicates;

/* False if there would be too many. With histories if `has_fairness`. `m` outlives it. */
bool relation_predicates_open(const model *m, relation_level level, const place_cut *cut, const term_vector *features,
                              bool has_fairness, relation_predicates *out);
void relation_predicates_clear(relation_predicates *p);
/* `t`, over states, in the earlier state. */
term relation_earlier(const relation_predicates *p, term t);
/* False if it is known, or there would be too many. */
bool relation_predicates_add(relation_predicates *p, term predicate);
/* That it falls becomes a predicate, and what must hold for that before each end of the word. False if nothing of that was new. */
bool relation_predicates_refine(relation_predicates *p, term measure, const transition_cases *word);
/* A predicate over states and next states: the earlier one is the state, and the one now the next. */
term relation_of_two(const relation_predicates *p, term predicate);

#endif
