/* Formulas made simpler by their surroundings (Namjoshi, Kurshan 2000; the paper calls it massage), and formulas
 * expressed by others.
 *
 * The normal form of atoms (term/term.h) and the bounds of types (term/bounds.h) already make one of many ways to say
 * the same. What is added here: an atom that the facts around it decide is not a new predicate. Atoms are decided or
 * left as they are, never rewritten: a rewritten one might be new. */
#ifndef WHET_ENGINE_SYNTACTIC_SIMPLIFY_IN_CONTEXT_H
#define WHET_ENGINE_SYNTACTIC_SIMPLIFY_IN_CONTEXT_H

#include "base/map.h"
#include "predicate/allsat.h"

/* The same as `t` wherever the facts hold and variables are within their types. What holds around a part (the other
 * members of a conjunction or disjunction, the condition of an if-then-else) is a fact inside it. */
term simplify_in_context(terms *ts, term t, size_t count, const term *facts);

/* `t` with atoms replaced: `by` has the index of an atom -> the `x` of a boolean term. Atoms that are not in it stay.
 */
term simplify_replace(terms *ts, term t, const map *by);

/* Expresses `t` by the atoms of `known` alone, and by those atoms of `t` that are not in `fresh`, wherever `context`
 * holds: false if that is not possible, or if it is too much work to find out. All atoms are positive. */
bool simplify_define(terms *ts, allsat *a, term t, term context, const term_vector *known, const term_vector *fresh,
                     term *out);

#endif
