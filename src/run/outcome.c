/* Engines in workers, examiners in workers after them, and outcomes from what came back. */
#include "run/outcome.h"

#include "run/engine_worker.h"
#include "run/verdict.h"

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

static void tell_progress(attempt *a) {
  const statistics *n = worker_statistics(a->worker);
  text line = {0};
  text_add(&line, "%s: %s: %.1f s", a->settings->model->properties.at[a->out->property].name, a->out->engine->name,
           clock_seconds() - a->started);
  if (a->progress)
    text_add(&line, ", %s", a->progress);
  else if (n->states)
    text_add(&line, ", %llu states, depth %llu", (unsigned long long)n->states, (unsigned long long)n->depth);
  verdict_tell(a->settings, RUN_PROGRESS, line.at);
  text_free(&line);
}

static void listen_to_engine(void *context, const message *m) {
  attempt *a = context;
  if (!m) {
    tell_progress(a);
    return;
  }
  switch (m->kind) {
    case MESSAGE_ITERATION: VECTOR_PUSH(a->out->iterations, memory_copy_bytes(m->bytes, m->count)); break;
    case MESSAGE_PREDICATE: VECTOR_PUSH(a->out->predicates, memory_copy_bytes(m->bytes, m->count)); break;
    case MESSAGE_LEMMAS: replace_string(&a->out->lemmas, m->bytes); break;
    case MESSAGE_NOTE: verdict_tell(a->settings, RUN_NOTE, m->bytes); break;
    case MESSAGE_PROGRESS: replace_string(&a->progress, m->bytes); break;
    case MESSAGE_CERTIFICATE: replace_string(&a->certificate, m->bytes); break;
    case MESSAGE_TEXT: replace_string(&a->out->product, m->bytes); break;
    case MESSAGE_UNKNOWN: replace_string(&a->reason, m->bytes); break;
    default: break;
  }
}

static void examine(const run_settings *s, outcome *out, double deadline, TAKE char *certificate) {
  worker_limits limits = verdict_limits(s, verdict_deadline(s, deadline));
  verdict_tell(s, RUN_PROGRESS, "checking the evidence");
  check_report x =
      check_worker_certificate(s->model, certificate, strlen(certificate), s->options->solver, &limits, s->stop);
  verdict_claim(s, out, &x, certificate);
  examination_free(&x);
}

static void run_alone(const run_settings *s, const engine *e, size_t parts, outcome *out) {
  out->engine = e;
  const char *missing = verdict_missing_ability(s, e, out->property), *stopped = verdict_stopped(s);
  if (missing || stopped) {
    verdict_unknown(
        out, stopped ? memory_copy_string(stopped) : text_format("engine %s does not treat %s", e->name, missing));
    return;
  }
  engine_worker_task task = {.settings = s, .engine = e, .property = out->property};
  double deadline = verdict_share(s, parts);
  worker_limits limits = verdict_limits(s, deadline);
  attempt a = {.settings = s, .out = out, .started = clock_seconds()};
  a.worker = worker_start(engine_worker_run, &task, &limits);
  worker_attend(a.worker, s->stop, listen_to_engine, &a);
  out->statistics = *worker_statistics(a.worker);
  if (a.certificate) {
    examine(s, out, deadline, a.certificate);
  } else if (a.reason) {
    verdict_unknown(out, memory_copy_string(a.reason));
  } else {
    bool is_defect;
    verdict_unknown(out, verdict_reason_of_end(s, a.worker, &is_defect));
    out->internal_error |= is_defect;
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
  memory_free(o->invariant);
  evidence_free(&o->evidence);
  strings_free(&o->iterations);
  strings_free(&o->predicates);
  for (size_t i = 0; i < o->facts.count; i++) memory_free(o->facts.at[i].formula);
  VECTOR_FREE(o->facts);
  *o = (outcome){0};
}

void run_property(const run_settings *s, size_t property, size_t properties_left, outcome *out) {
  double started = clock_seconds();
  *out = (outcome){.property = property};
  run_alone(s, s->engines[0], properties_left, out);
  out->seconds = clock_seconds() - started;
}
