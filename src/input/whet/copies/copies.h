/* Processes with any number of copies: `process P[i : 1..N]`, where N has no value.
 *
 * Before names are looked up, such a process becomes arrays and actions, as if they had been written: an array `P at` of places, an
 * array `P.x` for each variable x, and an action with the input i for each edge. `P[e].x` is an element of the one, `P[e] at s` a
 * comparison with one of the other. So the model is one with arrays of any length (arrays/to_clauses.h). */
#ifndef WHET_INPUT_WHET_COPIES_COPIES_H
#define WHET_INPUT_WHET_COPIES_COPIES_H

#include "input/whet/ast.h"

/* Changes the tree, with messages about what such a process cannot have. Ranges with constant ends are left alone, unless they have more
 * than `most_copies` and nothing in the model needs the copies one by one. */
void copies_to_arrays(module *tree, arena *a, words *w, reporter *r, size_t most_copies);

/* How many copies there are of the process that has the most, of those whose range has constants in it; 0: there are none. */
size_t copies_given_by_constants(const module *tree);
/* Takes the values of these constants away, so that any number of copies is meant, and the declarations that need the copies one by one. */
void copies_open_constants(module *tree, arena *a);

#endif
