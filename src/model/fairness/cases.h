/* Fairness conditions that are boolean combinations of "infinitely often": `inf(p)` if p holds infinitely often, `inf(next(p))` if infinitely
 * many steps end in a state with p (idling is no step). Cases are how engines treat them; the checker of evidence goes its own way. */
#ifndef WHET_MODEL_FAIRNESS_CASES_H
#define WHET_MODEL_FAIRNESS_CASES_H

#include "model/model.h"

/* Limits of what a model may declare: of the product of the cases of all conditions, and of atoms below a negation in conditions
 * that have several such. */
enum { FAIRNESS_MOST_CASES = 256, FAIRNESS_MOST_NEGATED = 10 };

/* If `is_wanted`: of the states with `wanted` only finitely many are visited, or infinitely many with one of `seen`. Else the latter. */
typedef struct fair_clause {
  bool is_wanted, wanted_by_steps; /* by_steps: only states count in which a step ends */
  term wanted;
  VECTOR(term) seen;
  VECTOR(bool) seen_by_steps; /* of each in `seen` */
} fair_clause;

typedef VECTOR(fair_clause) fair_case; /* all of them */
typedef VECTOR(fair_case) fair_cases;  /* one of them */

/* The condition as cases. False if there are more than FAIRNESS_MOST_CASES; `out` is empty then. */
bool fairness_cases(const temporal *f, GIVE fair_cases *out);
void fairness_cases_clear(fair_cases *cases);
/* How many atoms stand below an odd number of negations, each as often as it does. */
size_t fairness_negated(const temporal *f);

#endif
