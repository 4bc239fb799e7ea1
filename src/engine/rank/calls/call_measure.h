/* Measures that fall along the runs of a program with procedures, from place to place and into calls: for each predicate a sum of features
 * of its parameters with factors, which are guessed from examples (guessing.h). */
#ifndef WHET_ENGINE_RANK_CALLS_CALL_MEASURE_H
#define WHET_ENGINE_RANK_CALLS_CALL_MEASURE_H

#include "engine/rank/calls/call_steps.h"
#include "engine/rank/guessing.h"

typedef struct call_measuring call_measuring;

typedef struct call_effort {
  bool asks_rules; /* whether a step is one of a run is asked of Z3's Horn engine too (call_steps.h) */
  bool by_case;    /* also tests for atoms of the clauses' constraints, and parameters where one holds */
  factor_limits factors;
} call_effort;

/* All arguments outlive the result. */
GIVE call_measuring *call_measuring_new(engine_environment *env, call_steps *steps, const call_effort *effort);
void call_measuring_free(TAKE call_measuring *g);
measuring_end call_measuring_step(call_measuring *g);
/* The measures, as evidence has them: by predicate, then by number. */
void call_measuring_claim(const call_measuring *g, term_vector *out);
size_t call_measuring_count(const call_measuring *g);
/* The question that was not decided: why. */
KEEP const char *call_measuring_trouble(const call_measuring *g);

#endif
