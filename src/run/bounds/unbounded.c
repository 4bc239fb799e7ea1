/* The model counts the steps since the subject was taken, up to a limit. If some run never comes to the limit after the subject was
 * taken once, the subject is taken again and again. At any time a step may do nothing but count, so that no run ends. */
#include "run/bounds/unbounded.h"

#include "run/bounds/frozen_model.h"
#include "run/portfolio.h"
#include "run/shared_facts.h"

/* Steps without the subject, at most; and counted work of each engine, about half a second. */
enum { MOST_STEPS = 40, MOST_WORK = 500 * 1000 };

static temporal *node(model *m, temporal_kind kind, term state, temporal *left, temporal *right) {
  temporal *made = arena_alloc(model_arena(m), sizeof *made);
  *made = (temporal){.kind = kind, .state = state, .left = left, .right = right};
  return made;
}

/* G (taken => F since = limit) */
static void add_property(model *m, term taken, term at_limit) {
  temporal *comes = node(m, TEMPORAL_F, TERM_TRUE, node(m, TEMPORAL_STATE, at_limit, NULL, NULL), NULL);
  temporal *asks = node(m, TEMPORAL_STATE, taken, NULL, NULL);
  property *p = model_add_property(m, "taken-for-ever", PROPERTY_LTL, (place){0});
  p->bad = TERM_FALSE;
  p->formula = node(m, TEMPORAL_G, TERM_TRUE, node(m, TEMPORAL_IMPLIES, TERM_TRUE, asks, comes), NULL);
}

static bool is_of(const bound_subject *subject, uint32_t transition) {
  for (size_t i = 0; i < subject->transitions.count; i++)
    if (subject->transitions.at[i] == transition) return true;
  return false;
}

/* After a step: 0 if the subject was taken, else one more. */
static void add_counts(model *m, const bound_subject *subject, variable since, variable taken, int64_t limit) {
  terms *ts = m->terms;
  term before = term_of_variable(ts, since), most = term_int(ts, limit);
  term one_more = term_min(ts, term_add(ts, before, term_int(ts, 1)), most);
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    transition *t = &m->transitions.at[i];
    bool is_taken = is_of(subject, i);
    transition_add_update(t, since, is_taken ? term_int(ts, 0) : one_more);
    if (is_taken) transition_add_update(t, taken, TERM_TRUE);
  }
  transition_add_update(model_add_transition(m, "wait", NO_PROCESS, TERM_TRUE, (place){0}), since, one_more);
}

static GIVE model *watched(const model *as_read, const bound_subject *subject) {
  model *m = model_copy(as_read);
  terms *ts = m->terms;
  VECTOR_CLEAR(m->properties);
  VECTOR_CLEAR(m->fairness);
  int64_t limit = (int64_t)m->transitions.count + 2;
  if (limit > MOST_STEPS) limit = MOST_STEPS;
  type count = {.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(0), .high = number_of(limit)};
  variable since = frozen_add_variable(m, "since@", &count, ROLE_STATE);
  variable taken = frozen_add_variable(m, "taken@", &(type){.sort = SORT_BOOL}, ROLE_STATE);
  term none = term_eq(ts, term_of_variable(ts, since), term_int(ts, 0)),
       not_yet = term_not(term_of_variable(ts, taken));
  m->init = term_and(ts, m->init, term_and(ts, none, not_yet));
  add_counts(m, subject, since, taken, limit);
  add_property(m, term_of_variable(ts, taken), term_eq(ts, term_of_variable(ts, since), term_int(ts, limit)));
  return m;
}

bool unbounded_show(const run_settings *s, const bound_subject *subject) {
  run_settings settings = *s;
  options limited = *s->options;
  outcome out = {0};
  model *m = watched(s->model, subject);
  settings.model = m;
  settings.shared_facts = shared_facts_new(m, s->stop);
  const engine *const engines[] = {engines_find("explicit"), engines_find("rank"), engines_find("widen")};
  settings.engines = engines;
  settings.engine_count = ARRAY_LENGTH(engines);
  settings.options = &limited;
  if (!limited.work || limited.work > MOST_WORK) limited.work = MOST_WORK;
  portfolio_run(&settings, 0, 1, limited.work, &out);
  bool is_shown = out.verdict == VERDICT_FAILS && out.checked;
  outcome_clear(&out);
  shared_facts_free(settings.shared_facts);
  model_free(m);
  return is_shown;
}
