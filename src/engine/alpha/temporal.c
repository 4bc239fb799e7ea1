/* Temporal properties on the quotient that an exact search has visited. It is bisimilar to the system, so verdicts
 * carry over both ways: if the property holds the quotient is the evidence; if it fails a path of the quotient is
 * run on the system, and becomes evidence by itself if the run comes back to a state it was in. Inputs of infinite
 * type are chosen so that all steps are covered, not so that every state has each: with such the quotient can only do
 * more than the system.
 *
 * A run that breaks the property needs no exact search: what was visited is looked at now and then, a path on which the formula is false is run
 * on the system, and if the run comes back to a state it was in, and the checker of evidence accepts it, it is the evidence. */
#include <stdlib.h>

#include "base/work.h"
#include "engine/alpha/alpha.h"
#include "proof/check/check.h"
#include "temporal/temporal_listed.h"
#include "temporal/temporal_promise.h"

/* Searches that are not exact are looked at after 1, 2, 4, .. of them, each time with as much work as was done since, and this. */
enum { MOST_DIAGRAM_NODES = 1 << 24, MOST_ROUNDS = 64, LEAST_WORK_OF_LOOK = 100000 };

typedef struct compiled_label {
  term formula;
  state_condition *holds;
} compiled_label;

typedef struct deciding {
  alpha *a;
  const exploration *s;
  VECTOR(compiled_label) labels;
  bool overflows;
} deciding;

static bool holds_in(void *context, uint32_t state, term t) {
  deciding *d = context;
  size_t i = 0;
  while (i < d->labels.count && !term_same(d->labels.at[i].formula, t)) i++;
  if (i == d->labels.count) VECTOR_PUSH(d->labels, (compiled_label){t, state_condition_new(d->a->m, t)});
  int holds = state_condition_holds(d->labels.at[i].holds, d->s->states.at + state * d->s->width);
  d->overflows |= holds < 0;
  return holds > 0;
}

static bool has_open_steps(const alpha *a, const exploration *s) {
  for (size_t i = 0; i < s->edges.count; i++)
    if (a->actions.at[s->edges.at[i].action].open) return true;
  return false;
}

static int compare_steps(const void *left, const void *right) {
  const listed_step *x = left, *y = right;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->action != y->action) return x->action < y->action ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

/* Steps in the order of the states that they begin at. */
static listed_system list(const alpha *a, const exploration *s) {
  listed_system l = {.states = store_count(s->visited)};
  for (size_t i = 0; i < a->actions.count; i++) VECTOR_PUSH(l.transitions, a->actions.at[i].transition);
  for (uint32_t n = 0; n < l.states; n++)
    if (s->parents.at[n] == NO_STATE) VECTOR_PUSH(l.initial, n);
  for (size_t i = 0; i < s->edges.count; i++)
    VECTOR_PUSH(l.steps, (listed_step){s->edges.at[i].from, s->edges.at[i].action, s->edges.at[i].to});
  if (l.steps.count) qsort(l.steps.at, l.steps.count, sizeof *l.steps.at, compare_steps);
  return l;
}

/* ---- evidence ---- */

static void quotient_evidence(alpha *a, const exploration *s, bool is_exact, bool fails, evidence *out) {
  alpha_evidence_invariant(a, s, out);
  out->kind = EVIDENCE_QUOTIENT;
  out->quotient.is_exact = is_exact;
  out->quotient.fails = fails;
  for (uint32_t n = 0; n < store_count(s->visited); n++)
    if (s->parents.at[n] == NO_STATE) VECTOR_PUSH(out->quotient.initial, n);
  for (size_t i = 0; i < s->edges.count; i++) {
    const edge *e = &s->edges.at[i];
    VECTOR_PUSH(out->quotient.edges, (quotient_edge){e->from, a->actions.at[e->action].transition, e->to});
  }
}

typedef struct running {
  alpha *a;
  int64_t *state, *next;
  trace *out;
} running;

