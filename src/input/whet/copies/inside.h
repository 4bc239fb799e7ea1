/* The inside of copies: which processes have become arrays, and expressions that speak of them. */
#ifndef WHET_INPUT_WHET_COPIES_INSIDE_H
#define WHET_INPUT_WHET_COPIES_INSIDE_H

#include "input/whet/copies/copies.h"

typedef VECTOR(process_tree *) process_trees;

/* A name that means something else here, and the range that it is in; NULL: not known. */
typedef struct hiding_name {
  const word *word;
  const expression *low, *high;
} hiding_name;

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
  VECTOR(hiding_name) bound;
} copier;

/* ---- names.c ---- */

/* Messages about names that would be taken for others. */
void copies_look_at_names(copier *c);

/* ---- rewrite.c ---- */

bool copies_have_binders(const expression *e);
/* The name stands in it, in ranges of its binders too. */
bool copies_mention(const expression *e, const word *w);
void copies_bind(copier *c, const word *w, const expression *low, const expression *high);
void copies_bind_inputs(copier *c, const variables_trees *inputs);

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
