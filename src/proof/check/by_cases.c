/* (d1 or .. or dn) and F has a model exactly if one group of the d has one together with F. */
#include "proof/check/by_cases.h"

enum { MOST_AT_ONCE = 64 };

static bool are_equations(const terms *ts, const term_vector *all) {
  for (size_t i = 0; i < all->count; i++)
    if (term_kind_of(ts, all->at[i]) != TERM_EQ || term_is_negated(all->at[i])) return false;
  return true;
}

/* The disjuncts of the first conjunct that lists too many, which becomes true; none if there is no such conjunct. */
static void take_long_list(terms *ts, term_vector *conjuncts, term_vector *out) {
  for (size_t i = 0; i < conjuncts->count; i++) {
    term_disjuncts(ts, conjuncts->at[i], out);
    if (out->count > MOST_AT_ONCE && are_equations(ts, out)) {
      conjuncts->at[i] = TERM_TRUE;
      return;
    }
    VECTOR_CLEAR(*out);
  }
}

static answer ask(solver *s, size_t count, const term *formulas, uint64_t *queries) {
  for (size_t i = 0; i < count; i++) solver_mention(s, formulas[i]);
  solver_push(s);
  for (size_t i = 0; i < count; i++) solver_assert(s, formulas[i]);
  answer a = solver_check(s, 0);
  solver_pop(s);
  ++*queries;
  return a;
}

answer by_cases_satisfiable(terms *ts, solver *s, size_t count, const term *formulas, uint64_t *queries) {
  term_vector conjuncts = {0}, disjuncts = {0};
  for (size_t i = 0; i < count; i++) term_conjuncts(ts, formulas[i], &conjuncts);
  take_long_list(ts, &conjuncts, &disjuncts);
  answer a = answer_no();
  if (!disjuncts.count) a = ask(s, count, formulas, queries);
  for (size_t i = 0; i < disjuncts.count && answer_is_no(a); i += MOST_AT_ONCE) {
    size_t left = disjuncts.count - i;
    VECTOR_PUSH(conjuncts, term_or_all(ts, left < MOST_AT_ONCE ? left : MOST_AT_ONCE, disjuncts.at + i));
    a = ask(s, conjuncts.count, conjuncts.at, queries);
    conjuncts.count--;
  }
  VECTOR_FREE(conjuncts);
  VECTOR_FREE(disjuncts);
  return a;
}
