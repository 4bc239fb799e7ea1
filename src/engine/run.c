/* Engines in workers, examiners in workers after them, and outcomes from what came back. The first half runs in the child. */
#include "engine/run.h"

#include "engine/examine.h"
#include "engine/repro.h"
#include "engine/worker.h"
#include "model/passes.h"
#include "proof/certificate.h"

/* Parts of the time limit: the whole run, with checking and killing, stays within a tenth of it. */
#define SHARE_FOR_CHECK 0.04
#define SHARE_FOR_GRACE 0.03
#define SHORTEST_GRACE 0.03
#define LONGEST_GRACE 1.0

/* ---- in the engine's worker ---- */

typedef struct engine_task {
  const run_settings *settings;
  const engine *engine;
  size_t property;
} engine_task;

static const char *spent(budget *b) {
  const char *reason = budget_spent(b);
  if (!reason && budget_seconds_left(b) <= 0) reason = "time limit reached";
  return reason;
}

static void step_until_done(const engine *e, void *state, engine_environment *env, claim *c) {
  uint64_t most = env->options->max_iterations;
  while (e->step(state, c) == ENGINE_GOES_ON) {
    const char *reason = spent(env->budget);
    env->statistics->iterations = events_iterations(env->events);
    if (!reason && most && env->statistics->iterations >= most) reason = "iteration limit reached";
    if (!reason) continue;
    claim_free(c);
    c->reason = memory_copy_string(reason);
    return;
  }
  env->statistics->iterations = events_iterations(env->events);
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
  text_free(&certificate);
}

/* What was found out about the model after the passes, said about the model as read. */
static void take_back(const passes *p, const engine_environment *env, const term_vector *proved, evidence *e) {
  terms *ts = env->model->terms;
  evidence_add_facts(ts, e, passes_facts(p));
  if (env->used_facts) evidence_add_facts(ts, e, term_and_all(ts, proved->count, proved->at));
  if (e->kind != EVIDENCE_TRACE) return;
  passes_trace_back(p, &e->steps);
  if (env->model->properties.at[env->property].kind == PROPERTY_NO_FAULT)
    e->fault_transition = passes_transition_back(p, e->fault_transition);
}

static void engine_in_worker(worker_inside *inside, void *context) {
  engine_task *task = context;
  const engine *e = task->engine;
  bool as_read = task->settings->wants_product || (e->wants_model_as_read && e->wants_model_as_read(task->settings->options));
  passes *p = as_read ? passes_none(task->settings->model, task->property) : passes_run(task->settings->model, task->property);
  engine_environment env = {.model = passes_model(p),
                            .property = passes_property(p),
                            .options = task->settings->options,
                            .statistics = inside->statistics,
                            .budget = &inside->budget,
                            .wants_product = task->settings->wants_product,
                            .events = events_new(inside->pipe)};
  passes_keep_facts(p, &task->settings->facts, &env.facts);
  claim c = {0};
  void *state = task->engine->open(&env);
  step_until_done(task->engine, state, &env, &c);
  take_back(p, &env, &task->settings->facts, &c.evidence);
  send_claim(inside, task->settings->model, task->property, &c);
}

/* ---- in the parent ---- */

typedef struct attempt {
  const run_settings *settings;
  outcome *out;
  worker *worker;
  double started;
  char *certificate, *reason, *progress;
} attempt;

static void replace_string(char **field, const char *value) {
  memory_free(*field);
  *field = memory_copy_string(value);
}

static void tell(const run_settings *s, run_event kind, const char *line) {
  if (s->tell) s->tell(s->context, kind, line);
}

static void tell_progress(attempt *a) {
  const statistics *n = worker_statistics(a->worker);
  text line = {0};
  text_add(&line, "%s: %s: %.1f s", a->settings->model->properties.at[a->out->property].name, a->out->engine->name,
           clock_seconds() - a->started);
  if (a->progress)
    text_add(&line, ", %s", a->progress);
  else if (n->states)
    text_add(&line, ", %llu states, depth %llu", (unsigned long long)n->states, (unsigned long long)n->depth);
  tell(a->settings, RUN_PROGRESS, line.at);
  text_free(&line);
}

