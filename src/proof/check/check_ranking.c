/* The obligations of a ranking (check.h).
 *
 * The invariant is initial and preserved; the region holds when the promise is first open; as long as it is open each step stays in the
 * region and makes a measure fall, or a fairness constraint helps it (ranking.h says why that is enough), and there is a step. */
#include "proof/check/checkers.h"
#include "proof/ranking.h"
#include "proof/type_and_input_conditions.h"
#include "term/fold.h"

typedef struct ranking_checking {
  ranking ranking;
  questions *questions;
  term invariant; /* with the types */
  check_result *result;
} ranking_checking;

/* No state with the invariant, and no inputs, satisfy it. */
static bool refute(ranking_checking *c, term inputs, term violation, TAKE char *what) {
  return check_refute_all(c->questions, (term[]){c->invariant, inputs, violation}, 3, what, c->result);
}

/* A condition that is no exact one says less than that a step can be taken: what it does not show may be true all the same. */
static bool weaken_if(ranking_checking *c, bool inexact) {
  if (inexact) c->result->kind = CHECK_UNSURE;
  return false;
}

static bool check_steps(ranking_checking *c) {
  const model *m = c->ranking.model;
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    if (!check_within_budget(c->questions, c->result)) return false;
    bool exact = true;
    term violation = ranking_not_falling(&c->ranking, t, &exact);
    if (!refute(c, condition_input_types(m, t), violation, text_format("a measure falls by %s", t->name)))
      return weaken_if(c, !exact);
  }
  return true;
}

static bool check_goes_on(ranking_checking *c) {
  bool exact = true;
  term stuck = ranking_stuck(&c->ranking, &exact);
  return refute(c, TERM_TRUE, stuck, memory_copy_string("there is a step")) || weaken_if(c, !exact);
}

/* Each is for a measure, no two for the same, by a constraint of the model. */
static bool are_helps_well_formed(const model *m, const evidence *e) {
  bool fine = true;
  for (size_t i = 0; i < e->helps.count; i++) {
    const ranking_help *h = &e->helps.at[i];
    fine &= h->measure < e->measures.count && h->fairness < m->fairness.count;
    fine &= term_sort(m->terms, h->helpful) == SORT_BOOL && (!i || e->helps.at[i - 1].measure < h->measure);
  }
  return fine;
}

/* All are over state variables. */
static bool is_closed(const model *m, const evidence *e) {
  variable_vector inside = {0};
  term_variables(m->terms, 1, &e->region, &inside);
  term_variables(m->terms, e->measures.count, e->measures.at, &inside);
  for (size_t i = 0; i < e->helps.count; i++) term_variables(m->terms, 1, &e->helps.at[i].helpful, &inside);
  bool closed = true;
  for (size_t i = 0; i < inside.count; i++) closed &= model_is_state_variable(m, inside.at[i]);
  for (size_t i = 0; i < e->measures.count; i++) closed &= term_sort(m->terms, e->measures.at[i]) == SORT_INT;
  VECTOR_FREE(inside);
  return closed;
}

void check_ranking(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  const property nothing_bad = {.kind = PROPERTY_SAFE, .bad = TERM_FALSE};
  ranking_checking c = {.questions = q, .result = result};
  const char *why = ranking_open(m, p, e, &c.ranking);
  if (why) {
    check_end(result, CHECK_UNSURE, memory_copy_string(why), NULL);
    return;
  }
  if (!is_closed(m, e)) {
    check_end(result, CHECK_REJECTED, text_format("integers over state variables"), NULL);
    return;
  }
  if (!are_helps_well_formed(m, e)) {
    check_end(result, CHECK_REJECTED, text_format("a fairness constraint of the model helps a measure"), NULL);
    return;
  }
  check_invariant(m, &nothing_bad, e, q, result);
  if (result->kind != CHECK_ACCEPTED) return;
  c.invariant = term_and(m->terms, condition_types(m), evidence_formula(m->terms, e));
  char *what = memory_copy_string("the region holds from where the promise is open on");
  if (refute(&c, TERM_TRUE, ranking_outside(&c.ranking), what) && check_goes_on(&c)) check_steps(&c);
}
