/* Checking a certificate again. */
#include "library/inside.h"
#include "run/check_worker.h"

struct whet_check {
  check_report check_report;
  const model *model;
};

whet_check *whet_check_new(whet_model *m, const char *certificate, size_t length, const whet_options *o) {
  whet_check *c = MEMORY_NEW(whet_check);
  worker_limits limits = library_limits(o->options);
  c->model = m->model;
  c->check_report = check_worker_certificate(m->model, certificate, length, o->options->solver, &limits, NULL);
  return c;
}

void whet_check_free(whet_check *c) {
  if (!c) return;
  check_report_clear(&c->check_report);
  memory_free(c);
}

whet_answer whet_check_answer(const whet_check *c) {
  static const whet_answer answers[] = {
      [CHECK_ACCEPTED] = WHET_ACCEPTED, [CHECK_REJECTED] = WHET_REJECTED, [CHECK_UNSURE] = WHET_UNSURE};
  if (c->check_report.answer == CHECK_REJECTED && c->check_report.property == SIZE_MAX) return WHET_UNREADABLE;
  return answers[c->check_report.answer];
}

const char *whet_check_property(const whet_check *c) {
  size_t i = c->check_report.property;
  return i < c->model->properties.count ? c->model->properties.at[i].name : "";
}

const char *whet_check_what(const whet_check *c) { return library_or_empty(c->check_report.what); }

uint64_t whet_check_obligations(const whet_check *c) { return c->check_report.obligations; }

whet_verdict whet_check_verdict(const whet_check *c) {
  const check_report *x = &c->check_report;
  if (x->answer != CHECK_ACCEPTED) return WHET_UNKNOWN;
  if (property_is_formula(&c->model->properties.at[x->property])) return x->is_against ? WHET_FAILS : WHET_HOLDS;
  return x->is_against ? WHET_UNSAFE : WHET_SAFE;
}

bool whet_check_internal_error(const whet_check *c) { return c->check_report.crashed; }
