/* Lists of predicates: where an abstraction starts (Lakhnech, Bensalem, Berezin, Owre 2001, section 4.1), and how it
 * grows. */
#ifndef WHET_SET_SEEDS_H
#define WHET_SET_SEEDS_H

#include "set/allsat.h"
#include "set/system.h"

typedef struct seeds_choice {
  size_t depth;   /* atoms of the property's weakest preconditions up to this depth */
  bool no_guards; /* atoms of guards are left out (those in weakest preconditions stay) */
} seeds_choice;

/* Data atoms over state variables of: the property, its weakest preconditions, the initial condition, the guards, and
 * the model's own predicates; none twice, none that always or never holds. */
void seeds_initial(const system_model *s, allsat *a, seeds_choice choice, term_vector *out);
/* Adds the data atoms of `t` that are over state variables and new. How many there were. */
size_t seeds_add(const system_model *s, allsat *a, term t, term_vector *out);

#endif
