/* How the truth of a formula depends on what stands in it. */
#ifndef WHET_INPUT_WHET_ARRAYS_SIGNS_H
#define WHET_INPUT_WHET_ARRAYS_SIGNS_H

#include "term/term.h"

/* The formula grows with it, or shrinks: if it becomes true, the formula stays as it is or becomes true (false). Both bits:
 * neither is known. None: it does not depend on it. */
enum { SIGN_GROWS = 1, SIGN_SHRINKS = 2, SIGN_BOTH = 3 };

static inline unsigned sign_flip(unsigned sign) { return (sign & 1) << 1 | sign >> 1; }

/* The terms below a root, positive, arguments first, each with its sign. That of a number is SIGN_BOTH. */
typedef struct term_signs {
  index_vector terms;
  VECTOR(uint8_t) signs;
} term_signs;

/* Of a number, as if its value were a truth value that is neither. */
void term_signs_find(const terms *ts, term root, term_signs *out);
void term_signs_clear(term_signs *s); /* what it holds */

#endif
