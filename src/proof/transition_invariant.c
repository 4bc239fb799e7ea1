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

static term related_by(const transition_invariant *i, size_t relation) {
  const evidence *e = i->base.evidence;
  terms *ts = i->base.model->terms;
  term before = e->measures.at[relation], after = transform_prime(i->base.model, before);
  term at_cut = transform_prime(i->base.model, e->cut);
  return term_and(ts, e->relations.at[relation], term_implies(ts, at_cut, ranking_falls(ts, 1, &before, &after)));
}

static term related(const transition_invariant *i) {
  term_vector ways = {0};
  for (size_t j = 0; j < i->base.evidence->relations.count; j++) VECTOR_PUSH(ways, related_by(i, j));
  term result = term_or_all(i->base.model->terms, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

term transition_invariant_not_begun(const transition_invariant *i, const transition *t) {
  const ranking *r = &i->base;
  terms *ts = r->model->terms;
  const evidence *e = r->evidence;
  term later = transform_after(r->model, t, e->between);
  term after = term_and_all(
      ts, 3,
      (term[]){transform_after(r->model, t, e->region), term_implies(ts, e->cut, about(i, related(i), false, t)),
               term_or(ts, transform_after(r->model, t, e->cut), ranking_falls(ts, 1, &e->between, &later))});
  return term_and_all(ts, 3, (term[]){ranking_in_region(r), ranking_goes_on(r, t), term_not(after)});
}

term transition_invariant_not_kept(const transition_invariant *i, size_t relation, const transition *t,
                                   term invariant) {
  const ranking *r = &i->base;
  terms *ts = r->model->terms;
  term first = term_and_all(ts, 3, (term[]){invariant, ranking_in_region(r), r->evidence->cut});
  term earlier = about(i, first, true, NULL);
  term before = about(i, related_by(i, relation), true, NULL), after = about(i, related(i), true, t);
  return term_and_all(ts, 5, (term[]){earlier, before, ranking_in_region(r), ranking_goes_on(r, t), term_not(after)});
}