static void listen_to_engine(void *context, const message *m) {
  attempt *a = context;
  if (!m) {
    tell_progress(a);
    return;
  }
  switch (m->kind) {
    case MESSAGE_ITERATION:
      VECTOR_PUSH(a->out->iterations, memory_copy_bytes(m->bytes, m->count));
      break;
    case MESSAGE_PREDICATE:
      VECTOR_PUSH(a->out->predicates, memory_copy_bytes(m->bytes, m->count));
      break;
    case MESSAGE_LEMMAS:
      replace_string(&a->out->lemmas, m->bytes);
      break;
    case MESSAGE_NOTE:
      tell(a->settings, RUN_NOTE, m->bytes);
      break;
    case MESSAGE_PROGRESS:
      replace_string(&a->progress, m->bytes);
      break;
    case MESSAGE_CERTIFICATE:
      replace_string(&a->certificate, m->bytes);
      break;
    case MESSAGE_TEXT:
      replace_string(&a->out->product, m->bytes);
      break;
    case MESSAGE_UNKNOWN:
      replace_string(&a->reason, m->bytes);
      break;
    default:
      break;
  }
}

static double grace_for(const run_settings *s) {
  double grace = s->options->timeout * SHARE_FOR_GRACE;
  return grace < SHORTEST_GRACE ? SHORTEST_GRACE : grace > LONGEST_GRACE ? LONGEST_GRACE : grace;
}

static worker_limits limits_until(const run_settings *s, double deadline) {
  uint64_t memory = s->options->memory ? s->options->memory << 20 : worker_memory_by_default();
  return (worker_limits){.deadline = deadline, .grace = grace_for(s), .memory = memory};
}

static const char *stopped_before_start(const run_settings *s) {
  if (s->stop && *s->stop) return "interrupted";
  if (s->options->timeout > 0 && clock_seconds() >= s->started + s->options->timeout) return "time limit reached";
  return NULL;
}

/* The deadline of one of `parts` equal parts of the time that is left; 0 where time is not limited. */
static double deadline_of_share(const run_settings *s, size_t parts) {
  if (s->options->timeout <= 0) return 0;
  double now = clock_seconds(), left = s->started + s->options->timeout - now;
  return now + (left > 0 ? left : 0) / (double)parts;
}

static double deadline_of_check(const run_settings *s, double engine_deadline) {
  double reserve = clock_seconds() + s->options->timeout * SHARE_FOR_CHECK;
  if (engine_deadline <= 0) return 0;
  return reserve > engine_deadline ? reserve : engine_deadline;
}

static void set_unknown(outcome *out, TAKE char *reason) {
  out->verdict = VERDICT_UNKNOWN;
  memory_free(out->reason);
  out->reason = reason;
}

static void reject(const run_settings *s, outcome *out, const char *why, const char *certificate) {
  out->internal_error = true;
  set_unknown(out, text_format("evidence rejected: %s", why));
  memory_free(out->repro);
  out->repro = repro_keep(s->model, s->path, out->property, out->engine->name, s->options, why, certificate);
}

static verdict verdict_of(const property *p, evidence_kind kind) {
  bool holds = kind != EVIDENCE_TRACE;
  if (property_is_temporal(p)) return holds ? VERDICT_HOLDS : VERDICT_FAILS;
  return holds ? VERDICT_SAFE : VERDICT_UNSAFE;
}

/* The certificate was accepted by the examiner; reading it again gives what the reports show. */
static void accept(const run_settings *s, outcome *out, const examination *x, TAKE char *certificate) {
  out->certificate = certificate;
  out->checked = true;
  out->kind = x->kind;
  out->is_vacuous = x->is_vacuous;
  out->internal_error = false;
  out->verdict = verdict_of(&s->model->properties.at[out->property], x->kind);
  memory_free(out->reason);
  out->reason = NULL;
  if (x->kind != EVIDENCE_TRACE) return;
  size_t property;
  char *error = NULL;
  bool fine = certificate_read(s->model, certificate, strlen(certificate), &property, &out->evidence, &error);
  REQUIRE(fine, "a certificate that reads the same twice");
}

