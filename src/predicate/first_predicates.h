/* Lists of predicates: where an abstraction starts (Lakhnech, Bensalem, Berezin, Owre 2001, section 4.1), and how it
 * grows. */
#ifndef WHET_PREDICATE_FIRST_PREDICATES_H
#define WHET_PREDICATE_FIRST_PREDICATES_H

#include "predicate/allsat.h"
#include "predicate/control_and_data.h"

typedef struct seeds_choice {
  size_t depth;   /* atoms of the property's weakest preconditions up to this depth */
  bool no_guards; /* atoms of guards are left out (those in weakest preconditions stay) */
} seeds_choice;

/* Data atoms over state variables of: the property, its weakest preconditions, the initial condition, the guards, and
 * the model's own predicates; none twice, none that always or never holds. */
void first_predicates_initial(const predicate_model *s, allsat *a, seeds_choice choice, term_vector *out);
/* Adds the data atoms of `t` that are over state variables and new. How many there were. */
size_t first_predicates_add(const predicate_model *s, allsat *a, term t, term_vector *out);

#endif
