/* Obligations about trees: cubes of a predicate's atoms from which "false" can be derived, if other atoms are as the
 * frames allow; each is to be shown out of reach of trees of some height, or to have an atom that can be derived.
 *
 * They are a stack: each is about an atom in the body of a clause for the one below it, one level lower. One that is met
 * gives a lemma; one that is reached gives a set of atoms; in both cases the one below is asked again. */
#ifndef WHET_ENGINE_PDR_TREES_TREE_BLOCK_H
#define WHET_ENGINE_PDR_TREES_TREE_BLOCK_H

#include "engine/pdr/trees/tree_frames.h"

typedef struct tree_obligation {
  uint32_t predicate;
  cube cube;
  size_t level;
} tree_obligation;

typedef struct tree_blocking {
  tree_frames *frames;
  VECTOR(tree_obligation) stack;
  const char *trouble;
} tree_blocking;

typedef enum tree_end {
  TREE_DONE,    /* no tree of the top frame's height derives what was begun */
  TREE_GOES_ON, /* one obligation was treated */
  TREE_REACHED, /* one does; the last set is of that predicate */
  TREE_TROUBLE,
} tree_end;

void tree_blocking_clear(tree_blocking *b);
/* That no tree of the top frame's height derives an atom of the cube (copied), or (the empty cube of) "false": what
 * `tree_block` then treats, the last one first. */
void tree_blocking_begin(tree_blocking *b, uint32_t predicate, const cube *c);
tree_end tree_block(tree_blocking *b);

/* tree_lemma.c: a lemma of this level from literals `core` of a cube that no clause derives an atom of; one that says
 * more if possible. */
void tree_generalise(tree_frames *f, uint32_t predicate, size_t level, const cube *c, const core_names *core,
                     cube *out);

#endif
