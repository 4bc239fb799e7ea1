/* The inside of copies: which processes have become arrays, and expressions that speak of them. */
#ifndef WHET_INPUT_WHET_COPIES_INSIDE_H
#define WHET_INPUT_WHET_COPIES_INSIDE_H

#include "input/whet/copies/copies.h"

typedef VECTOR(process_tree *) process_trees;

typedef struct copier {
  module *tree;
  arena *arena;
  words *words;
  reporter *reporter;
  process_trees all;
  VECTOR(declaration *) made;
  /* While a process is rewritten: */
  const process_tree *inside; /* any; NULL: none */
  bool is_own;                /* it is one of `all` */
  VECTOR(const word *) bound; /* names that mean something else here */
} copier;

/* ---- rewrite.c ---- */

KEEP expression *copies_name(copier *c, word *w, span at);
KEEP expression *copies_parts(copier *c, expression_kind kind, span at, size_t count, expression **parts);
KEEP expression *copies_compare(copier *c, uint8_t operator, expression * left, expression *right);
KEEP expression *copies_copy(copier *c, const expression *e);
/* NAME at, NAME.member, NAME.state */
KEEP word *copies_word(copier *c, const process_tree *p, const char *between, const char *member);
/* Process `p` at `index` is at the state, or is to be. */
KEEP expression *copies_place(copier *c, const process_tree *p, expression *index, span at);
KEEP expression *copies_state(copier *c, const process_tree *p, const declared_name *state);
/* What speaks of the processes speaks of arrays afterwards. */
void copies_rewrite(copier *c, expression *e);
void copies_rewrite_updates(copier *c, assignments *all);
void copies_rewrite_block(copier *c, block *b);

#endif
