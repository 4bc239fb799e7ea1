/* The finite abstract program (Namjoshi, Kurshan 2000, Fig. 3, step 3): a model of its own over the control variables
 * of the model and a boolean for each old predicate.
 *
 * Its transitions are those of the model, one for one. A new predicate, whose changes are not known, and an atom over
 * inputs are boolean inputs of the transitions that need them, held by the guard to values that go together with the
 * state. */
#ifndef WHET_ENGINE_SYNTACTIC_FINITE_PROGRAM_H
#define WHET_ENGINE_SYNTACTIC_FINITE_PROGRAM_H

#include "engine/syntactic/closure.h"

typedef struct program_bit {
  variable var;
  term atom; /* what it stands for */
} program_bit;

typedef VECTOR(program_bit) program_bits;

typedef struct program_action {
  program_bits inputs;
  term_vector guard; /* its conjuncts: what the model's guard became, then what holds the inputs to possible values */
  size_t own;        /* the first so many are the model's */
} program_action;

typedef struct finite_program {
  const closure *closure;
  model *model; /* over the same terms; without properties at first */
  program_bits bits;
  VECTOR(program_action) actions; /* one a transition */
  term_vector init;        /* its conjuncts: what the model's became, then what else the predicates are at first */
  size_t own_init;         /* the first so many are the model's */
  bool grouped;            /* consistency was expressed for every linear part by itself: cheaper, with more behaviour */
  bool exact;              /* bisimilar to the model */
  char *inexact;           /* why not; owned, NULL if exact */
  const char *trouble;     /* not NULL: there is no program */
  struct map *atom_to_bit; /* index of an old predicate -> `x` of its boolean */
} finite_program;

typedef enum program_consistency { CONSISTENCY_JOINT, CONSISTENCY_GROUPED, CONSISTENCY_ANY } program_consistency;

/* `c` outlives the result. */
GIVE finite_program *finite_program_new(const closure *c, program_consistency how);
void finite_program_free(TAKE finite_program *p);

/* A formula over states whose atoms the closure preserves, in the program. */
term finite_program_map(const finite_program *p, term t);
/* A temporal formula in the program; lives as long as its model. */
KEEP temporal *finite_program_map_temporal(finite_program *p, const temporal *f);
/* A formula of the program, about the model: what the booleans stand for is put in. */
term finite_program_unmap(const finite_program *p, term t);

typedef struct program_obligations {
  size_t all, proved;
  bool fails; /* one of them does not hold: a defect */
} program_obligations;

/* Asks `s`, in which nothing is asserted, whether the program does all that the model does: initial states, guards,
 * what holds inputs to possible values, and every assignment of every action. */
program_obligations finite_program_check(const finite_program *p, solver *s);

#endif
