/* Linear equations that hold of all vectors seen: the affine hull of the vectors (as M. Karr, Affine relationships among variables of a program, Acta
 * Informatica 1976, but of states that were seen instead of all that can be reached). */
#ifndef WHET_PREDICATE_LIKELY_AFFINE_HULL_H
#define WHET_PREDICATE_LIKELY_AFFINE_HULL_H

#include "base/vector.h"

typedef struct affine_hull affine_hull;

/* Of vectors of `width` numbers. */
GIVE affine_hull *affine_hull_new(size_t width);
void affine_hull_free(TAKE affine_hull *h);
void affine_hull_note(affine_hull *h, const int64_t *vector);
/* Vectors noted so far, and how many of them when the hull last grew. */
uint32_t affine_hull_count(const affine_hull *h);
uint32_t affine_hull_since(const affine_hull *h);

/* Equations give this number if those before it are known. */
bool affine_hull_determines(const affine_hull *h, size_t column);

/* sum of coefficients[i] * vector[i] = constant */
typedef void affine_hull_visit(void *context, const int64_t *coefficients, int64_t constant);
/* In each, the last coefficient that is not 0 is of a number that it determines. Equations that imply all others, each without a common divisor; none if a number did not fit in 64 bits on the way. */
void affine_hull_equations(const affine_hull *h, affine_hull_visit *visit, void *context);

#endif
