/* A model and a property as sets of integer points and relations between them. */
#ifndef WHET_ENGINE_FBAR_PROBLEM_H
#define WHET_ENGINE_FBAR_PROBLEM_H

#include "engine/engine.h"
#include "engine/fbar/presburger_space.h"

enum {
  LONGEST_CYCLE = 6,            /* transitions of a cycle that is accelerated */
  PROBLEM_OPERATIONS = 1000000, /* that the library of integer sets may do for one question: some seconds */
};

/* One or more rounds of a cycle of transitions, as one step. */
typedef struct acceleration {
  uint32_t cycle[LONGEST_CYCLE];   /* transitions */
  uint32_t letters[LONGEST_CYCLE]; /* while it is made: accelerate.c */
  size_t length;
  relation *rounds;
} acceleration;

typedef struct problem {
  engine_environment *env;
  const model *model;
  terms *ts;
  presburger *sets;
  const frame *frame;         /* the state variables, in the model's order */
  term known;                 /* the types and what was proved before */
  region *all, *first, *last; /* what is known; the initial states; the bad states */
  relation_vector steps;      /* by transition */
  VECTOR(acceleration) accelerations;
  relation *every; /* all of them */
  presburger_space space;
} problem;

/* NULL if all is well, else what cannot be treated. Either way the problem is to be freed. */
KEEP const char *problem_open(problem *p, engine_environment *env);
void problem_close(problem *p);
/* The transition as a relation within what is known. */
GIVE relation *problem_relation(const problem *p, const transition *t);

/* It as a formula. */
term problem_step(const problem *p, const transition *t);

/* pieces.c: bounds of variables that come from what is assigned to them; together with the types they are inductive. */
term problem_bounds(problem *p);
/* Relations without alternatives, appended, that are transition `t` together; none if they are too many. */
void problem_pieces(problem *p, uint32_t t, relation_vector *out);

/* accelerate.c: adds exact closures of transitions and of short cycles of them. */
void problem_accelerate(problem *p);
/* Sends other engines, as hints, which relations between variables hold after any number of rounds from the first
 * states. */
void problem_hint(const problem *p);

#endif
