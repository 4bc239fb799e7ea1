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

static term open_in_region(const ranking *r) {
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

term ranking_not_falling(const ranking *r, const transition *t) {
  const model *m = r->model;
  terms *ts = m->terms;
  const term_vector *measures = &r->evidence->measures;
  term_vector after = {0};
  for (size_t i = 0; i < measures->count; i++) VECTOR_PUSH(after, transform_after(m, t, measures->at[i]));
  term falls = ranking_falls(ts, measures->count, measures->at, after.at);
  VECTOR_FREE(after);
  term stays = term_and(ts, falls, transform_after(m, t, r->evidence->region));
  term step = term_and(ts, transition_enabled(m, t), term_not(transform_after(m, t, r->promise.gives)));
  return term_and(ts, term_and(ts, open_in_region(r), step), term_not(stays));
}

term ranking_stuck(const ranking *r, bool *exact) {
  const model *m = r->model;
  term_vector parts = {0};
  VECTOR_PUSH(parts, open_in_region(r));
  for (size_t i = 0; i < m->transitions.count; i++)
    VECTOR_PUSH(parts, term_not(condition_can_be_taken(m, &m->transitions.at[i], exact)));
  term result = term_and_all(m->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}
