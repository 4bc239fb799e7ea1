/* Taking the steps of states one after another, and noting what they show: for searches breadth first. */
#ifndef WHET_ENGINE_EXPLICIT_EXPAND_H
#define WHET_ENGINE_EXPLICIT_EXPAND_H

#include "engine/explicit/search.h"

typedef struct expanded {
  violation violation; /* of the property, by a step or for want of one; its `state` is what the caller calls it */
  expansion gaps;      /* what all expansions together lack */
  uint64_t taken;
  bool has_misfit; /* a value does not fit its field */
  size_t misfit;
  int64_t misfit_value;
  bool is_stopped; /* by the budget, at which member 0 looks */
} expanded;

void expanded_clear(expanded *e); /* what it holds */
void expanded_begin(expanded *e); /* for other states */

/* Calls `add` with each successor. False if the states that come after it need not be looked at. */
bool expand_state(search *s, unsigned member, const uint64_t *packed, uint64_t state,
                  void (*add)(void *context, const uint64_t *packed), void *context, expanded *out);
/* The violation of some states becomes that of the search. */
void expanded_take_violation(search *s, const violation *found);

#endif
