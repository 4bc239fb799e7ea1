/* What pdr gives to other engines, and what it takes from them besides facts. */
#ifndef WHET_ENGINE_PDR_SHARE_H
#define WHET_ENGINE_PDR_SHARE_H

#include "engine/pdr/frames.h"

typedef struct sharing {
  engine_environment *env;
  unrolling *unrolling;
  frames *frames;
  uint64_t send_at; /* work at which lemmas are sent next */
  term_vector sent;
  size_t offers_tried, hints_tried;
} sharing;

void sharing_init(sharing *s, engine_environment *env, unrolling *u, frames *f);
void sharing_clear(sharing *s);
/* Lemmas of the last frame that are inductive together go to the others; now and then, as work goes on. */
void sharing_send(sharing *s);
/* The lemmas of the last frame that are inductive together, given the facts; none if the budget is spent. */
void sharing_find(const sharing *s, term_vector *out);
/* Predicates of others that no step and no initial state breaks, as far as the last frame goes, become lemmas. */
void sharing_take(sharing *s);

#endif
