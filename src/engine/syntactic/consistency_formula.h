/* Which truth assignments to atoms some integers realise, as a formula (Phi and Psi of Namjoshi, Kurshan 2000, Fig. 3).
 *
 * Joint: exactly those, for all atoms that are connected by shared variables. Grouped: every set of atoms with the same
 * linear part for itself, which is cheap and contains the joint one: an abstract program made with it has more
 * behaviour, never less. */
#ifndef WHET_ENGINE_SYNTACTIC_CONSISTENCY_FORMULA_H
#define WHET_ENGINE_SYNTACTIC_CONSISTENCY_FORMULA_H

#include "predicate/allsat.h"

typedef struct consistency_question {
  size_t count;
  const term *atoms; /* positive, none twice */
  const term *bits;  /* the boolean terms that stand for them in the answer */
  const bool
      *wanted;  /* only components with such an atom are looked at, and only what is about one is added; NULL: all */
  term context; /* over the atoms' variables; holds too */
  bool grouped;
} consistency_question;

/* Conjuncts of the formula are added to `out`: clauses if there are few cases, else one decision diagram a
 * component. False if it is too much work, `*reason` then says so; `*exact` becomes false if the formula may
 * allow too much. */
bool consistency_formula_add(terms *ts, allsat *a, budget *b, const consistency_question *q, term_vector *out,
                             bool *exact, const char **reason);

#endif
