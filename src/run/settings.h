/* What a run is given: the model, the engines, the limits, and the function that gets notes. */
#ifndef WHET_RUN_SETTINGS_H
#define WHET_RUN_SETTINGS_H

#include "engine/engine.h"

typedef enum run_event { RUN_NOTE, RUN_PROGRESS, RUN_WARNING } run_event;

typedef struct run_settings {
  model *model;     /* as read; only terms are added to it */
  const char *path; /* where it was read from */
  const options *options;
  struct shared_facts *shared_facts; /* what engines share; NULL: there is one engine, which works alone */
  struct fact_folder *fact_folder; /* of facts that other processes share; NULL: none, or not without `shared_facts` */
  size_t engine_count;             /* 0 with `shared_facts`: those that a look at the model suggests */
  const engine *const *engines;    /* in this order */
  double started;                  /* when the time limit began to run, in clock_seconds() */
  term_vector facts;               /* for engine_environment.facts: about the model as read, and inductive on it */
  bool wants_product;              /* ask for the engine's product; the model is then taken as read */
  bool wants_tests;                /* that product is to be runs */
  bool wants_likely;               /* engines tell what the states they saw have in common */
  const atomic_bool *stop;         /* may be NULL */
  void (*report)(void *context, run_event kind, const char *line); /* may be NULL */
  void *context;
} run_settings;

static inline bool settings_stopped(const run_settings *s) { return s->stop && *s->stop; }

static inline void settings_report(const run_settings *s, run_event kind, const char *line) {
  if (s->report) s->report(s->context, kind, line);
}

#endif
