/* The conjuncts of the property are looked at one by one: a run that breaks one of them breaks it. */
#include "run/lasso/shorter_run.h"

#include "proof/check/check.h"
#include "proof/recurrence.h"
#include "run/lasso/loop_search.h"

enum { MOST_CONJUNCTS = 16, STATES_FOR_RECURRENCE = 2048, MOST_RUN = 2000 };

typedef struct shortening {
  const model *model;
  size_t property;
  const evidence *old;
  budget *budget;
  evidence found;
  bool has_stays; /* the best so far */
  size_t length;
  bool is_found;
} shortening;

static bool is_same_state(const trace_step *a, const trace_step *b) {
  for (size_t i = 0; i < a->values.count; i++)
    if (!number_equal(a->values.at[i], b->values.at[i])) return false;
  return true;
}

static bool has_stays(const trace *t) {
  for (size_t i = 1; i < t->count; i++)
    if (is_same_state(&t->at[i - 1], &t->at[i])) return true;
  return false;
}

static bool is_accepted(const shortening *s, const evidence *e) {
  check_result r = check_evidence(s->model, s->property, e, s->budget, NULL);
  memory_free(r.what);
  return r.kind == CHECK_ACCEPTED;
}

/* ---- loops ---- */

static void take(shortening *s, const near_graph *g, const found_loop *l, bool with_stays) {
  evidence made = {.kind = EVIDENCE_TRACE, .has_loop = true, .loop = l->loop};
  near_graph_add_to(g, l->start, NULL, &made.steps);
  for (size_t i = 0; i < l->steps.count; i++) {
    if (l->steps.at[i] == LOOP_IDLES) {
      made.loop = i;
      break;
    }
    const near_step *step = &g->steps.at[l->steps.at[i]];
    near_graph_add_to(g, step->to, step, &made.steps);
  }
  if (!is_accepted(s, &made)) {
    evidence_clear(&made);
    return;
  }
  evidence_clear(&s->found);
  s->found = made;
  s->is_found = true;
  s->length = l->steps.count;
  s->has_stays = with_stays && has_stays(&made.steps);
}

static void look_at(shortening *s, const temporal *f) {
  near_graph g = {0};
  size_t most = loop_search_most_states(s->model, f);
  if (!most) return;
  if (near_graph_init(&g, s->model, &s->old->steps, most, s->budget)) {
    loop_search *search = loop_search_new(&g, f);
    found_loop l = {0};
    if (loop_search_find(search, true, s->has_stays ? MOST_RUN : s->length, &l))
      take(s, &g, &l, false);
    else if (s->has_stays && loop_search_find(search, false, s->length, &l))
      take(s, &g, &l, true);
    VECTOR_FREE(l.steps);
    loop_search_free(search);
  }
  near_graph_clear(&g);
}

static void look_at_conjuncts(shortening *s, const temporal *f, size_t *looked) {
  if (*looked >= MOST_CONJUNCTS) return;
  if (f->kind == TEMPORAL_AND && !temporal_is_propositional(f)) {
    look_at_conjuncts(s, f->left, looked);
    look_at_conjuncts(s, f->right, looked);
    return;
  }
  ++*looked;
  look_at(s, f);
}

static bool is_lasso(const model *m, const property *p, const evidence *e) {
  bool is_of_states = p->kind == PROPERTY_CTL || p->kind == PROPERTY_CTLSTAR;
  bool is_of_runs = p->kind == PROPERTY_LTL || (is_of_states && temporal_is_universal(p->formula));
  return is_of_runs && e->kind == EVIDENCE_TRACE && e->has_loop && e->steps.count <= MOST_RUN &&
         !trace_has_rounds(&e->steps) && !m->has_heap && !terms_have_reals(m->terms) && !model_has_arrays(m);
}

/* ---- ways to a recurrence ---- */

typedef struct way_search {
  const near_graph *graph;
  state_condition *asks, *gives, *region;
  bool is_always;
  uint32_t *before; /* by node: a state, twice, without and with an open promise */
  uint32_t *by;
  VECTOR(uint32_t) order;
} way_search;

#define NO_NODE UINT32_MAX

