/* The obligations of measures, asked with less (overflow.h). A question that is not decided counts as one that says yes. */
#include "engine/rank/overflow.h"

#include "model/transform.h"
#include "proof/call_ranking.h"
#include "term/fold.h"

/* Factors by which bounds of types may have been divided, as `10 * w <= 2147483647` is `w <= 214748364`. */
enum { LEAST_FACTOR = 4, MOST_FACTOR = 1000 };

/* The bound of int divided by a small factor, or next to it. */
static bool is_part_of_bound(int64_t n) {
  const int64_t bound = INT64_C(1) << 31;
  int64_t factor = n ? bound / n : 0;
  for (int64_t k = factor - 1; k <= factor + 1; k++)
    if (k >= LEAST_FACTOR && k <= MOST_FACTOR && n >= bound / k - 1 && n <= bound / k + 1) return true;
  return false;
}

static bool is_large(number n) {
  int64_t small;
  if (!number_to_int64(n, &small) || small == INT64_MIN) return true;
  if (small < 0) small = -small;
  return small >= INT64_C(1) << 29 || is_part_of_bound(small);
}

static bool is_near_bound(const terms *ts, term t, const void *unused) {
  (void)unused;
  if (term_kind_of(ts, t) != TERM_SUM) return false;
  bool found = is_large(term_constant(ts, t));
  for (size_t i = 0; i < term_arguments(ts, t) && !found; i++) found = is_large(term_coefficient(ts, t, i));
  return found;
}

term overflow_leave_out_bounds(terms *ts, term formula) {
  term_vector parts = {0}, kept = {0};
  term_conjuncts(ts, formula, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (!term_any(ts, 1, &parts.at[i], is_near_bound, NULL)) VECTOR_PUSH(kept, parts.at[i]);
  term result = term_and_all(ts, kept.count, kept.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  return result;
}

bool overflow_may_end_runs(engine_environment *env) {
  const model *m = env->model;
  if (!m->is_c_program) return false;
  size_t property;
  if (!model_find_property(m, "no-overflow", &property)) return true;
  solver *s = solver_new(m->terms, env->budget);
  for (size_t i = 0; i < env->facts.count; i++) solver_assert(s, env->facts.at[i]);
  bool may = false;
  for (size_t i = 0; i < m->transitions.count && !may; i++) {
    const transition *t = &m->transitions.at[i];
    term overflows = transform_after(m, t, m->properties.at[property].bad);
    may = !answer_is_no(solver_satisfiable(s, term_and(m->terms, transition_enabled(m, t), overflows)));
  }
  solver_free(s);
  return may;
}

bool overflow_leads_to_error(const model *m, const transition *t) {
  for (size_t i = 0; i < m->properties.count; i++) {
    const property *p = &m->properties.at[i];
    if (p->kind == PROPERTY_SAFE && term_is_true(transform_after(m, t, p->bad))) return true;
  }
  return false;
}

bool overflow_ends_calls(engine_environment *env, const evidence *e) {
  const model *m = env->model;
  evidence less = {0};
  if (!m->is_c_program) return false;
  for (size_t i = 0; i < e->interpretation.count; i++)
    VECTOR_PUSH(less.interpretation, overflow_leave_out_bounds(m->terms, e->interpretation.at[i]));
  solver *s = solver_new(m->terms, env->budget);
  bool found = false;
  for (size_t i = 0; i < m->clauses->clauses.count && !found; i++) {
    const clause *c = &m->clauses->clauses.at[i];
    if (!call_ranking_is_step(m->clauses, c)) continue;
    term body = overflow_leave_out_bounds(m->terms, call_ranking_body(m, &less, c));
    found = !answer_is_no(solver_satisfiable(s, term_and(m->terms, body, term_not(call_ranking_falls(m, e, c)))));
  }
  solver_free(s);
  VECTOR_FREE(less.interpretation);
  return found;
}
