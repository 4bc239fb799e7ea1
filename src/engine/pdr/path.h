/* An abstract counterexample: cubes of predicates, the first of which has an initial state and the last a bad one, and
 * a step from each into the next, by one of its states.
 *
 * Each such state was found with values; what made the step possible under them is a conjunction of literals, so that
 * the path is one too: a group of literals for the initial condition, one for each step, one for what is bad. */
#ifndef WHET_ENGINE_PDR_PATH_H
#define WHET_ENGINE_PDR_PATH_H

#include "engine/pdr/block.h"

typedef struct path {
  blocking *b;
  unrolling *unrolling;
  VECTOR(size_t) places; /* the obligations, from the first to the bad one */
  VECTOR(uint32_t) transitions;
  /* `places.count + 1` groups: over states; over states, inputs, and states after the step, which the unrolling has at
   * time 1; over states and inputs. */
  VECTOR(term_vector) groups;
} path;

/* The path from this obligation on; an initial state of its cube is in `b->values`. False if a value is not what was
 * asked for. */
bool path_open(path *p, blocking *b, unrolling *u, size_t start);
void path_close(path *p);
static inline size_t path_steps(const path *p) { return p->transitions.count; }
/* A run along the path: one that fits its literals, or one through its cubes. */
answer path_run(const path *p, solver *s, evidence *out);
/* Any run that takes its transitions. */
answer path_run_elsewhere(const path *p, solver *s, evidence *out);

/* half_spaces.c: a linear inequality for each place, such that the first follows from the initial condition, each from
 * the one before and the literals of the step, and the last excludes what is bad. If there are some with the same
 * inequality at all places that have the same control, they are such. Appended; false if none are found. */
bool half_spaces_find(const path *p, term_vector *out);

/* Steps from place `from` to place `to` that are a word of `word` steps, twice or more. */
typedef struct path_loop {
  size_t from, to, word;
} path_loop;

/* loops.c: the loop that ends at this place; false if there is none. */
bool path_loop_to(const path *p, size_t place, path_loop *out);
/* The states from which any number of rounds, also none, leads into `goal`, or more, as a formula. False if it cannot be
 * computed. */
bool path_loop_before(const path *p, const path_loop *loop, term goal, bool keep_divisions, term *out);

/* refine.c: new predicates that exclude the path, which no run takes. In the solver nothing is asserted. False if none
 * are found; `reason` says why, if something could not be decided, and lives as long as the solver. */
bool path_refine(path *p, solver *s, implicit *all, const char **reason);

#endif
