/* What the files that see PPL share: polyhedra.c, polyhedra_grids.c, polyhedra_shapes.c. PPL's types are named here,
 * its header is not included. */
#ifndef WHET_SET_POLYHEDRA_INSIDE_H
#define WHET_SET_POLYHEDRA_INSIDE_H

#include "set/polyhedra.h"

struct ppl_Coefficient_tag;
struct ppl_Constraint_tag;
struct ppl_Constraint_System_tag;
struct ppl_Linear_Expression_tag;

/* True if the call went well; notes the first failure. */
bool polyhedra_check(polyhedra *s, int code);
/* A question's answer: false if it could not be found. */
bool polyhedra_says(polyhedra *s, int code);
/* Nothing has failed, and there is time left. */
bool polyhedra_may_go_on(polyhedra *s);

/* One of two coefficients that belong to the space, with this value; and a coefficient's value. */
KEEP struct ppl_Coefficient_tag *polyhedra_coefficient(polyhedra *s, unsigned which, number value);
number polyhedra_number(polyhedra *s, struct ppl_Coefficient_tag *c);
/* NULL if it fails; both GIVE. */
GIVE struct ppl_Linear_Expression_tag *polyhedra_expression(polyhedra *s, const linear_row *row);
GIVE struct ppl_Constraint_tag *polyhedra_constraint(polyhedra *s, const linear_row *row);
void polyhedra_read_system(polyhedra *s, const struct ppl_Constraint_System_tag *system, size_t dimension,
                           row_vector *out);

#endif
