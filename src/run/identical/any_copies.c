/* The engine `cells` alone, at the model with any number of copies, with little work; what it proves is checked once more as evidence about
 * the model as read. */
#include "run/identical/any_copies.h"

#include "base/text.h"
#include "proof/certificate.h"
#include "run/portfolio.h"
#include "run/verdict.h"

enum { MOST_WORK = 2 * 1000 * 1000 };

static bool uses_cells(const run_settings *s, const engine *cells) {
  bool found = !s->engine_count && !(s->options->without && options_list_has(s->options->without, cells->name));
  for (size_t i = 0; i < s->engine_count; i++) found |= s->engines[i] == cells;
  return found;
}

static bool is_wanted(const run_settings *s, size_t property, size_t *there) {
  const model *m = s->model;
  const property_kind kind = m->properties.at[property].kind;
  return m->any_copies && s->options->identical && m->copies >= (size_t)s->options->identical && !s->wants_product &&
         kind == PROPERTY_SAFE && uses_cells(s, engines_find("cells")) &&
         model_find_property(m->any_copies, m->properties.at[property].name, there) &&
         m->any_copies->properties.at[*there].kind == PROPERTY_SAFE;
}

/* Its evidence was accepted there; now it is read as evidence about the model as read. */
static bool take_over(const run_settings *s, size_t property, double deadline, TAKE outcome *there, outcome *out) {
  text certificate = {0};
  worker_limits limits = verdict_limits(s, verdict_deadline(s, deadline));
  certificate_wrap(EVIDENCE_ANY_COPIES, s->model, property, there->certificate, &certificate);
  check_report x =
      check_worker_certificate(s->model, certificate.at, certificate.count, s->options->solver, &limits, s->stop);
  memory_free(there->certificate);
  there->certificate = NULL;
  *out = *there;
  out->property = property;
  out->checked = false;
  verdict_claim(s, out, &x, text_give(&certificate));
  check_report_clear(&x);
  return out->verdict != VERDICT_UNKNOWN;
}

bool any_copies_run(const run_settings *s, size_t property, size_t properties_left, outcome *out) {
  size_t there;
  *out = (outcome){.property = property};
  if (!is_wanted(s, property, &there) || verdict_stopped(s)) return false;
  const engine *cells[] = {engines_find("cells")};
  options limited = *s->options;
  if (!limited.work || limited.work > MOST_WORK) limited.work = MOST_WORK;
  run_settings other = *s;
  other.model = s->model->any_copies;
  other.options = &limited;
  other.facts = (term_vector){0};
  other.shared_facts = NULL;
  other.fact_folder = NULL;
  other.engine_count = 1;
  other.engines = cells;
  outcome found;
  portfolio_run(&other, there, properties_left + 1, 0, &found);
  if (found.verdict == VERDICT_SAFE) {
    double deadline = verdict_share(s, properties_left);
    settings_report(s, RUN_NOTE, "proved for any number of copies");
    return take_over(s, property, deadline, &found, out);
  }
  out->seconds = found.seconds;
  out->internal_error = found.internal_error;
  outcome_clear(&found);
  return false;
}
