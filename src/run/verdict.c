/* Divides the time limit among engines and checks, and turns reports of checks and ends of workers into outcomes. */
#include "run/verdict.h"

#include "proof/certificate.h"
#include "run/rejected_evidence.h"

/* Parts of the time limit: the whole run, with checking and killing, stays within a tenth of it. */
#define SHARE_FOR_CHECK 0.04
#define SHARE_FOR_GRACE 0.03
#define SHORTEST_GRACE 0.03
#define LONGEST_GRACE 1.0

static double grace_for(const run_settings *s) {
  double grace = s->options->timeout * SHARE_FOR_GRACE;
  return grace < SHORTEST_GRACE ? SHORTEST_GRACE : grace > LONGEST_GRACE ? LONGEST_GRACE : grace;
}

worker_limits verdict_limits(const run_settings *s, double deadline) {
  uint64_t memory = s->options->memory ? s->options->memory << 20 : worker_memory_by_default();
  return (worker_limits){.deadline = deadline, .grace = grace_for(s), .memory = memory};
}

const char *verdict_stopped(const run_settings *s) {
  if (settings_stopped(s)) return "interrupted";
  if (s->options->timeout > 0 && clock_seconds() >= s->started + s->options->timeout) return "time limit reached";
  return NULL;
}

double verdict_share(const run_settings *s, size_t parts) {
  if (s->options->timeout <= 0) return 0;
  double now = clock_seconds(), left = s->started + s->options->timeout - now;
  return now + (left > 0 ? left : 0) / (double)parts;
}

double verdict_deadline(const run_settings *s, double engine_deadline) {
  double reserve = clock_seconds() + s->options->timeout * SHARE_FOR_CHECK;
  if (engine_deadline <= 0) return 0;
  return reserve > engine_deadline ? reserve : engine_deadline;
}

const char *verdict_missing_ability(const run_settings *s, const engine *e, size_t property) {
  if (property_is_temporal(&s->model->properties.at[property]) && e->limits & ENGINE_NO_TEMPORAL)
    return "temporal properties";
  bool asks_for_end = s->model->properties.at[property].kind == PROPERTY_ENDS;
  if (asks_for_end && !e->treats_end_of_procedures) return "termination of programs with recursive functions";
  const clauses *horn = s->model->clauses;
  if (e->limits & ENGINE_ONLY_CLAUSES && !(horn && (horn->is_horn || horn->is_program)))
    return "anything but Horn clauses";
  if (model_has_arrays(s->model) && !e->treats_arrays) return "arrays of any length";
  if (horn && horn->are_trees && !e->treats_trees && !(horn->is_program && e->treats_procedures))
    return horn->is_program ? "recursive procedures" : "clauses with several predicates in a body";
  bool reals_of_clauses = e->treats_real_clauses && horn && (horn->is_horn || horn->are_trees);
  if (terms_have_reals(s->model->terms) && !e->treats_reals && !reals_of_clauses) return "reals";
  if (s->model->has_heap && e->limits & ENGINE_NO_HEAP) return "heap nodes";
  return NULL;
}

/* ---- claims ---- */

static void reject(const run_settings *s, outcome *out, const char *why, const char *certificate) {
  out->internal_error = true;
  outcome_set_unknown(out, text_format("evidence rejected: %s", why));
  memory_free(out->repro);
  out->repro =
      rejected_evidence_keep(s->model, s->path, out->property, out->engine->name, s->options, why, certificate);
}

static verdict verdict_of(const property *p, bool holds) {
  if (property_is_formula(p)) return holds ? VERDICT_HOLDS : VERDICT_FAILS;
  return holds ? VERDICT_SAFE : VERDICT_UNSAFE;
}

/* The certificate was accepted by the check worker; reading it again gives what the reports show. */
static void accept(const run_settings *s, outcome *out, const check_report *x, TAKE char *certificate) {
  out->certificate = certificate;
  out->checked = true;
  out->kind = x->kind;
  out->is_vacuous = x->is_vacuous;
  out->internal_error = false;
  out->verdict = verdict_of(&s->model->properties.at[out->property], !x->is_against);
  memory_free(out->reason);
  out->reason = NULL;
  if (!x->is_against && !evidence_is_shown_as(x->kind, SHOWN_AS_GRAPHS)) return;
  size_t property;
  char *error = NULL;
  bool fine = certificate_read(s->model, certificate, strlen(certificate), &property, &out->evidence, &error);
  REQUIRE(fine, "a certificate that reads the same twice");
}

void verdict_claim(const run_settings *s, outcome *out, const check_report *x, TAKE char *certificate) {
  bool is_about_it = x->property == out->property && x->kind != EVIDENCE_NONE;
  out->statistics.obligations = x->obligations;
  if (x->answer == CHECK_ACCEPTED && is_about_it) {
    accept(s, out, x, certificate);
    return;
  }
  if (x->answer == CHECK_UNSURE) {
    out->internal_error |= x->crashed;
    outcome_set_unknown(out, settings_stopped(s) ? memory_copy_string("interrupted")
                                                 : text_format("evidence could not be checked: %s", x->what));
  } else {
    reject(s, out, x->answer == CHECK_REJECTED ? x->what : "it is about another property", certificate);
  }
  memory_free(certificate);
}

char *verdict_reason_of_end(const run_settings *s, const worker *w, bool *is_defect) {
  worker_end end = worker_state(w);
  bool interrupted = settings_stopped(s);
  *is_defect = end == WORKER_CRASHED || end == WORKER_GARBLED || end == WORKER_RETURNED;
  if (interrupted) return memory_copy_string("interrupted");
  if (end == WORKER_RETURNED) return memory_copy_string("engine gave no answer");
  return *is_defect ? text_format("engine %s", worker_reason(w)) : memory_copy_string(worker_reason(w));
}
