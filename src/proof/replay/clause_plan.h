/* The values of a clause's variables from the atoms of its body and head, by equations alone: no solver is asked for
 * steps that compute their result, and long derivations consist of those. */
#ifndef WHET_PROOF_CLAUSE_PLAN_H
#define WHET_PROOF_CLAUSE_PLAN_H

#include "model/clauses.h"
#include "model/trace.h"
#include "term/array_versions.h"

typedef struct clause_plan clause_plan;

/* `with_head`: the head's atom is known too. `c` outlives it. */
GIVE clause_plan *clause_plan_new(terms *ts, const clause *c, bool with_head);
void clause_plan_free(TAKE clause_plan *p);
/* `body` has the arguments of each of the body's atoms. Values in the order of the clause's variables, appended, and the
 * head's arguments with them. False if the values that the equations give are none that make the clause lead from `body`
 * to `head`: there may be others. */
bool clause_plan_apply(clause_plan *p, const number_vector *const *body, const number_vector *head,
                       number_vector *values, number_vector *derived);
/* The same with arrays that are versions in `arrays`: those of atoms, and those that are chosen. */
bool clause_plan_apply_on(clause_plan *p, array_versions *arrays, const number_vector *const *body,
                          const number_vector *head, number_vector *values, number_vector *derived);
/* True if arguments and equations give every variable: then there are no other values. */
bool clause_plan_is_whole(const clause_plan *p);

/* The value of a variable, by the values that those before it have. */
typedef number clause_chooser(void *context, variable v, const number *values);
/* Of a variable that nothing gives: `choose` gives it from now on, the same for all, and equations what follows from it. */
void clause_plan_choose(clause_plan *p, variable v, clause_chooser *choose, void *context);
bool clause_plan_gives(const clause_plan *p, variable v);
/* The same of one that is true or false: it is that from now on. */
void clause_plan_assume(clause_plan *p, variable v, bool is_true);
/* What is left of the constraint with the truth values that are known: false if there are none that it holds with. */
term clause_plan_rest(const clause_plan *p);
/* Formulas that hold if the constraint does. */
KEEP const term_vector *clause_plan_parts(const clause_plan *p);

#endif
