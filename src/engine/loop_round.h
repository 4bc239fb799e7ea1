/* What any number of rounds of a loop leads from (Lakhnech, Bensalem, Berezin, Owre 2001, Fig. 5), for engines that
 * analyse counterexamples with loops. */
#ifndef WHET_ENGINE_LOOP_ROUND_H
#define WHET_ENGINE_LOOP_ROUND_H

#include "set/presburger.h"

/* One round, as a relation between the variables `data` and variable_next of them. */
typedef struct loop_round {
  presburger *sets;
  variable_vector data;
  variable_vector hidden; /* that exist: inputs, states on the way */
  term step;              /* over all these; says itself that `data` and `hidden` are within their types */
} loop_round;

void loop_round_clear(loop_round *r);
/* The states from which any number of rounds, also none, leads into `goal` (over `data`), as a formula; an upper bound
 * of it if nothing better is known. False if it cannot be computed. */
bool loop_round_before(const loop_round *r, term goal, bool keep_divisions, term *out);

#endif
