/* Potentials: sums over states that fall by each step of some transitions, from at least 1, and by no step of others grow, but up to 0. Then as
 * many steps of the former are taken as the potential is large at first, or fewer. Guessed from examples of steps. */
#ifndef WHET_RUN_BOUNDS_POTENTIAL_H
#define WHET_RUN_BOUNDS_POTENTIAL_H

#include "run/bounds/step_questions.h"

typedef enum step_role { STEP_FREE, STEP_KEEPS, STEP_FALLS } step_role;

typedef struct potential_search potential_search;

/* `q` outlives it. Numbers from 2^29 on are no part of what is found if `is_careful`: they come from the bounds of types. */
GIVE potential_search *potential_search_new(step_questions *q, bool is_careful);
void potential_search_free(TAKE potential_search *p);
/* `roles`, by transition. False if none is found. */
bool potential_find(potential_search *p, const step_role *roles, term *out);
/* Whether the formula, a potential, has the roles. */
bool potential_is(potential_search *p, const step_role *roles, term potential);
/* A step of `t` by which the potential grows, and not only up to 0; `also` is over states and inputs. */
answer potential_grows(step_questions *q, uint32_t t, term potential, term also);
/* At least so much it falls by each step of those transitions that make it fall; the potential, which grows by a constant if need be, is
 * then at least so large before them. */
int64_t potential_step(potential_search *p, const step_role *roles, term *potential);

#endif
