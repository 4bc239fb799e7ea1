/* Fairness conditions of states and steps: `fair when e`, with `inf(p)` for "p infinitely often" and `next(e)` for the value of e after the
 * step. What relates the states before and after a step is remembered by a variable that the step sets. */
#include "input/whet/history/history.h"
#include "model/fairness/cases.h"
#include "model/transform.h"

term lower_next(lowering *l, const expression *e) {
  term t = lower_expression(l, e->parts[0]);
  if (l->model->has_heap) report_error(l->reporter, e->at.start, "`next(..)` cannot be used in models with lists");
  lowering_spend(l, l->model->variables.count, e->at.start);
  return l->exhausted ? t : transform_prime(l->model, t);
}

/* The atom for `t`, which may have next variables in it. */
static void make_atom(lowering *l, temporal *f, term t, span at) {
  bool has_next;
  term here;
  bool is_of_next = history_is_of_next(l, t, &has_next, &here);
  f->kind = has_next ? TEMPORAL_INF_NEXT : TEMPORAL_INF;
  if (has_next && !is_of_next) {
    history_variable *made;
    here = history_variable_of(l, false, &(history_variable){.f = t, .g = TERM_TRUE}, "", at, &made);
    if (made) made->value = t;
  }
  f->left->state = here;
}

temporal *lower_infinitely_often(lowering *l, const expression *condition) {
  temporal *made = arena_alloc(model_arena(l->model), 2 * sizeof *made);
  made[0] = (temporal){.kind = TEMPORAL_INF, .state = TERM_TRUE, .left = made + 1};
  made[1] = (temporal){.kind = TEMPORAL_STATE, .state = TERM_TRUE};
  make_atom(l, made, lower_condition(l, condition), condition->at);
  return made;
}

/* Limits of all conditions together. */
static void check_limits(lowering *l, const temporal *f, const expression *e) {
  const model *m = l->model;
  size_t all = 1, negated = 0;
  for (size_t i = 0; i <= m->fairness.count; i++) {
    const temporal *one = i < m->fairness.count ? m->fairness.at[i].formula : f;
    fair_cases cases = {0};
    if (!one) continue;
    size_t own = fairness_negated(one), count = fairness_cases(one, &cases) ? cases.count : FAIRNESS_MOST_CASES + 1;
    fairness_cases_clear(&cases);
    all = all * count > FAIRNESS_MOST_CASES ? FAIRNESS_MOST_CASES + 1 : all * count;
    negated += own > 1 ? own : 0;
  }
  if (all > FAIRNESS_MOST_CASES)
    report_error(l->reporter, e->at.start, "fairness has more than %d cases: make the conditions smaller",
                 FAIRNESS_MOST_CASES);
  else if (negated > FAIRNESS_MOST_NEGATED)
    report_error(l->reporter, e->at.start,
                 "more than %d `!inf(..)` stand in conditions that have several: `fair streett` has one for each pair",
                 FAIRNESS_MOST_NEGATED);
}

/* A conjunction is several conditions. */
static void add_condition(lowering *l, temporal *f, const expression *e, place at) {
  if (f->kind == TEMPORAL_AND) {
    add_condition(l, f->left, e, at);
    add_condition(l, f->right, e, at);
    return;
  }
  fairness made = {.kind = FAIR_FORMULA, .state = TERM_TRUE, .formula = f, .place = at};
  if (f->kind == TEMPORAL_INF) made = (fairness){.kind = FAIR_STATE, .state = f->left->state, .place = at};
  if (made.formula) check_limits(l, f, e);
  VECTOR_PUSH(l->model->fairness, made);
}

void lower_often(lowering *l, const expression *e, place at) {
  add_condition(l, e->is_temporal ? lower_temporal(l, e) : lower_infinitely_often(l, e), e, at);
}
