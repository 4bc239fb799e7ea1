/* The obligations of a ranking as formulas. */
#include "proof/ranking.h"

#include "model/transform.h"
#include "proof/type_and_input_conditions.h"

const char *ranking_open(const model *m, const property *p, const evidence *e, ranking *out) {
  *out = (ranking){.model = m, .evidence = e};
  bool is_fitting = p->kind == PROPERTY_CTL || p->kind == PROPERTY_LTL;
  if (!is_fitting || !temporal_is_promise(m->terms, p->formula, &out->promise))
    return "a ranking is about properties of the shapes F p and G (q => F p)";
  return NULL;
}

term ranking_in_region(const ranking *r) {
  return term_and(r->model->terms, r->evidence->region, term_not(r->promise.gives));
}

term ranking_outside(const ranking *r) {
  terms *ts = r->model->terms;
  term begins = term_and(ts, r->promise.asks, term_not(r->promise.gives));
  if (!r->promise.is_always) begins = term_and(ts, begins, r->model->init);
  return term_and(ts, begins, term_not(r->evidence->region));
}

term ranking_falls(terms *ts, size_t count, const term *before, const term *after) {
  term_vector ways = {0};
  term earlier = TERM_TRUE;
  for (size_t i = 0; i < count; i++) {
    term falls = term_and(ts, term_lt(ts, after[i], before[i]), term_le(ts, term_int(ts, 0), before[i]));
    VECTOR_PUSH(ways, term_and(ts, earlier, falls));
    earlier = term_and(ts, earlier, term_le(ts, after[i], before[i]));
  }
  term result = term_or_all(ts, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

/* ---- fairness ---- */

term ranking_possible(const model *m, const fairness *f, bool *exact) {
  if (f->kind == FAIR_STATE) return term_not(f->state);
  term result = TERM_FALSE;
  for (size_t i = 0; i < f->transitions.count; i++) {
    const transition *t = &m->transitions.at[f->transitions.at[i]];
    result = term_or(m->terms, result, condition_can_be_taken(m, t, exact));
  }
  return result;
}

bool ranking_takes(const model *m, const fairness *f, const transition *t) {
  size_t position = (size_t)(t - m->transitions.at);
  for (size_t i = 0; i < f->transitions.count && f->kind != FAIR_STATE; i++)
    if (f->transitions.at[i] == position) return true;
  return false;
}

const ranking_help *ranking_help_for(const evidence *e, size_t measure) {
  for (size_t i = 0; i < e->helps.count; i++)
    if (e->helps.at[i].measure == measure) return &e->helps.at[i];
  return NULL;
}

/* ---- steps ---- */

/* What a step does to a measure. */
typedef struct measured_step {
  term falls; /* or it is helped */
  term keeps;
} measured_step;

static measured_step measure_step(const ranking *r, const transition *t, size_t measure, bool *exact) {
  const model *m = r->model;
  terms *ts = m->terms;
  term before = r->evidence->measures.at[measure], after = transform_after(m, t, before);
  term grows_not = term_le(ts, after, before);
  measured_step s = {term_and(ts, term_lt(ts, after, before), term_le(ts, term_int(ts, 0), before)), grows_not};
  const ranking_help *h = ranking_help_for(r->evidence, measure);
  if (!h) return s;
  const fairness *f = &m->fairness.at[h->fairness];
  term still = ranking_takes(m, f, t) ? TERM_FALSE : transform_after(m, t, h->helpful);
  term waits = term_and(ts, term_and(ts, h->helpful, still), ranking_possible(m, f, exact));
  term stays = f->kind == FAIR_STRONG ? still : TERM_FALSE;
  s.falls = term_or(ts, s.falls, term_and(ts, grows_not, waits));
  s.keeps = term_and(ts, grows_not, term_or(ts, term_not(h->helpful), stays));
  return s;
}

static term some_measure_falls(const ranking *r, const transition *t, bool *exact) {
  terms *ts = r->model->terms;
  term_vector ways = {0};
  term earlier = TERM_TRUE;
  for (size_t i = 0; i < r->evidence->measures.count; i++) {
    measured_step s = measure_step(r, t, i, exact);
    VECTOR_PUSH(ways, term_and(ts, earlier, s.falls));
    earlier = term_and(ts, earlier, s.keeps);
  }
  term result = term_or_all(ts, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

term ranking_goes_on(const ranking *r, const transition *t) {
  const model *m = r->model;
  return term_and(m->terms, transition_enabled(m, t), term_not(transform_after(m, t, r->promise.gives)));
}

term ranking_not_falling(const ranking *r, const transition *t, bool *exact) {
  const model *m = r->model;
  terms *ts = m->terms;
  term stays = term_and(ts, some_measure_falls(r, t, exact), transform_after(m, t, r->evidence->region));
  return term_and_all(ts, 3, (term[]){ranking_in_region(r), ranking_goes_on(r, t), term_not(stays)});
}

term ranking_stuck(const ranking *r, bool *exact) {
  const model *m = r->model;
  term_vector parts = {0};
  VECTOR_PUSH(parts, ranking_in_region(r));
  for (size_t i = 0; i < m->fairness.count; i++)
    if (m->fairness.at[i].kind == FAIR_STATE) VECTOR_PUSH(parts, m->fairness.at[i].state);
  for (size_t i = 0; i < m->transitions.count; i++)
    VECTOR_PUSH(parts, term_not(condition_can_be_taken(m, &m->transitions.at[i], exact)));
  term result = term_and_all(m->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}
