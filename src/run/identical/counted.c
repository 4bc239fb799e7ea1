/* The engines work on the counted model as if it had been read; what they prove is wrapped, a run is told with copies, and either is checked as evidence
 * about the model as read. */
#include "run/identical/counted.h"

#include "base/text.h"
#include "proof/certificate.h"
#include "run/shared_facts.h"
#include "run/verdict.h"

static bool is_wanted(const run_settings *s) {
  int64_t least = s->options->identical;
  return least && s->model->processes.count >= (size_t)least && !s->wants_product && !s->model->has_heap &&
         !s->model->clauses;
}

/* The certificate about the model as read; false if there is none. */
static bool say_of_copies(const run_settings *s, const counter_model *c, size_t property, const outcome *there,
                          text *out) {
  bool is_fault = s->model->properties.at[property].kind == PROPERTY_NO_FAULT;
  if (there->kind == EVIDENCE_RECURRENCE || (is_fault && there->kind == EVIDENCE_TRACE)) return false;
  if (there->kind != EVIDENCE_TRACE) {
    certificate_wrap(EVIDENCE_COUNTED, s->model, property, there->certificate, out);
    return true;
  }
  size_t index;
  evidence e;
  char *error;
  bool read = certificate_read(c->made, there->certificate, strlen(there->certificate), &index, &e, &error);
  REQUIRE(read, "a certificate that reads the same twice");
  bool fine = counted_trace_back(c, &e.steps, e.has_loop ? &e.loop : NULL);
  if (fine) certificate_write(s->model, property, &e, out);
  evidence_clear(&e);
  return fine;
}

static bool take_over(const run_settings *s, const counter_model *c, size_t property, double deadline, outcome *out) {
  text certificate = {0};
  if (!say_of_copies(s, c, property, out, &certificate)) return false;
  worker_limits limits = verdict_limits(s, verdict_deadline(s, deadline));
  check_report x =
      check_worker_certificate(s->model, certificate.at, certificate.count, s->options->solver, &limits, s->stop);
  evidence_clear(&out->evidence);
  memory_free(out->certificate);
  out->certificate = NULL;
  out->property = property;
  out->checked = false;
  verdict_claim(s, out, &x, text_give(&certificate));
  check_report_clear(&x);
  if (out->verdict != VERDICT_UNKNOWN) return true;
  char *line = text_format("what was found with counters is not used: %s", out->reason);
  settings_report(s, RUN_NOTE, line);
  memory_free(line);
  return false;
}

static void note(const run_settings *s, const counter_model *c) {
  char *line = text_format("%zu copies of %s are counted: %zu local states", c->copies, c->name, c->counters.count);
  settings_report(s, RUN_NOTE, line);
  memory_free(line);
}

static void note_refusal(const run_settings *s, const char *why) {
  char *line = text_format("copies of processes are not counted: %s", why);
  settings_report(s, RUN_NOTE, line);
  memory_free(line);
}

portfolio_end counted_run(const run_settings *s, size_t property, size_t properties_left, uint64_t limit,
                          outcome *out) {
  const char *why;
  *out = (outcome){.property = property};
  if (!is_wanted(s) || verdict_stopped(s)) return PORTFOLIO_GAVE_UP;
  counter_model *c = counter_model_new(s->model, property, &why);
  if (!c) note_refusal(s, why);
  if (!c || c->copies < (size_t)s->options->identical) {
    counter_model_free(c);
    return PORTFOLIO_GAVE_UP;
  }
  note(s, c);
  run_settings there = *s;
  there.model = c->made;
  there.fact_folder = NULL;
  there.facts = (term_vector){0};
  there.shared_facts = s->shared_facts ? shared_facts_new(c->made, s->stop) : NULL;
  double deadline = verdict_share(s, properties_left);
  portfolio_end end = portfolio_run(&there, 0, properties_left, limit, out);
  out->property = property;
  if (end == PORTFOLIO_DECIDED && !take_over(s, c, property, deadline, out)) end = PORTFOLIO_GAVE_UP;
  shared_facts_free(there.shared_facts);
  counter_model_free(c);
  return end;
}
