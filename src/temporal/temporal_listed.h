/* A temporal property on a finite system whose states and steps are listed: the states that a search of the concrete
 * system found, or the blocks of an exact abstraction. States are numbered, their numbers or codes become bits, and
 * temporal/temporal.h does the rest. */
#ifndef WHET_TEMPORAL_TEMPORAL_LISTED_H
#define WHET_TEMPORAL_TEMPORAL_LISTED_H

#include "temporal/temporal.h"

typedef struct listed_step {
  uint32_t from, action, to;
} listed_step;

typedef struct listed_system {
  size_t states;
  VECTOR(uint32_t)
  codes; /* of each state, below 2^31, no two the same: diagrams are small if alike states have alike codes. Empty:
            its number */
  VECTOR(uint32_t) initial;
  VECTOR(uint32_t) transitions; /* of each action, the transition of the model: fairness is about these */
  VECTOR(listed_step) steps;    /* in any order */
} listed_system;

void listed_system_clear(listed_system *s); /* what it holds */

/* Does the state formula hold in the state? */
typedef bool listed_truth(void *context, uint32_t state, term t);

/* A path from an initial state. */
typedef struct listed_path {
  VECTOR(uint32_t) states;
  VECTOR(uint32_t) actions; /* actions[i] leads to state i + 1; TEMPORAL_IDLE */
  size_t loop;              /* TEMPORAL_NO_LOOP, or as in finite_branch */
} listed_path;

void listed_path_clear(listed_path *p); /* what it holds */

typedef struct listed_answer {
  answer holds;
  double deadlocks;  /* how many states have no step */
  bool has_fair_run; /* from some initial state; if not, a formula about runs is true or false for want of any */
  bool has_path;     /* it fails, and this path begins to show how */
  bool is_whole;     /* the path shows it alone */
  listed_path path;  /* owned */
} listed_answer;

/* `m` gives the fairness, `p` the formula. `node_limit` is that of the diagrams; no others may live. */
listed_answer listed_check(const model *m, const property *p, const listed_system *s, listed_truth *truth,
                           void *context, size_t node_limit, budget *b);

#endif
