/* Deciding a property: an engine in a worker, then the checker in another, then an outcome.
 *
 *     engine worker:  model -> passes -> engine -> claim -> way back -> certificate text about the model as read
 *     check worker:   that text, read as hostile -> the obligations of proof/check/check.h on the model as read
 * The parent believes only the check. Whatever else happens (limits, crashes, garbage, evidence that does not hold) is
 * UNKNOWN with a reason. */
#ifndef WHET_RUN_OUTCOME_H
#define WHET_RUN_OUTCOME_H

#include "engine/engine.h"

typedef VECTOR(char *) string_vector;

typedef enum run_event { RUN_NOTE, RUN_PROGRESS, RUN_WARNING } run_event;

typedef struct run_settings {
  model *model;     /* as read; only terms are added to it */
  const char *path; /* where it was read from */
  const options *options;
  struct shared_facts *shared_facts; /* what engines share; NULL: there is one engine, which works alone */
  size_t engine_count;               /* 0 with `knowledge`: those that a look at the model suggests */
  const engine *const *engines;      /* in this order */
  double started;                    /* when the time limit began to run, in clock_seconds() */
  /* Formulas of whet's language about `model`, a line each: appended. NULL where engines need not hear from each other.
   */
  bool (*read_formulas)(model *m, const char *lines, term_vector *out);
  term_vector facts;         /* for engine_environment.facts: about the model as read, and inductive on it */
  bool wants_product;        /* ask for the engine's product; the model is then taken as read */
  const volatile bool *stop; /* may be NULL */
  void (*tell)(void *context, run_event kind, const char *line); /* may be NULL */
  void *context;
} run_settings;

typedef struct used_fact {
  const char *prover; /* an engine's name */
  char *formula;
} used_fact;

typedef struct outcome {
  size_t property;
  verdict verdict;
  char *reason;         /* for VERDICT_UNKNOWN, else NULL */
  const engine *engine; /* who decided, or who was tried last; NULL where none was */
  bool checked;         /* the evidence was accepted */
  bool is_vacuous;      /* it holds because the model has no initial state */
  bool internal_error;  /* an engine crashed, or its evidence was rejected */
  char *repro;          /* the file that holds rejected evidence, or NULL */
  char *product;        /* where one was asked for and made, else NULL */
  char *lemmas;       /* what an engine found to hold in every reachable state: lines as in a file of lemmas; or NULL */
  char *certificate;  /* the accepted evidence as text, or NULL */
  char *invariant;    /* the same in the model's language, where asked for and it is an invariant: lines as in a file of
                         lemmas; or NULL */
  evidence_kind kind; /* of that evidence */
  evidence evidence;  /* itself, where it is a run that breaks the property, or graphs of the heap; else empty */
  statistics statistics;
  double seconds;
  string_vector iterations; /* JSON objects */
  string_vector predicates;
  VECTOR(used_fact) facts; /* that the evidence builds on */
} outcome;

/* By one engine, which works alone. `properties_left` counts this one and those that will follow: the time that is left
 * is shared among them. */
void run_property(const run_settings *s, size_t property, size_t properties_left, GIVE outcome *out);
void outcome_free(outcome *o); /* what it holds */

#endif