static void examine_claim(const run_settings *s, outcome *out, double deadline, TAKE char *certificate) {
  worker_limits limits = limits_until(s, deadline_of_check(s, deadline));
  tell(s, RUN_PROGRESS, "checking the evidence");
  examination x = examine_certificate(s->model, certificate, strlen(certificate), s->options->solver, &limits, s->stop);
  out->statistics.obligations = x.obligations;
  bool is_about_it = x.property == out->property && x.kind != EVIDENCE_NONE;
  if (x.answer == CHECK_ACCEPTED && is_about_it) {
    accept(s, out, &x, certificate);
    examination_free(&x);
    return;
  }
  if (x.answer == CHECK_UNSURE) {
    out->internal_error |= x.crashed;
    set_unknown(out, s->stop && *s->stop ? memory_copy_string("interrupted")
                                         : text_format("evidence could not be checked: %s", x.what));
  } else {
    reject(s, out, x.answer == CHECK_REJECTED ? x.what : "it is about another property", certificate);
  }
  examination_free(&x);
  memory_free(certificate);
}

static const char *missing_ability(const run_settings *s, const engine *e, size_t property) {
  if (property_is_temporal(&s->model->properties.at[property]) && e->limits & ENGINE_NO_TEMPORAL)
    return "temporal properties";
  if (s->model->has_heap && e->limits & ENGINE_NO_HEAP) return "heap nodes";
  return NULL;
}

static char *reason_of_end(const worker *w, const run_settings *s) {
  if (s->stop && *s->stop) return memory_copy_string("interrupted");
  switch (worker_state(w)) {
    case WORKER_RETURNED:
      return memory_copy_string("engine gave no answer");
    case WORKER_CRASHED:
    case WORKER_GARBLED:
      return text_format("engine %s", worker_reason(w));
    default:
      return memory_copy_string(worker_reason(w));
  }
}

static bool is_defect(worker_end end) {
  return end == WORKER_CRASHED || end == WORKER_GARBLED || end == WORKER_RETURNED;
}

static void try_engine(const run_settings *s, const engine *e, size_t parts, outcome *out) {
  out->engine = e;
  const char *missing = missing_ability(s, e, out->property), *stopped = stopped_before_start(s);
  if (missing || stopped) {
    set_unknown(out,
                stopped ? memory_copy_string(stopped) : text_format("engine %s does not treat %s", e->name, missing));
    return;
  }
  engine_task task = {s, e, out->property};
  double deadline = deadline_of_share(s, parts);
  worker_limits limits = limits_until(s, deadline);
  attempt a = {.settings = s, .out = out, .started = clock_seconds()};
  a.worker = worker_start(engine_in_worker, &task, &limits);
  worker_attend(a.worker, s->stop, listen_to_engine, &a);
  out->statistics = *worker_statistics(a.worker);
  if (a.certificate) {
    examine_claim(s, out, deadline, a.certificate);
  } else if (a.reason) {
    set_unknown(out, memory_copy_string(a.reason));
  } else {
    out->internal_error |= is_defect(worker_state(a.worker));
    set_unknown(out, reason_of_end(a.worker, s));
  }
  worker_free(a.worker);
  memory_free(a.reason);
  memory_free(a.progress);
}

static void strings_free(string_vector *v) {
  for (size_t i = 0; i < v->count; i++) memory_free(v->at[i]);
  VECTOR_FREE(*v);
}

void outcome_free(outcome *o) {
  memory_free(o->reason);
  memory_free(o->repro);
  memory_free(o->certificate);
  memory_free(o->product);
  memory_free(o->lemmas);
  evidence_free(&o->evidence);
  strings_free(&o->iterations);
  strings_free(&o->predicates);
  *o = (outcome){0};
}

/* With several engines each reason is told, after the name of its engine. */
static void add_reason(text *all, const outcome *out, size_t engine_count) {
  if (all->count) text_add(all, "; ");
  if (engine_count > 1) text_add(all, "%s: ", out->engine->name);
  text_add(all, "%s", out->reason);
}

void run_property(const run_settings *s, size_t property, size_t properties_left, outcome *out) {
  double started = clock_seconds();
  text reasons = {0};
  *out = (outcome){.property = property};
  for (size_t i = 0; i < s->engine_count && out->verdict == VERDICT_UNKNOWN; i++) {
    strings_free(&out->iterations);
    strings_free(&out->predicates);
    try_engine(s, s->engines[i], properties_left * (s->engine_count - i), out);
    if (out->verdict == VERDICT_UNKNOWN) add_reason(&reasons, out, s->engine_count);
  }
  if (out->verdict == VERDICT_UNKNOWN) set_unknown(out, text_give(&reasons));
  text_free(&reasons);
  out->seconds = clock_seconds() - started;
}