static bool is_true(const way_search *w, const state_condition *c, uint32_t state) {
  return state_condition_holds(c, near_graph_state(w->graph, state)) > 0;
}

/* The state, after a step from `before`, itself if there is none. A promise that is kept is not open any more. */
static void reach(way_search *w, uint32_t state, uint32_t before, uint32_t by) {
  bool is_kept = is_true(w, w->gives, state), is_first = before == NO_NODE;
  bool was_open = !is_first && before & 1, may_ask = is_first || w->is_always;
  bool is_open = !is_kept && (was_open || (may_ask && is_true(w, w->asks, state)));
  uint32_t node = 2 * state + is_open;
  if (w->before[node] != NO_NODE) return;
  w->before[node] = is_first ? node : before;
  w->by[node] = by;
  VECTOR_PUSH(w->order, node);
}

/* The nearest node at which the promise is open in the region. */
static uint32_t nearest(way_search *w) {
  const near_graph *g = w->graph;
  for (uint32_t i = 0; i < g->initial; i++) reach(w, i, NO_NODE, 0);
  for (size_t i = 0; i < w->order.count; i++) {
    uint32_t node = w->order.at[i], state = node / 2;
    if (node & 1 && is_true(w, w->region, state)) return node;
    if (state >= g->lacks_steps.count) continue;
    for (uint32_t k = g->first.at[state]; k < g->first.at[state + 1]; k++) reach(w, g->steps.at[k].to, node, k);
  }
  return NO_NODE;
}

static void take_way(const way_search *w, uint32_t node, trace *out) {
  VECTOR(uint32_t) steps = {0};
  for (; w->before[node] != node; node = w->before[node]) VECTOR_PUSH(steps, w->by[node]);
  near_graph_add_to(w->graph, node / 2, NULL, out);
  while (steps.count) {
    const near_step *step = &w->graph->steps.at[VECTOR_POP(steps)];
    near_graph_add_to(w->graph, step->to, step, out);
  }
  VECTOR_FREE(steps);
}

static void shorten_way(shortening *s, const temporal_promise *p, const near_graph *g, evidence *e) {
  way_search w = {.graph = g,
                  .is_always = p->is_always,
                  .asks = state_condition_new(s->model, p->asks),
                  .gives = state_condition_new(s->model, p->gives),
                  .region = state_condition_new(s->model, e->region),
                  .before = MEMORY_ARRAY(uint32_t, 2 * g->count + 1),
                  .by = MEMORY_ARRAY(uint32_t, 2 * g->count + 1)};
  for (size_t i = 0; i < 2 * g->count; i++) w.before[i] = NO_NODE;
  uint32_t node = nearest(&w);
  trace made = {0};
  if (node != NO_NODE) take_way(&w, node, &made);
  if (made.count && made.count < e->steps.count) {
    trace kept = e->steps;
    e->steps = made;
    made = kept;
    if (!is_accepted(s, e)) {
      made = e->steps;
      e->steps = kept;
    }
  }
  trace_clear(&made);
  state_condition_free(w.asks);
  state_condition_free(w.gives);
  state_condition_free(w.region);
  memory_free(w.before);
  memory_free(w.by);
  VECTOR_FREE(w.order);
}

void shorter_run(const model *m, size_t index, evidence *e, budget *b) {
  shortening s = {.model = m, .property = index, .old = e, .budget = b};
  const property *p = &m->properties.at[index];
  temporal_promise promise;
  if (e->kind == EVIDENCE_RECURRENCE && !recurrence_open(m, p, &promise)) {
    near_graph g;
    if (near_graph_init(&g, m, &e->steps, STATES_FOR_RECURRENCE, b)) shorten_way(&s, &promise, &g, e);
    near_graph_clear(&g);
  }
  if (!is_lasso(m, p, e)) return;
  size_t looked = 0;
  s.length = e->steps.count - 1 + (e->loop + 1 == e->steps.count);
  s.has_stays = has_stays(&e->steps);
  look_at_conjuncts(&s, p->formula, &looked);
  if (!s.is_found) return;
  evidence_clear(e);
  *e = s.found;
}
