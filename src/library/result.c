/* Results: the verdict on a property, with what shows it. */
#include <stdlib.h>
#include <time.h>

#include "input/c/confirm.h"
#include "input/input.h"
#include "library/inside.h"
#include "report/c_run.h"
#include "report/derivation.h"
#include "report/harness.h"
#include "report/heap.h"
#include "report/program/svlib_witness.h"
#include "report/program/witness.h"
#include "report/program_run.h"
#include "report/trace.h"

const char *whet_result_property(const whet_result *r) { return r->model->properties.at[r->outcome.property].name; }

whet_verdict whet_result_verdict(const whet_result *r) {
  static const whet_verdict verdicts[] = {[VERDICT_UNKNOWN] = WHET_UNKNOWN,
                                          [VERDICT_SAFE] = WHET_SAFE,
                                          [VERDICT_UNSAFE] = WHET_UNSAFE,
                                          [VERDICT_HOLDS] = WHET_HOLDS,
                                          [VERDICT_FAILS] = WHET_FAILS};
  return verdicts[r->outcome.verdict];
}

const char *whet_result_reason(const whet_result *r) { return library_or_empty(r->outcome.reason); }

const char *whet_result_engine(const whet_result *r) { return r->outcome.engine ? r->outcome.engine->name : ""; }

bool whet_result_checked(const whet_result *r) { return r->outcome.checked; }

bool whet_result_vacuous(const whet_result *r) { return r->outcome.is_vacuous; }

const char *whet_result_why_vacuous(const whet_result *r) { return library_or_empty(r->outcome.why_vacuous); }

size_t whet_result_never_enabled_count(const whet_result *r) { return r->outcome.never_enabled.count; }

const char *whet_result_never_enabled(const whet_result *r, size_t i) {
  REQUIRE(i < r->outcome.never_enabled.count, "an index below whet_result_never_enabled_count()");
  return r->outcome.never_enabled.at[i];
}

bool whet_result_internal_error(const whet_result *r) { return r->outcome.internal_error; }

const char *whet_result_repro(const whet_result *r) { return library_or_empty(r->outcome.repro); }

double whet_result_seconds(const whet_result *r) { return r->outcome.seconds; }

const char *whet_result_certificate(const whet_result *r) { return r->outcome.certificate; }

char *whet_result_dot(const whet_result *r) {
  if (!evidence_is_shown_as(r->outcome.evidence.kind, SHOWN_AS_GRAPHS)) return NULL;
  text out = {0};
  heap_dot(r->model, &r->outcome.evidence, &out);
  return text_give(&out);
}

char *whet_result_harness(const whet_result *r) {
  const evidence *e = &r->outcome.evidence;
  text out = {0};
  if (!r->model->is_c_program || !(e->steps.count || e->derivation.count || e->run.count)) return NULL;
  if (harness_print(r->model, e, &out)) return text_give(&out);
  text_clear(&out);
  return NULL;
}

/* Witnesses can be made again as they were: SOURCE_DATE_EPOCH, if it is set, is the time. */
static int64_t time_of_witness(void) {
  const char *given = getenv("SOURCE_DATE_EPOCH");
  return given && *given ? strtoll(given, NULL, 10) : (int64_t)time(NULL);
}

/* As SV-LIB. */
static char *svlib_witness(const whet_result *r, const char *path) {
  text out = {0};
  if (svlib_witness_print(path, whet_version(), r->model, &r->outcome, &out)) return text_give(&out);
  text_clear(&out);
  return NULL;
}

char *whet_result_witness(const whet_result *r, const char *path, const whet_options *o) {
  text program = {0}, out = {0};
  if (r->model->source && r->model->source->svlib_entry) return svlib_witness(r, path);
  bool fine = text_add_file(&program, path, INPUT_MOST_BYTES + 1);
  witness_task task = {.path = path,
                       .content = text_string(&program),
                       .length = program.count,
                       .is_32 = library_c_settings(o).is_32,
                       .version = whet_version(),
                       .time = time_of_witness()};
  fine = fine && witness_print(&task, r->model, &r->outcome, &out);
  text_clear(&program);
  if (fine) return text_give(&out);
  text_clear(&out);
  return NULL;
}

char *whet_result_confirm(const whet_result *r, const char *path, const whet_options *o) {
  char *harness = whet_result_harness(r);
  if (!harness) return NULL;
  c_settings settings = library_c_settings(o);
  char *wrong = c_confirm(path, &settings, harness, r->model->properties.at[r->outcome.property].name);
  char *words = wrong ? text_format("not confirmed: %s", wrong)
                      : memory_copy_string("confirmed: the compiled program comes to the error");
  memory_free(wrong);
  memory_free(harness);
  return words;
}

const char *whet_result_formula(const whet_result *r) { return r->outcome.invariant; }

char *whet_result_trace(const whet_result *r, bool full, bool colour) {
  text out = {0};
  if (evidence_is_shown_as(r->outcome.evidence.kind, SHOWN_AS_DERIVATION)) {
    if (r->model->clauses->is_program)
      program_run_print(r->model, &r->outcome.evidence, MOST_EVENTS_SHOWN, &out);
    else
      derivation_print(r->model, &r->outcome.evidence, &out);
    return text_give(&out);
  }
  if (!r->outcome.evidence.steps.count) return NULL;
  if (r->model->is_c_program && !full) {
    c_run_print(r->model, &r->outcome.evidence, &out);
    return text_give(&out);
  }
  const property *broken = &r->model->properties.at[r->outcome.property];
  trace_print(r->model, &r->outcome.evidence, broken, (trace_style){.full = full, .colour = colour}, &out);
  return text_give(&out);
}

size_t whet_result_predicate_count(const whet_result *r) { return r->outcome.predicates.count; }

const char *whet_result_predicate(const whet_result *r, size_t i) {
  REQUIRE(i < r->outcome.predicates.count, "an index below whet_result_predicate_count()");
  return r->outcome.predicates.at[i];
}

static void add_lemmas(text *out, const char *lemmas) {
  enum { MOST_SHOWN = 10, LONGEST_SHOWN = 160 };
  size_t count = 0;
  for (const char *at = lemmas; *at; count++) {
    size_t n = strcspn(at, "\n");
    bool is_long = n > LONGEST_SHOWN;
    if (count < MOST_SHOWN)
      text_add(out, "always: %.*s%s\n", (int)(is_long ? LONGEST_SHOWN : n), at,
               is_long ? " .. (--json has all of it)" : "");
    at += at[n] ? n + 1 : n;
  }
  if (count > MOST_SHOWN) text_add(out, "and %zu more that always hold (--json has all of them)\n", count - MOST_SHOWN);
}

char *whet_result_knowledge(const whet_result *r) {
  text out = {0};
  const outcome *o = &r->outcome;
  if (o->verdict != VERDICT_UNKNOWN) return NULL;
  if (o->statistics.clear_depth)
    text_add(&out, "no violation within %llu steps\n", (unsigned long long)o->statistics.clear_depth);
  if (o->lemmas) add_lemmas(&out, o->lemmas);
  if (o->predicates.count)
    text_add(&out, "%zu predicates in use (--save-predicates keeps them for --predicates)\n", o->predicates.count);
  return out.count ? text_give(&out) : NULL;
}

uint64_t whet_result_statistic(const whet_result *r, size_t i) {
  REQUIRE(i < statistics_count(), "an index below whet_statistic_count()");
  return statistics_value(&r->outcome.statistics, i);
}
