/* Runs and repairs until the property is proved or an error is real: the three refinements of Gulavani, Rajamani 2006,
 * the last one with its two heuristics. */
#ifndef WHET_ENGINE_WIDEN_REPAIR_H
#define WHET_ENGINE_WIDEN_REPAIR_H

#include "engine/events.h"
#include "engine/widen/refine.h"

typedef enum repair_method {
  REPAIR_SYSTEMATIC, /* SARefinement, Fig. 4(c): union or [+], both are tried; a run is met with the one before */
  REPAIR_MONOTONIC,  /* MARefinement, Fig. 4(a): union only; a run is met with the one before */
  REPAIR_BASIC,      /* AbsRefine, Fig. 2: union only; a run depends on hints alone and ends at its first error */
} repair_method;

typedef struct repair_style {
  schedule schedule;
  repair_method method;
  bool union_first;   /* of two ways to repair, tries the union before [+] */
  bool connect_again; /* allows [+] twice in a row: without heuristic 1 */
  bool oldest_first;  /* of all repairs that are open, the oldest is next; else the newest */
  bool tells_errors;  /* events say what the counterexample of each run is */
} repair_style;

typedef enum repair_end {
  REPAIR_GOES_ON,
  REPAIR_PROVED,
  REPAIR_REAL,   /* an error that the domain cannot distinguish from a real one */
  REPAIR_FAILED, /* for `failure` */
} repair_end;

typedef struct repair repair;

/* `name` says whose events these are; `d`, `e` and `name` outlive it. */
GIVE repair *repair_new(const domain *d, repair_style style, const char *name, events *e);
void repair_free(TAKE repair *r);
/* One fixpoint and the repair it asks for. */
repair_end repair_step(repair *r, budget *b);
KEEP const char *repair_failure(const repair *r);
/* The last run that came to its end and was not cut at an error, or NULL. Whatever it met, what it reached is closed under steps. */
KEEP const run *repair_run(const repair *r);
/* The first one that did: the simplest, before anything was repaired. */
KEEP const run *repair_first_run(const repair *r);
/* After REPAIR_REAL. */
KEEP const refinement *repair_error(const repair *r);
/* On the branch of the last run: steps turned into unions, and into [+]. How many runs there were in all. */
void repair_count(const repair *r, size_t *unions, size_t *connects, size_t *runs);

#endif
