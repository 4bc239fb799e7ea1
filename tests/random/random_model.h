/* Random small models, as text in whet's language: the same seed and knobs give the same text everywhere.
 *
 * Finite ones are meant for search in full, so their ranges are small; nothing bounds their reachable states but that,
 * and whoever searches them sets a limit of his own. Features that are allowed are not all used: each model draws its
 * own few. */
#ifndef WHET_TESTS_RANDOM_MODEL_H
#define WHET_TESTS_RANDOM_MODEL_H

#include "base/random.h"
#include "base/text.h"

typedef enum random_feature {
  RANDOM_ENUMERATIONS = 1 << 0,
  RANDOM_ARRAYS = 1 << 1,
  RANDOM_CONSTANTS = 1 << 2,
  RANDOM_PARAMETERS = 1 << 3,
  RANDOM_DEFINES = 1 << 4,
  RANDOM_INIT = 1 << 5, /* `init`, and variables without an initial value */
  RANDOM_INPUTS = 1 << 6,
  RANDOM_STARS = 1 << 7, /* x := * */
  RANDOM_PROCESSES = 1 << 8,
  RANDOM_PROGRAMS = 1 << 9,
  RANDOM_QUANTIFIERS = 1 << 10,
  RANDOM_CONDITIONALS = 1 << 11, /* integer if-then-else, min, max, abs, computed indices */
  RANDOM_NONLINEAR = 1 << 12,    /* products of variables, / and % */
  RANDOM_FAULTS = 1 << 13,       /* assignments, indices and divisions that can go wrong */
  RANDOM_DEADLOCK = 1 << 14,     /* the property */
  RANDOM_HINTS = 1 << 15,        /* predicates, lemma, domain */
  RANDOM_UNBOUNDED = 1 << 16,    /* int and nat, for variables, inputs and parameters */
  RANDOM_TEMPORAL = 1 << 17,     /* ctl, ltl, ctlstar and mu properties */
  RANDOM_FAIRNESS = 1 << 18,
} random_feature;

enum {
  RANDOM_FINITE = RANDOM_UNBOUNDED - 1, /* everything of state properties with finite types */
  RANDOM_INFINITE = RANDOM_FINITE | RANDOM_UNBOUNDED,
  RANDOM_LINEAR = RANDOM_INFINITE & ~(RANDOM_CONDITIONALS | RANDOM_NONLINEAR | RANDOM_FAULTS),
};

typedef struct random_knobs {
  unsigned features; /* random_feature, those that may be used */
  unsigned size;     /* of everything: 1 is tiny, 2 the usual, 4 large */
} random_knobs;

/* How many of `rounds` a test does: fewer under sanitizers (WHET_SANITIZED), more on demand (WHET_ROUNDS, a factor). */
unsigned random_rounds(unsigned rounds);
/* The first seed of a test: WHET_SEED moves all of them. */
uint64_t random_first_seed(uint64_t usual);

GIVE char *random_model(uint64_t seed, random_knobs knobs);

/* Knobs by name ("finite", "infinite", "linear", "temporal"), for programs that take them from the command line. */
bool random_knobs_find(const char *name, random_knobs *out);

#endif
