/* The expressions of a witness become calls of whet_witness in the text of the program, so that clang reads them where they
 * are meant; lines stay what they are. */
#ifndef WHET_INPUT_WITNESS_INSERT_H
#define WHET_INPUT_WITNESS_INSERT_H

#include "input/c/tree.h"
#include "input/diagnostic.h"
#include "input/witness/witness.h"

#define WITNESS_CALL "whet_witness"

typedef struct witness_insertion {
  size_t point;    /* of the witness */
  uint32_t offset; /* in the program */
  const char *before, *after;
  uint32_t start, end; /* of the call, in the changed text */
  uint32_t length;     /* of all that was put in */
} witness_insertion;

typedef struct witness_text {
  text changed;
  VECTOR(witness_insertion) made; /* in the order of the text */
  const source *original;
  uint32_t last_line; /* of the statement that the target is at */
} witness_text;

/* False, and messages in `d`, if something that the witness names is not in the program. Either way, clear it. */
bool witness_insert(const c_witness *w, const source *s, const c_node *tree, witness_text *out, diagnostics *d);
void witness_text_clear(witness_text *t);
/* `tree` is that of the changed text: each call is what was put in and no more, and has no effects. */
bool witness_is_plain(const c_witness *w, const witness_text *t, const c_node *tree, diagnostics *d);
/* Where a place of the changed text is in the program. */
place witness_place(const witness_text *t, uint32_t offset);

#endif
