/* Comments that say something about the program: `//@ assert e;` and `//@ invariant e;` (also `//@ loop invariant e;`)
 * become calls of whet_assert and whet_invariant, on the same lines. */
#ifndef WHET_INPUT_C_ANNOTATIONS_H
#define WHET_INPUT_C_ANNOTATIONS_H

#include "base/text.h"
#include "input/c/tree.h"

/* True if there are such comments; `out` is then the text with the calls. */
bool c_annotations_apply(const char *content, size_t length, text *out);

/* The first call in the tree that an annotation has become and that is all of the body of an `if` or a loop, where it would be in the place of
 * the statement behind it; NULL if there is none. */
KEEP const c_node *c_annotation_as_body(const c_node *tree);

#endif
