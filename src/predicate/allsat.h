/* All truth assignments to some atoms that integers can realise.
 *
 * Atoms that share no variable do not influence each other, so they are split into components first; each component is
 * searched depth first, one atom a level, asking after every decision whether points are left (shortest paths if all
 * atoms bound differences, else isl; the solver if an atom is not linear). What was found is remembered: a later
 * call with the same atoms is free. */
#ifndef WHET_PREDICATE_ALLSAT_H
#define WHET_PREDICATE_ALLSAT_H

#include "base/budget.h"
#include "predicate/consistency.h"
#include "set/presburger.h"

typedef struct allsat allsat;

/* Rows of bits, one bit an atom in the order asked, in descending order (true before false), none twice, bits beyond
 * the atoms 0. If not `exact`, some rows may be there that nothing realises, for it could not be decided. */
typedef struct cells {
  size_t atoms, words; /* words of 64 bits a row */
  size_t count;
  uint64_t *bits;
  bool exact;
} cells;

static inline bool cells_has(const cells *c, size_t row, size_t atom) {
  return c->bits[row * c->words + atom / 64] >> (atom % 64) & 1;
}

/* NULL, or what is broken of that (base/instruments/check.h). */
KEEP const char *cells_check(const cells *c);

typedef struct allsat_statistics {
  uint64_t questions, by_differences, by_sets, by_solver, unsure;
  uint64_t reused; /* whole searches that were known */
  uint64_t by_points,
      by_conflicts; /* of allsat_consistency; its questions to a solver of its own are in by_own_solver */
  uint64_t by_own_solver;
} allsat_statistics;

/* All arguments outlive it. */
GIVE allsat *allsat_new(terms *ts, presburger *p, solver *s, budget *b);
void allsat_free(TAKE allsat *a);
/* A formula over integer variables that holds in every state from now on. Its conjuncts join the components of their
 * variables. */
void allsat_assume(allsat *a, term fact);
/* Splits atoms into components, `component[i]` for atom i; returns how many. `context` joins variables too. */
size_t allsat_components(const allsat *a, size_t count, const term *atoms, term context, uint32_t *component);
/* The conjuncts of the facts and of `context` that have to do with the atoms, as one formula. */
term allsat_relevant(allsat *a, size_t count, const term *atoms, term context);
/* The assignments to `atoms` (positive) that are realised by points where `context`, the facts and the types hold. NULL
 * if there are too many or the budget is spent: `*reason` says which. Lives as long as `a`. */
KEEP const cells *allsat_cells(allsat *a, size_t count, const term *atoms, term context, const char **reason);
allsat_statistics allsat_statistics_of(const allsat *a);
/* How much searching is allowed from now on, in questions about differences (others count for several); 0: no limit.
 * Beyond it `*reason` is allsat_out_of_work. */
void allsat_limit(allsat *a, uint64_t work);
extern const char allsat_out_of_work[];
/* For searches of others over the same facts. Lives until the next `allsat_assume`, or as long as `a`. */
KEEP consistency *allsat_consistency(allsat *a);
/* Whether the formula holds somewhere, under the facts and the types. */
answer allsat_satisfiable(allsat *a, term t);

#endif
