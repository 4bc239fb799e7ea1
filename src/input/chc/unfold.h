/* Clauses with several predicates in a body, made simpler: what is not recursive is unfolded.
 *
 * Predicates that no facts lead to are false, those that lead to no query true; their clauses go. Then predicates are
 * unfolded one after the other (resolve.c): each clause that uses one is resolved with each clause that derives it. One
 * that stands in the bodies of its own clauses is never unfolded; others are if it makes few clauses and keeps the text
 * small.
 *
 * Clauses that are made keep all variables of those they are made from and say which instances those are
 * (clause_origin), so that a derivation goes back by evaluation. Interpretations go back by solving the clauses of the
 * unfolded predicates, which are not recursive once the others have their formulas (proof/clause_rewriting.h). */
#ifndef WHET_INPUT_CHC_UNFOLD_H
#define WHET_INPUT_CHC_UNFOLD_H

#include "model/model.h"

/* Makes `m->clauses->rewritten` if a clause has several atoms in its body; `are_trees` of both is set if one still has.
 * All parameters are there. */
void chc_unfold(model *m);

/* ---- inside ---- */

/* By predicate: some derivation of it may need another of it. `out` is false everywhere. */
void chc_find_recursive(const clauses *all, bool *out);

typedef struct unfolded_clause {
  clause clause;
  clause_origin origin;
  size_t size; /* of its text, about */
  bool is_dead;
} unfolded_clause;

typedef struct resolver resolver;
GIVE resolver *resolver_new(terms *ts);
void resolver_free(TAKE resolver *r);
/* `user` with the atom of its body resolved with `definition`, whose head is of the same predicate. */
unfolded_clause resolver_apply(resolver *r, const unfolded_clause *user, size_t atom,
                               const unfolded_clause *definition);

#endif
