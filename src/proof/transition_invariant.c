/* The obligations of a transition invariant as formulas. */
#include "proof/transition_invariant.h"

#include "model/transform.h"
#include "term/substitute.h"

const char *transition_invariant_open(const model *m, const property *p, const evidence *e, transition_invariant *out) {
  *out = (transition_invariant){0};
  if (ranking_open(m, p, e, &out->base))
    return "a transition invariant is about properties of the shapes F p and G (q => F p)";
  for (size_t i = 0; i < m->variables.count; i++) {
    type of = *variable_type(m->terms, m->variables.at[i].var); /* a copy: making a variable moves the table of types */
    char *stem = text_format("%s@earlier", variable_name(m->terms, m->variables.at[i].var));
    VECTOR_PUSH(out->earlier, variable_fresh(m->terms, stem, &of));
    memory_free(stem);
  }
  return NULL;
}

void transition_invariant_clear(transition_invariant *t) { VECTOR_FREE(t->earlier); }

/* A formula over states and next states, about a state and one later: the first is an earlier state if `is_earlier`, else the state; the later
 * one is the state after `t`, or the state if it is NULL. */
static term about(const transition_invariant *i, term formula, bool is_earlier, const transition *t) {
  const model *m = i->base.model;
  substitution *by = substitution_new(m->terms);
  for (size_t j = 0; j < m->variables.count; j++) {
    variable v = m->variables.at[j].var;
    term now = term_of_variable(m->terms, v);
    if (is_earlier) substitution_set(by, v, term_of_variable(m->terms, i->earlier.at[j]));
    substitution_set(by, variable_next(m->terms, v), t ? transform_after(m, t, now) : now);
  }
  term result = substitution_apply(by, formula);
  substitution_free(by);
  return result;
}

/* ---- waiting for fairness constraints ---- */

/* What the relation says of the constraint, or NULL. */
static const relation_wait *wait_of(const evidence *e, size_t relation, uint32_t fairness) {
  for (size_t i = 0; i < e->waits.count; i++)
    if (e->waits.at[i].relation == relation && e->waits.at[i].fairness == fairness) return &e->waits.at[i];
  return NULL;
}

static bool needs_no_measure(const evidence *e, size_t relation) {
  for (size_t i = 0; i < e->waits.count; i++)
    if (e->waits.at[i].relation == relation && e->waits.at[i].was_possible) return true;
  return false;
}

/* Of a step, after a run of which the relation `before` says what is known; `is_first`: it begins with this step. Over states. */
static term waits_after(const transition_invariant *i, const relation_wait *w, bool is_first, size_t before,
                        const transition *t, bool *exact) {
  const model *m = i->base.model;
  const fairness *f = &m->fairness.at[w->fairness];
  const relation_wait *known = is_first ? NULL : wait_of(i->base.evidence, before, w->fairness);
  if (ranking_takes(m, f, t) || (!is_first && !known)) return TERM_FALSE;
  bool is_strong = f->kind == FAIR_STRONG;
  if (is_strong && (!w->was_possible || (known && known->was_possible))) return TERM_TRUE;
  return ranking_possible(m, f, exact);
}

/* All that the relation says of waiting. */
static term all_wait_after(const transition_invariant *i, size_t relation, bool is_first, size_t before,
                           const transition *t, bool *exact) {
  const evidence *e = i->base.evidence;
  term result = TERM_TRUE;
  for (size_t j = 0; j < e->waits.count; j++)
    if (e->waits.at[j].relation == relation)
      result = term_and(i->base.model->terms, result, waits_after(i, &e->waits.at[j], is_first, before, t, exact));
  return result;
}

/* ---- relations ---- */

static term related_by(const transition_invariant *i, size_t relation) {
  const evidence *e = i->base.evidence;
  terms *ts = i->base.model->terms;
  if (needs_no_measure(e, relation)) return e->relations.at[relation];
  term before = e->measures.at[relation], after = transform_prime(i->base.model, before);
  term at_cut = transform_prime(i->base.model, e->cut);
  return term_and(ts, e->relations.at[relation], term_implies(ts, at_cut, ranking_falls(ts, 1, &before, &after)));
}

/* The state before `t`, or if not `is_first` an earlier one that is in the relation `before` to it, is related to the one after it. */
static term related_after(const transition_invariant *i, bool is_first, size_t before, const transition *t,
                          bool *exact) {
  term_vector ways = {0};
  for (size_t j = 0; j < i->base.evidence->relations.count; j++) {
    term waits = all_wait_after(i, j, is_first, before, t, exact);
    VECTOR_PUSH(ways, term_and(i->base.model->terms, about(i, related_by(i, j), !is_first, t), waits));
  }
  term result = term_or_all(i->base.model->terms, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

term transition_invariant_not_begun(const transition_invariant *i, const transition *t, bool *exact) {
  const ranking *r = &i->base;
  terms *ts = r->model->terms;
  const evidence *e = r->evidence;
  term later = transform_after(r->model, t, e->between);
  term after = term_and_all(
      ts, 3,
      (term[]){transform_after(r->model, t, e->region), term_implies(ts, e->cut, related_after(i, true, 0, t, exact)),
               term_or(ts, transform_after(r->model, t, e->cut), ranking_falls(ts, 1, &e->between, &later))});
  return term_and_all(ts, 3, (term[]){ranking_in_region(r), ranking_goes_on(r, t), term_not(after)});
}

term transition_invariant_not_kept(const transition_invariant *i, size_t relation, const transition *t, term invariant,
                                   bool *exact) {
  const ranking *r = &i->base;
  terms *ts = r->model->terms;
  term first = term_and_all(ts, 3, (term[]){invariant, ranking_in_region(r), r->evidence->cut});
  term earlier = about(i, first, true, NULL);
  term before = about(i, related_by(i, relation), true, NULL), after = related_after(i, false, relation, t, exact);
  return term_and_all(ts, 5, (term[]){earlier, before, ranking_in_region(r), ranking_goes_on(r, t), term_not(after)});
}
