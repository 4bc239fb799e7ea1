/* What an engine is: a constant table of functions. What it may touch: the environment it is given.
 *
 * An engine decides one property of one model. `step` does one iteration and returns, so that budgets, progress and
 * interrupts get their turn; a step that runs long asks `budget_spent` inside. When it is done, it fills the claim. It
 * need not be right: whatever it claims is checked on the model as read before anybody sees it. Engines run in worker
 * processes (process/worker.h). */
#ifndef WHET_ENGINE_ENGINE_H
#define WHET_ENGINE_ENGINE_H

#include "base/budget.h"
#include "base/options.h"
#include "base/statistics.h"
#include "engine/events.h"
#include "model/model.h"
#include "proof/evidence.h"
#include "solver/solver.h"
#include "store/space_estimate.h"

typedef enum verdict { VERDICT_UNKNOWN, VERDICT_SAFE, VERDICT_UNSAFE, VERDICT_HOLDS, VERDICT_FAILS } verdict;

typedef struct claim {
  verdict verdict;
  evidence evidence;
  char *reason; /* for VERDICT_UNKNOWN; owned */
} claim;

void claim_clear(claim *c); /* what it holds */

typedef struct engine_environment {
  model *model;    /* after the passes; its terms are shared with the model as read */
  size_t property; /* index into model->properties */
  const options *options;
  statistics *statistics;
  budget *budget;
  /* Proved before: each holds in every reachable state, and all together are inductive. An engine may use them, and
   * then sets `used_facts`: its invariant need be inductive only if they hold, for they are added to it. */
  term_vector facts;
  bool used_facts;
  term_vector offers; /* predicates that other engines found useful */
  term_vector hints;  /* those that came since `open` and are worth having at once; earlier ones are of the model */
  bool is_whole;      /* the model has all variables of the one as read */
  size_t cores;       /* that it may use at once; 1 if others share the machine with it */
  bool wants_product; /* `whet quotient`, `whet invariants`: the engine's product is asked for, not only the verdict */
  bool wants_tests;   /* that product is to be runs: `whet tests` */
  bool wants_facts;   /* nothing is asked but what holds in every reachable state, for events_lemmas */
  bool wants_likely;  /* what states that were seen have in common is of use to others: events_likely */
  bool
      wants_invariant; /* the model was made from clauses, for which an inductive invariant is better evidence than induction over several steps */
  bool takes_induction; /* of those: the latter is evidence too, if states need not differ */
  events *events;       /* iterations, notes, progress: engine/events.h */
  /* The i-th text of what is in `facts` once this step ends, formulas a line each, also those that this engine has
   * sent; NULL after the last. For engines whose steps are long. NULL if there is no source of facts. */
  const char *(*facts_waiting)(const struct engine_environment *env, size_t i);
  const void *facts_source; /* for `facts_waiting` */
} engine_environment;

typedef enum engine_status { ENGINE_GOES_ON, ENGINE_DONE } engine_status;

/* `out` becomes VERDICT_UNKNOWN for this reason, which is copied, and loses what it held. ENGINE_DONE. */
engine_status claim_give_up(claim *out, const char *reason);

/* What a model or property must not have for the engine to treat it. */
enum engine_limits {
  ENGINE_NO_HEAP = 1,      /* no node variables */
  ENGINE_NO_TEMPORAL = 2,  /* no CTL, LTL, mu-calculus */
  ENGINE_ONLY_CLAUSES = 4, /* nothing but Horn clauses */
};

typedef struct engine {
  const char *name;  /* as on the command line */
  const char *title; /* one line */
  const char *paper; /* where the method comes from; "" if it is folklore */
  unsigned limits;   /* enum engine_limits: checked before `open`, answered UNKNOWN by name */
  void *(*open)(engine_environment *env);
  engine_status (*step)(void *state, claim *out);
  void (*close)(void *state);
  bool treats_trees;             /* clauses with several predicates in a body, of which there is no transition system */
  bool treats_procedures;        /* of such clauses, those of a program with recursive procedures */
  bool treats_end_of_procedures; /* whether every run of such a program ends (PROPERTY_ENDS) */
  bool treats_arrays;            /* arrays of any length, which only clauses have */
  bool treats_reals;             /* variables and constants of sort real */
  bool treats_real_clauses;      /* the same, but only of Horn clauses */
  bool lists_states; /* its evidence is a list of states: to a variable that a pass merged nothing can be added there */
  bool provides_facts; /* knows `wants_facts`, with any property */
  bool uses_facts;     /* of the environment: worth another try once there are new ones */
  /* Called between two steps, when `facts` or `offers` of the environment have grown. NULL: the engine reads them in
   * `open` or in its first step. */
  void (*learn)(void *state);
  /* Whether an engine that has not done much should start again with this new fact, because what it did without the
   * fact slows it down. NULL is never. */
  bool (*restarts_with)(const terms *ts, term fact);
  /* True if the engine wants the model as read, not made smaller by passes; NULL is never. */
  bool (*wants_model_as_read)(const options *o, const model *m, size_t property);
  /* How many states it would find, for `whet estimate`; the property is one of states that nothing breaks. NULL: it does not say. */
  void (*estimate)(engine_environment *env, uint64_t sample, uint64_t seed, space_estimate_listener *listen,
                   void *context, space_estimate *out);
} engine;

/* `engine_explicit` and so on: the tables of engines.def. */
#define ENGINE(NAME) extern const engine engine_##NAME;
#include "engine/engines.def"
#undef ENGINE

/* The engines in the order of engines.def. */
size_t engines_count(void);
KEEP const engine *engines_at(size_t i);
KEEP const engine *engines_find(const char *name);

#endif
