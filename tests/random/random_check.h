/* An engine against the oracles, on random models: never a wrong verdict, evidence that is accepted, few UNKNOWNs.
 *
 * Each model is looked at in a process of its own, so that a crash, a leak or a hang is a finding like any other. A
 * finding is printed with its seed and text, made small, and written to the folder `findings` of the build. */
#ifndef WHET_TESTS_RANDOM_CHECK_H
#define WHET_TESTS_RANDOM_CHECK_H

#include "random/random_model.h"

typedef struct random_check {
  const char *engine;
  const char *knobs;   /* by name: random_knobs_find */
  const char *options; /* "order=dfs threads=2"; NULL: none */
  uint64_t first_seed;
  unsigned seeds;
  size_t limit;          /* states that the slow meaning explores; 0: 2000 */
  unsigned unroll_every; /* every so many models Z3 unrolls the model too; 0: never */
  unsigned reread_every; /* every so many models evidence goes through a certificate and is checked again; 0: never */
  bool shortest;         /* traces must be the shortest there are */
  bool complete;         /* UNKNOWN is a finding if the slow meaning saw every state */
  uint64_t work;         /* counted, of the engine on one property (base/work.h); 0: 20 million */
} random_check;

typedef struct random_tally {
  unsigned models;                /* looked at */
  unsigned safe, unsafe, unknown; /* verdicts of the engine, over all state properties */
  unsigned decided;               /* verdicts that an oracle confirmed */
  unsigned unchecked; /* verdicts whose evidence the checker neither accepted nor rejected: users see UNKNOWN */
  unsigned unrolled;  /* properties on which Z3 had something to say */
  unsigned findings;
} random_tally;

/* Findings are printed as TAP comments. */
random_tally random_check_run(const random_check *c);
/* One text. NULL if all is well, else what is wrong. */
GIVE char *random_check_text(const random_check *c, const char *source, random_tally *tally);

#endif
