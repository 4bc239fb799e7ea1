/* Temporal properties of a system whose states have been found, all or some. */
#ifndef WHET_ENGINE_EXPLICIT_TEMPORAL_H
#define WHET_ENGINE_EXPLICIT_TEMPORAL_H

#include "engine/explicit/search.h"

/* The verdict, with its evidence: a run with a loop, or all states with their steps. NULL, or why there is none. */
KEEP const char *temporal_claim(search *s, claim *out);

/* Looks for a run that breaks the property in what has been found so far: formulas of LTL, and universal ones of CTL and CTL*. */
typedef struct run_finder {
  bool is_able;
  uint64_t next;        /* look when there are that many states */
  uint64_t work_before; /* at the last look: a look may spend as much as the search since */
  term is_unknown;
  property weaker; /* holds on every run that leaves the states found */
} run_finder;

void run_finder_init(run_finder *f, const search *s);
/* True if there is one: the claim is made. */
bool run_finder_look(run_finder *f, search *s, claim *out);

#endif
