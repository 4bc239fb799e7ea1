/* How many states a search of explicit would find, from a sample of them (engine/explicit/estimate/sample.h), and what it would take.
 *
 *   at least   what was found; and with a margin, what the meetings of independent runs show (engine/explicit/estimate/collisions.h)
 *   at most    what the types allow; and if the sample missed nothing rare, the states in which any two or three variables have values that were
 *              seen together (engine/explicit/estimate/closure.h)
 * Nothing of this is a verdict, and nobody relies on it. */
#ifndef WHET_STORE_SPACE_ESTIMATE_H
#define WHET_STORE_SPACE_ESTIMATE_H

#include "base/base.h"

/* Numbers end here: this one stands for all larger ones. */
#define SPACE_MOST 1e300

typedef struct space_estimate {
  bool is_final; /* nothing more will be known */
  bool is_exact; /* all states were found: `found` is the number */
  bool
      may_be_endless; /* a type, or what could be tried, has no end; `high`, if it is a number, rests on what `why` says */
  uint64_t found;     /* states, each once */
  uint64_t initial, searched, depth, runs, meetings;
  double low, middle, high; /* the interval and a number in it */
  double by_type;           /* certainly at most so many; may be infinite */
  double values, pairs, triples, by_meetings;
  char *why;         /* what makes the number uncertain beyond the interval; owned, may be NULL */
  const char *spent; /* why the sample is smaller than was asked for; NULL if it is not */
  uint64_t bytes;    /* of a packed state, */
  double disk_bytes; /* of a state on disk */
  double seconds;    /* of the processor, for the steps of a state */
  double steps;      /* of a state */
  uint64_t sample;   /* what was asked for */
} space_estimate;

void space_estimate_clear(space_estimate *e); /* what it holds */

/* Called with what is known so far, several times. */
typedef void space_estimate_listener(void *context, const space_estimate *e);
/* Bytes of memory, bytes on disk and seconds of the processor of a search that finds so many states. */
double space_estimate_memory(const space_estimate *e, double states);
double space_estimate_disk(const space_estimate *e, double states);
double space_estimate_seconds(const space_estimate *e, double states, bool on_disk);

#endif
