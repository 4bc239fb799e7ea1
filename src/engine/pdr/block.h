/* Obligations: cubes from which a bad state can be reached, each to be shown out of reach within some number of steps.
 *
 * An obligation is met by a lemma of its level that excludes its cube; if a step leads into the cube from the frame
 * before, the states that can take such a step (engine/project.h) are an obligation one level below. One that has an
 * initial state is the beginning of a run to a bad state.
 *
 * With the implicit abstraction (implicit.h) the obligation one level below is the abstract state of the one state
 * that was found. A chain of these to an initial state is an abstract counterexample (path.h). */
#ifndef WHET_ENGINE_PDR_BLOCK_H
#define WHET_ENGINE_PDR_BLOCK_H

#include "engine/pdr/implicit.h"

#define NO_OBLIGATION SIZE_MAX

typedef struct obligation {
  cube cube;
  size_t level;
  size_t next;         /* the obligation that a step from here leads into; NO_OBLIGATION: the cube is bad */
  uint32_t transition; /* of that step */
  bool is_open;
  number_vector seen; /* abstract: the values of frames_readable with which it was found */
} obligation;

typedef struct blocking {
  engine_environment *env;
  const model *model;
  terms *ts;
  const bounded_violation *violation;
  frames *frames;
  implicit *predicates;        /* NULL: cubes are of literals that make a step possible */
  struct substitution **after; /* for each transition: what variables become */
  VECTOR(obligation) obligations;
  number_vector values;
  const char *trouble; /* why it cannot go on */
} blocking;

typedef enum block_end {
  BLOCK_DONE,    /* no bad state is in the top frame */
  BLOCK_GOES_ON, /* one more obligation was treated */
  BLOCK_REACHED, /* `start` is an obligation that has an initial state; its values are in `values`. If abstract, the
                    run is yet to be found */
  BLOCK_TROUBLE,
} block_end;

void blocking_init(blocking *b, engine_environment *env, frames *f, const bounded_violation *v);
void blocking_clear(blocking *b);
/* From now on obligations are abstract, or (NULL) are not; those there are go. */
void blocking_abstract(blocking *b, implicit *by);
/* The values with which an abstract obligation was found, to `values`. */
void blocking_recall(blocking *b, size_t which);
/* Treats one obligation, or finds the next bad state of the top frame. */
block_end block(blocking *b, size_t *start);
/* States around the one in `values`, from which `f`, over states and inputs, holds for some inputs. False if it does not
 * hold for the values. */
bool blocking_project(blocking *b, term f, cube *out);
/* The states that can take this transition into the cube, with inputs: over states and inputs. */
term blocking_before(blocking *b, uint32_t transition, const cube *c);

/* generalise.c: a lemma of this level from the literals `core` of a cube that has no initial state and that no step
 * leads into from the frame before; fewer literals, as far as that stays so. False if something could not be decided.
 */
bool generalise(blocking *b, size_t level, const cube *c, const core_names *core, cube *out);

/* run.c: the run from the obligation on; its first state is in `values`. False if it cannot be found. */
bool run_from(blocking *b, size_t start, evidence *out);

#endif
