/* Fairness conditions that are formulas, as sets of states. */
#include "model/fairness/cases.h"
#include "temporal/temporal.h"

static finite_fair_clause clause_of(obdds *d, const fair_clause *k, proposition_reader *read, void *context) {
  finite_fair_clause made = {k->is_wanted, OBDD_FALSE, OBDD_FALSE, OBDD_FALSE, OBDD_FALSE};
  if (k->is_wanted) *(k->wanted_by_steps ? &made.wanted_by_steps : &made.wanted) = read(context, k->wanted);
  for (size_t i = 0; i < k->seen.count; i++) {
    obdd *set = k->seen_by_steps.at[i] ? &made.seen_by_steps : &made.seen;
    *set = obdd_or(d, *set, read(context, k->seen.at[i]));
  }
  return made;
}

bool finite_fairness_of(obdds *d, const temporal *formula, proposition_reader *read, void *context,
                        finite_fairness *out) {
  fair_cases cases;
  *out = (finite_fairness){.kind = FAIR_FORMULA, .enabled = OBDD_FALSE, .state = OBDD_FALSE};
  bool fits = fairness_cases(formula, &cases);
  for (size_t i = 0; i < cases.count; i++) {
    finite_fair_case made = {0};
    for (size_t j = 0; j < cases.at[i].count; j++) VECTOR_PUSH(made, clause_of(d, &cases.at[i].at[j], read, context));
    VECTOR_PUSH(out->cases, made);
  }
  fairness_cases_clear(&cases);
  return fits;
}
