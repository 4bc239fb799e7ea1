/* The inside of a walk: clause_walk.c derives facts with it, and the engine `walk` makes long runs (walk/long_run.h). */
#ifndef WHET_ENGINE_CLAUSE_WALK_INSIDE_H
#define WHET_ENGINE_CLAUSE_WALK_INSIDE_H

#include "base/random.h"
#include "engine/clause_walk.h"
#include "proof/replay/clause_plan.h"
#include "term/array_value.h"
#include "term/exact_code.h"

/* How often a way is tried, if there is something to choose; the work of a step besides that of its tries. */
enum { TRIES = 6, WORK_OF_STEP = 4 };

/* coefficient * var + rest <= 0, if the variables of `rest` have values. */
typedef struct open_bound {
  variable var;
  number coefficient;
  exact_code *rest;
  exact_place value; /* of it */
} open_bound;

/* A way to use a clause: some truth values are fixed. */
typedef struct clause_way {
  uint32_t clause;
  clause_plan *plan;
  bool is_chosen; /* some variable */
  size_t work;    /* of a try */
  VECTOR(open_bound) bounds;
  term_vector divisors; /* that must not be 0: SMT-LIB gives such a division no value */
} clause_way;

typedef struct clause_use {
  uint32_t way, atom;
} clause_use;
typedef VECTOR(clause_use) clause_uses;

struct clause_walk {
  terms *ts;
  const clauses *all;
  budget *budget;
  ground_facts known;
  random_source random;
  VECTOR(clause_way) ways;
  index_vector starts;
  clause_uses *queries, *steps; /* by predicate: atoms of bodies */
  array_mark before;            /* the arrays that are not of runs */
  number_vector constants;      /* of the clauses */
  VECTOR(number_vector) pools;  /* by size, nesting and sort of elements: arrays */
  unsigned nesting;             /* the most of any variable */
  size_t size;                  /* of what is chosen in this run */
  uint32_t way;                 /* which is tried */
  bool has_run, is_open;        /* there was a choice */
  array_versions *arrays;       /* of a long run (walk/long_run.h); NULL while facts are derived one by one */
  bool is_wide;                 /* numbers are chosen from all of what their bounds allow */
};

/* The value for a variable that is chosen. */
number clause_walk_choose(void *walk, variable v, const number *values);
/* What is chosen in this run is about as large as that. */
void clause_walk_set_size(clause_walk *w, size_t size);

#endif
