/* What is known of a property in the end: a verdict with evidence that was checked, or UNKNOWN with a reason. */
#ifndef WHET_RUN_OUTCOME_H
#define WHET_RUN_OUTCOME_H

#include "engine/engine.h"
#include "run/program/loop_invariants.h"

typedef VECTOR(char *) string_vector;
void strings_clear(string_vector *v);

typedef struct used_fact {
  const char *prover; /* an engine's name */
  char *formula;
} used_fact;

/* Candidates from states that engines saw (run/likely_facts.h). */
typedef struct likely_outcome {
  string_vector offered;   /* all that were looked at */
  string_vector inductive; /* those that hold in every reachable state */
} likely_outcome;

typedef struct outcome {
  size_t property;
  verdict verdict;
  char *reason;                /* for VERDICT_UNKNOWN, else NULL */
  const engine *engine;        /* who decided, or who was tried last; NULL if none was */
  bool checked;                /* the evidence was accepted */
  bool is_vacuous;             /* it holds and says nothing */
  char *why_vacuous;           /* why that is so, or NULL */
  string_vector never_enabled; /* names of actions, as the evidence shows */
  bool internal_error;         /* an engine crashed, or its evidence was rejected */
  char *repro;                 /* the file that holds rejected evidence, or NULL */
  char *product;               /* if one was asked for and made, else NULL */
  char *lemmas;      /* what an engine found to hold in every reachable state: lines as in a file of lemmas; or NULL */
  char *certificate; /* the accepted evidence as text, or NULL */
  char *invariant;   /* the same in the model's language, if asked for and it is an invariant: lines as in a file of
                         lemmas; or NULL */
  loop_invariants loops; /* of a C program, if asked for: what the evidence says at the heads of its loops */
  evidence_kind kind;    /* of that evidence */
  evidence evidence;     /* itself, if it is a run that breaks the property, or graphs of the heap; else empty */
  statistics statistics;
  double seconds;
  string_vector iterations; /* JSON objects */
  string_vector predicates;
  VECTOR(used_fact) facts; /* that the evidence builds on */
  likely_outcome likely;
} outcome;

void outcome_clear(outcome *o); /* what it holds */
void outcome_set_unknown(outcome *o, TAKE char *reason);

#endif
