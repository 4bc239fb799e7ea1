/* The loop of steps in a worker: between steps it takes facts and predicates that others found; at the end it says the
 * claim about the model as read and sends it. */
#include "run/engine_worker.h"

#include <unistd.h>

#include "base/work.h"
#include "proof/certificate.h"
#include "proof/clause_evidence.h"
#include "proof/formulas.h"
#include "run/lasso/shorter_run.h"
#include "run/shared_facts.h"

typedef struct running {
  const engine_worker_task *task;
  worker_inside *inside;
  passes *passes;
  engine_environment env;
  term_vector proved; /* about the model as read: what `env.facts` says about the one after the passes */
  void *state;
} running;

size_t engine_worker_jobs(const options *o) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return o->jobs ? (size_t)o->jobs : cores > 0 ? (size_t)cores : 1;
}

static const char *spent(budget *b) {
  const char *reason = budget_spent(b);
  if (!reason && budget_seconds_left(b) <= 0) reason = "time limit reached";
  return reason;
}

static void hear(running *r, const char *news) {
  const run_settings *s = r->task->settings;
  term_vector formulas = {0};
  bool fine = formulas_read(s->model, news + 1, &formulas);
  if (fine && *news == NEWS_FACTS) {
    for (size_t i = 0; i < formulas.count; i++) VECTOR_PUSH(r->proved, formulas.at[i]);
    passes_keep_facts(r->passes, &formulas, &r->env.facts);
  } else if (*news == NEWS_PREDICATES || *news == NEWS_HINTS) {
    passes_keep_facts(r->passes, &formulas, *news == NEWS_HINTS ? &r->env.hints : &r->env.offers);
  }
  VECTOR_FREE(formulas);
}

/* Predicates that were found useful before this engine began. */
static void take_offers(running *r) {
  const shared_facts *k = r->task->settings->shared_facts;
  if (!k) return;
  passes_keep_facts(r->passes, shared_facts_predicates(k), &r->env.offers);
  passes_keep_facts(r->passes, shared_facts_hints(k), &r->env.model->predicates);
}

static const char *facts_waiting(const engine_environment *env, size_t i) {
  const worker_inside *inside = env->facts_source;
  for (size_t j = 0; j < inside->news.count; j++)
    if (*inside->news.at[j] == NEWS_FACTS && i-- == 0) return inside->news.at[j] + 1;
  return NULL;
}

/* Between steps only: an engine's formulas do not change during a step. */
static void take_news(running *r) {
  if (!r->inside->news.count) return;
  size_t before = r->env.facts.count + r->env.offers.count + r->env.hints.count;
  for (size_t i = 0; i < r->inside->news.count; i++) {
    hear(r, r->inside->news.at[i]);
    memory_free(r->inside->news.at[i]);
  }
  VECTOR_CLEAR(r->inside->news);
  if (r->task->engine->learn && r->env.facts.count + r->env.offers.count + r->env.hints.count > before)
    r->task->engine->learn(r->state);
}

static void step_until_done(running *r, claim *c) {
  engine_environment *env = &r->env;
  const engine *e = r->task->engine;
  uint64_t most = env->options->max_iterations;
  while (e->step(r->state, c) == ENGINE_GOES_ON) {
    const char *reason = spent(env->budget);
    env->statistics->iterations = events_iterations(env->events);
    env->statistics->work = work_done();
    if (!reason && most && env->statistics->iterations >= most) reason = "iteration limit reached";
    take_news(r);
    if (!reason) continue;
    claim_clear(c);
    c->reason = memory_copy_string(reason);
    return;
  }
  env->statistics->iterations = events_iterations(env->events);
}

/* What others proved and this claim rests on: it is part of the evidence, and worth reporting. */
static void report_facts_used(const running *r, const claim *c) {
  const model *m = r->task->settings->model;
  if (!r->env.used_facts || c->verdict == VERDICT_UNKNOWN || c->evidence.kind == EVIDENCE_TRACE) return;
  text lines = {0};
  for (size_t i = 0; i < r->proved.count; i++) formulas_add(m->terms, r->proved.at[i], &lines);
  if (lines.count) channel_send(r->inside->pipe, MESSAGE_BUILDS_ON, text_string(&lines), lines.count);
  text_clear(&lines);
}

