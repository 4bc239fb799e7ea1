/* The parts of the engine `syntactic`, for its own files only. */
#ifndef WHET_ENGINE_SYNTACTIC_SYNTACTIC_H
#define WHET_ENGINE_SYNTACTIC_SYNTACTIC_H

#include "engine/engine.h"
#include "engine/syntactic/finite_program.h"
#include "predicate/abstraction.h"

typedef struct syntactic {
  engine_environment *env;
  terms *ts;
  solver *solver;
  presburger *sets;
  predicate_model *system; /* of the model */
  allsat *allsat;
  term_vector preserved; /* formulas whose atoms the program keeps */
  term bad;              /* for properties of states: over the state, without inputs */
  size_t rounds;         /* the bound on rounds of the next program */
  uint64_t iterations;
} syntactic;

/* The program with its decision diagrams. Only one can live at a time. */
typedef struct checked_program {
  finite_program *program;
  size_t property;         /* in the program's model */
  predicate_model *system; /* of the program's model: control only */
  abstraction *diagrams;
} checked_program;

/* How consistency is expressed, by the options. */
program_consistency syntactic_consistency(const syntactic *s);

/* `whet abstract`. */
engine_status syntactic_make_product(syntactic *s, const closure *c, claim *out);

/* Properties of states: SAFE, UNSAFE or another round. */
engine_status syntactic_check_states(syntactic *s, checked_program *p, claim *out);

/* Temporal properties: HOLDS, FAILS or another round. */
engine_status syntactic_check_temporal(syntactic *s, checked_program *p, claim *out);

/* The program as text, with the properties of `m` but for number `without`. NULL, or why it cannot be written. */
void export_whet(finite_program *p, const model *m, size_t without, text *out);
KEEP const char *export_smv(finite_program *p, const model *m, size_t without, text *out);
KEEP const char *export_promela(finite_program *p, const model *m, size_t without, budget *b, text *out);

#endif