static void add_state(running *r, const alpha_action *act) {
  trace_step step = {0};
  size_t width = r->a->m->variables.count;
  for (size_t i = 0; i < width; i++) VECTOR_PUSH(step.values, number_of(r->state[i]));
  if (act) {
    step.transition = act->transition;
    for (size_t i = 0; i < act->inputs.count; i++) VECTOR_PUSH(step.inputs, number_of(act->inputs.at[i]));
  }
  VECTOR_PUSH(*r->out, step);
}

/* Takes the steps of the path from position `first` on; false if one cannot be taken as it is. */
static bool run_steps(running *r, const listed_path *p, size_t first) {
  for (size_t i = first; i < p->actions.count; i++) {
    const alpha_action *act = &r->a->actions.at[p->actions.at[i]];
    if (act->open) return false;
    if (semantics_step(r->a->semantics, act->transition, r->state, act->inputs.at, r->next, NULL) != STEP_TAKEN)
      return false;
    int64_t *held = r->state;
    r->state = r->next;
    r->next = held;
    add_state(r, act);
  }
  return true;
}

static bool is_same(const trace *t, size_t a, size_t b) {
  for (size_t i = 0; i < t->at[a].values.count; i++)
    if (!number_equal(t->at[a].values.at[i], t->at[b].values.at[i])) return false;
  return true;
}

/* A state without steps is left idling: the path ends there. */
static void cut_idling(listed_path *p) {
  for (size_t i = 0; i < p->actions.count; i++)
    if (p->actions.at[i] == TEMPORAL_IDLE) {
      p->actions.count = i;
      p->states.count = i + 1;
      p->loop = i;
      return;
    }
}

/* The run along the path, round after round until it is in a state at the start of the loop in which it was before.
 * False if that does not come: what is in `out` then goes round once. */
static bool run_path(alpha *a, const exploration *s, const listed_path *p, evidence *out) {
  running r = {.a = a, .out = &out->steps};
  bool closed = false;
  r.state = MEMORY_ARRAY(int64_t, s->width + 1);
  r.next = MEMORY_ARRAY(int64_t, s->width + 1);
  memcpy(r.state, s->states.at + p->states.at[0] * s->width, s->width * sizeof *r.state);
  add_state(&r, NULL);
  bool fine = run_steps(&r, p, 0);
  size_t once = out->steps.count, round = p->actions.count - p->loop;
  out->has_loop = p->loop != TEMPORAL_NO_LOOP;
  out->loop = p->loop;
  if (fine && (p->loop == TEMPORAL_NO_LOOP || round == 0)) closed = true;
  for (size_t k = 1; fine && !closed && k <= MOST_ROUNDS; k++) {
    size_t last = out->steps.count - 1;
    for (size_t from = p->loop; from < last && !closed; from += round) {
      closed = is_same(&out->steps, from, last);
      if (closed) out->loop = from;
    }
    if (!closed) fine = run_steps(&r, p, p->loop);
  }
  while (!closed && out->steps.count > once) {
    trace_step *last = &out->steps.at[--out->steps.count];
    VECTOR_FREE(last->values);
    VECTOR_FREE(last->inputs);
  }
  memory_free(r.state);
  memory_free(r.next);
  return closed;
}

static bool fails_by_a_run(alpha *a, const exploration *s, listed_answer *found, evidence *out) {
  if (!found->has_path) return false;
  cut_idling(&found->path);
  bool closed = run_path(a, s, &found->path, out);
  if (!closed || !found->is_whole || a->property->kind == PROPERTY_MU) return false;
  out->kind = EVIDENCE_TRACE;
  return true;
}

/* ---- verdicts ---- */

static void forget_labels(deciding *d) {
  for (size_t i = 0; i < d->labels.count; i++) state_condition_free(d->labels.at[i].holds);
  VECTOR_FREE(d->labels);
}

static const char *undecided(const alpha *a, const deciding *d, const listed_answer *found, bool is_exact) {
  if (d->overflows) return "a value does not fit in 64 bits";
  if (answer_is_unsure(found->holds)) return found->holds.reason;
  if (is_exact || answer_is_no(found->holds)) return NULL;
  bool universal = a->property->kind == PROPERTY_LTL || temporal_is_universal(a->property->formula);
  return universal ? NULL : "an action has inputs of infinite type, and the property is not about all runs alone";
}