static void send_claim(worker_inside *inside, const model *m, size_t property, const claim *c) {
  if (c->verdict == VERDICT_UNKNOWN || c->evidence.kind == EVIDENCE_NONE) {
    const char *reason = c->reason ? c->reason : "the engine gave no reason";
    if (c->verdict != VERDICT_UNKNOWN) reason = "the engine gave a verdict without evidence";
    channel_send(inside->pipe, MESSAGE_UNKNOWN, reason, strlen(reason));
    return;
  }
  text certificate = {0};
  certificate_write(m, property, &c->evidence, &certificate);
  channel_send(inside->pipe, MESSAGE_CERTIFICATE, text_string(&certificate), certificate.count);
  text_clear(&certificate);
}

/* What was found out about the model after the passes, said about the model as read. False if a run cannot be. */
static bool take_back(const running *r, evidence *e) {
  const engine_environment *env = &r->env;
  terms *ts = env->model->terms;
  evidence_add_facts(ts, e, passes_facts(r->passes));
  if (env->used_facts) evidence_add_facts(ts, e, term_and_all(ts, r->proved.count, r->proved.at));
  if (e->kind != EVIDENCE_TRACE && e->kind != EVIDENCE_RECURRENCE) return true;
  if (!passes_trace_back(r->passes, &e->steps)) return false;
  for (size_t i = 0; i < e->choices.count; i++) {
    trace_step *c = &e->choices.at[i];
    c->transition = passes_transition_back(r->passes, c->transition, &c->inputs);
  }
  if (env->model->properties.at[env->property].kind == PROPERTY_NO_FAULT)
    e->fault_transition = passes_transition_back(r->passes, e->fault_transition, &e->fault_inputs);
  return true;
}

/* Evidence about a model that was made from clauses becomes evidence about the clauses. */
static void say_about_clauses(running *r, claim *c) {
  char *why = clause_evidence(r->task->settings->model, r->task->property, &c->evidence, r->env.budget);
  if (!why) return;
  claim_clear(c);
  c->verdict = VERDICT_UNKNOWN;
  c->reason = why;
}

void engine_worker_run(worker_inside *inside, void *context) {
  const engine_worker_task *task = context;
  const run_settings *s = task->settings;
  const engine *e = task->engine;
  bool as_read =
      s->wants_product || (e->wants_model_as_read && e->wants_model_as_read(s->options, s->model, task->property));
  running r = {.task = task, .inside = inside};
  inside->budget.work = (uint64_t)s->options->work;
  r.passes = as_read ? passes_none(s->model, task->property) : task->passes;
  r.env = (engine_environment){.model = passes_model(r.passes),
                               .property = passes_property(r.passes),
                               .is_whole = passes_keep_states(r.passes),
                               .options = s->options,
                               .statistics = inside->statistics,
                               .budget = &inside->budget,
                               .cores = s->shared_facts ? 1 : engine_worker_jobs(s->options),
                               .wants_product = s->wants_product,
                               .wants_tests = s->wants_tests,
                               .wants_facts = task->facts_only,
                               .wants_likely = s->wants_likely,
                               .wants_invariant = s->model->clauses != NULL,
                               .takes_induction = clause_evidence_takes_induction(s->model),
                               .events = events_new(inside->pipe),
                               .facts_waiting = s->shared_facts ? facts_waiting : NULL,
                               .facts_source = inside};
  for (size_t i = 0; i < s->facts.count; i++) VECTOR_PUSH(r.proved, s->facts.at[i]);
  passes_keep_facts(r.passes, &r.proved, &r.env.facts);
  take_offers(&r);
  claim c = {0};
  r.state = e->open(&r.env);
  step_until_done(&r, &c);
  report_facts_used(&r, &c);
  if (!take_back(&r, &c.evidence)) {
    claim_clear(&c);
    c = (claim){.reason = memory_copy_string("the rounds of the run do not all do the same in the model as read")};
  }
  if (!s->wants_product) shorter_run(s->model, task->property, &c.evidence, &inside->budget);
  if (!s->wants_product) say_about_clauses(&r, &c);
  inside->statistics->work = work_done();
  send_claim(inside, s->model, task->property, &c);
}
