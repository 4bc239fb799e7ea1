/* The obligations of a transition invariant (check.h): those of a ranking, but instead of a measure that falls by each step, each step relates
 * states, and keeps those related that are (transition_invariant.h says why that is enough). */
#include "proof/check/checkers.h"
#include "proof/transition_invariant.h"
#include "proof/type_and_input_conditions.h"
#include "term/fold.h"

typedef struct relation_checking {
  transition_invariant of;
  questions *questions;
  term invariant; /* with the types */
  check_result *result;
} relation_checking;

/* No states with the invariant, and no inputs, satisfy it. */
static bool refute(relation_checking *c, term inputs, term violation, TAKE char *what) {
  return check_refute_all(c->questions, (term[]){c->invariant, inputs, violation}, 3, what, c->result);
}

/* What an inexact condition does not show may be true all the same. */
static bool weaken_if(relation_checking *c, bool inexact) {
  if (inexact) c->result->kind = CHECK_UNSURE;
  return false;
}

static bool check_step(relation_checking *c, const transition *t) {
  term inputs = condition_input_types(c->of.base.model, t);
  bool exact = true;
  term violation = transition_invariant_not_begun(&c->of, t, &exact);
  bool fine = refute(c, inputs, violation, text_format("%s relates states", t->name));
  for (size_t i = 0; i < c->of.base.evidence->relations.count && fine; i++) {
    if (!check_within_budget(c->questions, c->result)) return false;
    violation = transition_invariant_not_kept(&c->of, i, t, c->invariant, &exact);
    fine = refute(c, inputs, violation, text_format("%s keeps relation %zu", t->name, i + 1));
  }
  return fine || weaken_if(c, !exact);
}

static bool check_goes_on(relation_checking *c) {
  bool exact = true;
  term stuck = ranking_stuck(&c->of.base, &exact);
  return refute(c, TERM_TRUE, stuck, memory_copy_string("there is a step")) || weaken_if(c, !exact);
}

/* Each is for a relation, by a constraint of the model, in order; only of a strong one less is said than that it is waited for. */
static bool are_waits_well_formed(const model *m, const evidence *e) {
  bool fine = true;
  for (size_t i = 0; i < e->waits.count && fine; i++) {
    const relation_wait *w = &e->waits.at[i], *last = i ? w - 1 : NULL;
    fine = w->relation < e->relations.count && w->fairness < m->fairness.count;
    fine = fine && (w->was_possible || m->fairness.at[w->fairness].kind == FAIR_STRONG);
    fine = fine &&
           (!last || last->relation < w->relation || (last->relation == w->relation && last->fairness < w->fairness));
  }
  return fine;
}

/* There is an integer over the state for each relation, which is over the state and the next one. */
static bool is_well_formed(const model *m, const evidence *e) {
  terms *ts = m->terms;
  variable_vector now = {0}, any = {0};
  bool fine = e->measures.count == e->relations.count && !e->helps.count;
  for (size_t i = 0; i < e->measures.count; i++) fine &= term_sort(ts, e->measures.at[i]) == SORT_INT;
  for (size_t i = 0; i < e->relations.count; i++) fine &= term_sort(ts, e->relations.at[i]) == SORT_BOOL;
  fine &= term_sort(ts, e->between) == SORT_INT && term_sort(ts, e->cut) == SORT_BOOL;
  term_variables(ts, 3, (term[]){e->region, e->cut, e->between}, &now);
  term_variables(ts, e->measures.count, e->measures.at, &now);
  term_variables(ts, e->relations.count, e->relations.at, &any);
  for (size_t i = 0; i < now.count; i++) fine &= model_is_state_variable(m, now.at[i]);
  for (size_t i = 0; i < any.count; i++) {
    bool is_next = false;
    for (size_t j = 0; j < m->variables.count && !is_next; j++)
      is_next = variable_same(variable_next(ts, m->variables.at[j].var), any.at[i]);
    fine &= is_next || model_is_state_variable(m, any.at[i]);
  }
  VECTOR_FREE(now);
  VECTOR_FREE(any);
  return fine;
}

static void check_all(relation_checking *c) {
  const model *m = c->of.base.model;
  char *what = memory_copy_string("the region holds from where the promise is open on");
  bool fine = refute(c, TERM_TRUE, ranking_outside(&c->of.base), what) && check_goes_on(c);
  for (size_t i = 0; i < m->transitions.count && fine; i++)
    fine = check_within_budget(c->questions, c->result) && check_step(c, &m->transitions.at[i]);
}

void check_transition_invariant(const model *m, const property *p, const evidence *e, questions *q,
                                check_result *result) {
  const property nothing_bad = {.kind = PROPERTY_SAFE, .bad = TERM_FALSE};
  relation_checking c = {.questions = q, .result = result};
  if (!is_well_formed(m, e)) {
    check_end(result, CHECK_REJECTED, text_format("relations of states, with integers over state variables"), NULL);
    return;
  }
  if (!are_waits_well_formed(m, e)) {
    check_end(result, CHECK_REJECTED, text_format("relations wait for fairness constraints of the model"), NULL);
    return;
  }
  check_invariant(m, &nothing_bad, e, q, result);
  if (result->kind != CHECK_ACCEPTED) return;
  const char *why = transition_invariant_open(m, p, e, &c.of);
  if (why) {
    check_end(result, CHECK_UNSURE, memory_copy_string(why), NULL);
    return;
  }
  c.invariant = term_and(m->terms, condition_types(m), evidence_formula(m->terms, e));
  check_all(&c);
  transition_invariant_clear(&c.of);
}
