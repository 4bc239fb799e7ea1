/* Model-based projection: from one solution of a formula to a set of solutions, without some of the variables.
 *
 * Of `exists gone. f` and values that make `f` true, a conjunction of literals is found that implies it and that the
 * values satisfy (Komuravelli, Gurfinkel, Chaki 2014). First the literals that make `f` true under the values are
 * collected, conditions of if-then-else included; then each variable goes: a boolean by itself, a number by an
 * equation or by its nearest bound; if neither will do (products, divisions, of integers factors other than 1 on both
 * sides or bounds that are real), its value takes its place. */
#ifndef WHET_ENGINE_PROJECT_H
#define WHET_ENGINE_PROJECT_H

#include "term/term.h"

/* `values[v.x]` is the value of variable v; booleans are 0 and 1; `f` is without heap tests. False if it is not true
 * under them. The types of the variables in `gone` count as part of `f`. `out` gets the literals, each once: boolean
 * variables and linear atoms (non-linear ones as they come) without if-then-else; equations are two bounds. `true` has
 * none. */
bool project(terms *ts, term f, size_t count, const variable *gone, const number *values, term_vector *out);

#endif
