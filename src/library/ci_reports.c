/* Results as JUnit and SARIF documents (report/ci_report.h). */
#include "library/inside.h"
#include "report/ci_report.h"

typedef VECTOR(ci_result) ci_results;

static GIVE char *verdict_words(const whet_run *r, const whet_result *of) {
  static const char *const names[] = {"UNKNOWN", "SAFE", "UNSAFE", "HOLDS", "FAILS"};
  whet_verdict v = whet_result_verdict(of);
  if (v == WHET_UNKNOWN) return text_format("UNKNOWN (%s)", whet_result_reason(of));
  char *condition = whet_run_condition(r, of);
  char *words = *condition ? text_format("%s (%s)", names[v], condition) : memory_copy_string(names[v]);
  whet_free(condition);
  return words;
}

static ci_result result_of(const whet_run *r, const whet_result *from) {
  const place *at = &from->model->properties.at[from->outcome.property].place;
  whet_verdict v = whet_result_verdict(from);
  bool holds = v == WHET_SAFE || v == WHET_HOLDS, is_open = v == WHET_UNKNOWN;
  char *run = holds || is_open ? NULL : whet_result_trace(from, false, false);
  return (ci_result){.property = whet_result_property(from),
                     .end = holds     ? CI_HOLDS
                            : is_open ? CI_OPEN
                                      : CI_VIOLATED,
                     .words = verdict_words(r, from),
                     .run = run ? run : memory_copy_string(""),
                     .line = at->line,
                     .column = at->column,
                     .file = model_file(from->model, *at),
                     .seconds = whet_result_seconds(from)};
}

typedef char *document_maker(const char *path, size_t count, const ci_result *results);

static GIVE char *document_of(const whet_run *r, const char *path, document_maker *make) {
  ci_results all = {0};
  for (size_t i = 0; i < whet_run_property_count(r); i++) {
    const whet_result *known = whet_run_result(r, i);
    if (known) VECTOR_PUSH(all, result_of(r, known));
  }
  char *document = make(path, all.count, all.at);
  for (size_t i = 0; i < all.count; i++) {
    memory_free(all.at[i].words);
    memory_free(all.at[i].run);
  }
  VECTOR_FREE(all);
  return document;
}

char *whet_run_junit(const whet_run *r, const char *path) { return document_of(r, path, junit_document); }

char *whet_run_sarif(const whet_run *r, const char *path) { return document_of(r, path, sarif_document); }
