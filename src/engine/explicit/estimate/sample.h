/* A sample of the states that can be reached: a search breadth first that ends early, and random runs from what is known. All states found are in the
 * store of the search, each once.
 *
 * The last third of the runs are alike and independent of each other, given what was known when they began: each starts at a known
 * state, chosen evenly, and has a random length and random likings for transitions. What they visit beyond the known states is kept, run by run. */
#ifndef WHET_ENGINE_EXPLICIT_ESTIMATE_SAMPLE_H
#define WHET_ENGINE_EXPLICIT_ESTIMATE_SAMPLE_H

#include "base/random.h"
#include "engine/explicit/search.h"

typedef struct space_sample {
  search *search; /* its `spent`: the sample is smaller than was asked for */
  random_source random;
  uint64_t expanded;       /* states whose steps were all taken in the search breadth first */
  uint64_t transitions;    /* steps seen in it */
  uint64_t depth;          /* of the last level that is complete */
  double seconds;          /* of the processor, for it */
  bool is_whole;           /* it found every state */
  uint64_t searched;       /* states that were found breadth first, */
  uint64_t known;          /* and before the runs that are alike */
  VECTOR(uint64_t) starts; /* how many states there were when each run began, of either kind */
  VECTOR(uint32_t) visits; /* what those visited beyond the known states, each time it was visited */
  VECTOR(size_t) ends;     /* of each of these runs, in `visits` */
  uint64_t *packed;        /* room for a state, */
  uint64_t *next;          /* and another one */
} space_sample;

void space_sample_init(space_sample *out, KEEP search *s, uint64_t seed); /* after the search has begun */
void space_sample_clear(space_sample *s);                                 /* what it holds */
/* Takes the steps of up to `states` states. */
void space_sample_search(space_sample *s, uint64_t states);
/* Random runs of about so many steps altogether; what they visit becomes known. */
void space_sample_explore(space_sample *s, uint64_t steps);
/* The runs that are alike. */
void space_sample_measure(space_sample *s, uint64_t steps);

#endif