static void report(alpha *a, const listed_answer *found) {
  if (found->deadlocks > 0)
    events_note(a->env->events, "%.0f states of the quotient have no step: they idle", found->deadlocks);
  if (a->m->fairness.count && a->property->kind == PROPERTY_MU)
    events_note(a->env->events, "fairness plays no part in formulas of the mu-calculus");
  else if (!found->has_fair_run)
    events_note(a->env->events, "no run from an initial state is fair");
}

const char *alpha_conclude_temporal(alpha *a, const exploration *s, claim *out) {
  deciding d = {.a = a, .s = s};
  listed_system l = list(a, s);
  bool is_exact = !has_open_steps(a, s);
  listed_answer found = listed_check(a->m, a->property, &l, holds_in, &d, MOST_DIAGRAM_NODES, a->env->budget);
  const char *reason = undecided(a, &d, &found, is_exact);
  if (!reason) report(a, &found);
  if (!reason && answer_is_yes(found.holds)) {
    out->verdict = VERDICT_HOLDS;
    quotient_evidence(a, s, is_exact, false, &out->evidence);
  } else if (!reason) {
    out->verdict = VERDICT_FAILS;
    bool by_a_run = fails_by_a_run(a, s, &found, &out->evidence);
    if (!by_a_run && is_exact) quotient_evidence(a, s, true, true, &out->evidence);
    if (!by_a_run && !is_exact) {
      evidence_clear(&out->evidence);
      out->verdict = VERDICT_UNKNOWN;
      reason = "the property fails on an abstraction in which inputs of infinite type can do more than in the system";
    }
  }
  forget_labels(&d);
  listed_path_clear(&found.path);
  listed_system_clear(&l);
  return reason;
}

/* ---- searches that are not exact ---- */

/* A path on which the formula is false: of a promise, without fairness, a short one. */
static listed_answer find_path(const alpha *a, const listed_system *l, deciding *d, budget *b) {
  temporal_promise promise;
  listed_answer found = {.holds = answer_no(), .has_path = true, .is_whole = true};
  bool is_promise = a->property->kind == PROPERTY_LTL && !a->m->fairness.count &&
                    temporal_is_promise(a->ts, a->property->formula, &promise);
  if (is_promise && listed_promise_run(&promise, l, NO_STATE, holds_in, d, &found.path)) return found;
  if (is_promise) return (listed_answer){.holds = answer_yes()};
  return listed_check(a->m, a->property, l, holds_in, d, MOST_DIAGRAM_NODES, b);
}

static bool is_accepted(const alpha *a, const evidence *e, budget *b) {
  check_result r = check_evidence(a->m, a->env->property, e, b, NULL);
  memory_free(r.what);
  return r.kind == CHECK_ACCEPTED;
}

bool alpha_find_broken_run(alpha *a, const exploration *s, claim *out) {
  property_kind kind = a->property->kind;
  bool is_of_states = kind == PROPERTY_CTL || kind == PROPERTY_CTLSTAR;
  bool is_about_all = kind == PROPERTY_LTL || (is_of_states && temporal_is_universal(a->property->formula));
  bool is_time = (a->iteration & (a->iteration - 1)) == 0;
  if (!is_about_all || !is_time || a->paper) return false;
  budget share = *a->env->budget;
  uint64_t most = work_done() + LEAST_WORK_OF_LOOK + (work_done() - a->looked_at_work);
  if (!share.work || share.work > most) share.work = most;
  deciding d = {.a = a, .s = s};
  listed_system l = list(a, s);
  listed_answer found = find_path(a, &l, &d, &share);
  bool is_broken = !d.overflows && answer_is_no(found.holds) && fails_by_a_run(a, s, &found, &out->evidence) &&
                   is_accepted(a, &out->evidence, &share);
  if (is_broken)
    out->verdict = VERDICT_FAILS;
  else
    evidence_clear(&out->evidence), out->evidence = (evidence){0};
  forget_labels(&d);
  listed_path_clear(&found.path);
  listed_system_clear(&l);
  a->looked_at_work = work_done();
  return is_broken;
}
