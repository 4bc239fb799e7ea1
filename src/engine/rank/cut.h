/* Places that every run without end comes to again and again: the targets of steps back in the graph of places. Of a model that has not one
 * place, all states. */
#ifndef WHET_ENGINE_RANK_CUT_H
#define WHET_ENGINE_RANK_CUT_H

#include "model/model.h"

typedef struct place_cut {
  term cut;          /* over states: the run is at such a place */
  term between;      /* an integer that falls by each step to any other place, from at least 0 */
  term_vector tests; /* for each of these places, that the run is there; none if all states count */
} place_cut;

void place_cut_open(const model *m, place_cut *out);
void place_cut_clear(place_cut *c);

#endif
