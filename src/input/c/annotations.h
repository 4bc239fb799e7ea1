/* Comments that say something about the program: `//@ assert e;` and `//@ invariant e;` (also `//@ loop invariant e;`)
 * become calls of whet_assert and whet_invariant, on the same lines. */
#ifndef WHET_INPUT_C_ANNOTATIONS_H
#define WHET_INPUT_C_ANNOTATIONS_H

#include "base/text.h"

/* True if there are such comments; `out` is then the text with the calls. */
bool c_annotations_apply(const char *content, size_t length, text *out);

#endif
