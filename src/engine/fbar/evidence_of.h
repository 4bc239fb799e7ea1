/* What the algorithms found, as evidence about the model. */
#ifndef WHET_ENGINE_FBAR_EVIDENCE_OF_H
#define WHET_ENGINE_FBAR_EVIDENCE_OF_H

#include "engine/fbar/net.h"
#include "engine/fbar/partition.h"
#include "engine/fbar/problem.h"

/* invariant.c: the blocks as an invariant. False if they cannot be written as formulas. */
bool evidence_of_blocks(problem *p, const partition *blocks, const bits *which, evidence *out);
/* invariant.c: the blocks as a formula for people, place by place. False if they cannot be written so. */
bool formula_of_blocks(problem *p, const partition *blocks, const bits *which, term *out);
/* witness.c: a run from an initial to a bad state; NULL if one was found, else why not. */
KEEP const char *evidence_of_run(problem *p, evidence *out);

/* values.c: what the lines of a round computed, and the domain, as formulas (--values). One of `problem` and `net` is
 * there. */
typedef struct round_values {
  problem *problem;
  net *net;
  const partition *blocks;
  engine_environment *env;
  text lines; /* of JSON, since the last report */
  bool has_before;
} round_values;

void values_take(void *values, int line, const char *name, const bits *blocks);
/* Those of the round that is over, and the domain after it, as members of an object. */
void values_report(round_values *v, json_writer *w);
void values_clear(round_values *v);

#endif
