/* whet verify: a line a property, then the run that breaks it; files that were asked for. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static whet_run *volatile running;

static volatile sig_atomic_t interrupted;

bool verify_was_interrupted(void) { return interrupted; }

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
  if (running) whet_run_interrupt(running);
}

/* The first signal asks; a second one, then with its old meaning, ends the program at once. */
static void catch_signals(void) {
  static const int asked[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) sigaction(asked[i], &action, NULL);
}

typedef struct verification {
  const command_line *line;
  whet_run *run;
  const whet_task *task; /* or NULL */
  bool confirms, quiet, verbose, strict, colour, shows_lines, is_horn, shows_model;
  char *trace, *certificate, *formula, *dot, *harness, *witness, *annotate, *json, *junit, *sarif, *report, *predicates;
  bool internal, violated, undecided, cannot_write, noted_vacuous, noted_lemmas, noted_facts, noted_advice,
      says_nothing;
  char *noted_actions; /* names, a line each */
} verification;

const char *verdict_shown(whet_verdict v, bool is_horn) {
  static const char *const names[] = {"UNKNOWN", "SAFE", "UNSAFE", "HOLDS", "FAILS"};
  if (!is_horn) return names[v];
  return v == WHET_SAFE ? "sat" : v == WHET_UNSAFE ? "unsat" : "unknown";
}

static const char *verdict_colour(whet_verdict v) {
  return v == WHET_UNKNOWN ? "\033[33m" : v == WHET_SAFE || v == WHET_HOLDS ? "\033[32m" : "\033[31m";
}

static void listen(void *context, whet_event event, const char *words) {
  const verification *v = context;
  if (event == WHET_PROGRESS) {
    progress_show(words);
  } else if (v->verbose || (event == WHET_WARNING && !v->quiet)) {
    progress_clear();
    fprintf(stderr, "%s\n", words);
  }
}

static void write_file(verification *v, const char *path, const char *content) {
  v->cannot_write |= !file_write(v->line, path, content);
}

/* cert.smt2 for property mutex becomes cert.mutex.smt2 if the run has several. */
static char *path_of_property(const verification *v, const char *base, const char *property) {
  return whet_run_property_count(v->run) == 1 ? strdup(base) : file_name_with(base, property);
}

/* Writes what there is of one property; a file of an earlier run does not stay if there is nothing now. */
static void keep_file(verification *v, const whet_result *r, const char *base, const char *content, const char *what) {
  const char *property = whet_result_property(r);
  if (!*base) return;
  char *path = file_is_standard(base) ? strdup(base) : path_of_property(v, base, property);
  if (content)
    write_file(v, path, content);
  else if (!file_is_standard(base) && file_remove(path) && !v->quiet)
    fprintf(stderr, "%s: no %s; the old %s was removed\n", property, what, path);
  else if (!v->quiet)
    fprintf(stderr, "%s: no %s to write\n", property, what);
  free(path);
}

/* Notes show so many lines of an invariant. */
enum { LINES_SHOWN = 40, COLUMNS_SHOWN = 400 };

static void print_formula(const whet_result *r) {
  size_t lines = 0;
  const char *at = whet_result_formula(r);
  if (!at) return;
  fprintf(stderr, "%s: invariant:\n", whet_result_property(r));
  for (; *at && lines < LINES_SHOWN; lines++) {
    int length = (int)strcspn(at, "\n");
    bool is_long = length > COLUMNS_SHOWN;
    fprintf(stderr, "  %.*s%s\n", is_long ? COLUMNS_SHOWN : length, at,
            is_long ? " .. (--formula FILE writes all)" : "");
    at += length + (at[length] == '\n');
  }
  if (*at) fprintf(stderr, "  and more: --formula FILE writes all\n");
}

static void print_statistics(const whet_result *r) {
  fprintf(stderr, "%s: %s, %.3f s", whet_result_property(r), whet_result_engine(r), whet_result_seconds(r));
  for (size_t i = 0; i < whet_statistic_count(); i++) {
    uint64_t n = whet_result_statistic(r, i);
    if (n) fprintf(stderr, ", %s: %llu", whet_statistic_label(i), (unsigned long long)n);
  }
  fputc('\n', stderr);
}

static void print_line(const verification *v, const whet_result *r) {
  whet_verdict verdict = whet_result_verdict(r);
  const char *colour = v->colour ? verdict_colour(verdict) : "", *plain = v->colour ? "\033[0m" : "";
  if (v->line->is_one_of_several) printf("%s: ", v->line->operands[0]);
  if (!v->is_horn) printf("%s: ", whet_result_property(r));
  printf("%s%s%s", colour, verdict_shown(verdict, v->is_horn), plain);
  if (verdict == WHET_UNKNOWN && !v->is_horn) printf(" (%s)", whet_result_reason(r));
  char *condition = whet_run_condition(v->run, r);
  if (*condition) printf(" (%s)", condition);
  whet_free(condition);
  putchar('\n');
  if (verdict == WHET_SAFE && v->shows_model) fputs(whet_result_certificate(r), stdout);
  char *trace = strcmp(v->trace, "off") ? whet_result_trace(r, !strcmp(v->trace, "full"), v->colour) : NULL;
  if (trace) fputs(trace, stdout);
  whet_free(trace);
  fflush(stdout);
}

static void print_internal_error(const whet_result *r) {
  fprintf(stderr, "whet verify: an error of whet itself, in engine %s at property %s: %s", whet_result_engine(r),
          whet_result_property(r), whet_result_reason(r));
  if (*whet_result_repro(r)) fprintf(stderr, "; all that is needed to repeat it is kept in %s", whet_result_repro(r));
  fputc('\n', stderr);
}

/* What is said once of the model, however many properties hold for that reason. */
static void note_vacuous(verification *v, const whet_result *r) {
  const char *why = whet_result_why_vacuous(r);
  bool is_of_model = !strcmp(why, "the model has no initial state");
  if (!is_of_model)
    fprintf(stderr, "note: %s is vacuous: %s\n", whet_result_property(r), why);
  else if (!v->noted_vacuous)
    fprintf(stderr, "note: the model has no initial state; its properties hold for that reason alone\n");
  v->noted_vacuous |= is_of_model;
}

static bool is_noted(const verification *v, const char *action) {
  size_t length = strlen(action);
  for (const char *at = v->noted_actions; at && *at; at += strcspn(at, "\n") + 1)
    if (strcspn(at, "\n") == length && !memcmp(at, action, length)) return true;
  return false;
}

static void keep_noted(verification *v, const char *action) {
  size_t before = v->noted_actions ? strlen(v->noted_actions) : 0, length = strlen(action);
  v->noted_actions = realloc(v->noted_actions, before + length + 2);
  if (!v->noted_actions) abort();
  sprintf(v->noted_actions + before, "%s\n", action);
}

/* Each action once in a run. */
static void note_never_enabled(verification *v, const whet_result *r) {
  for (size_t i = 0; i < whet_result_never_enabled_count(r); i++) {
    const char *action = whet_result_never_enabled(r, i);
    if (is_noted(v, action)) continue;
    fprintf(stderr, "note: action %s is never enabled\n", action);
    keep_noted(v, action);
  }
}

/* Also if quiet: these say what an answer is worth. */
static void note_coverage(verification *v, const whet_result *r) {
  if (whet_result_vacuous(r)) note_vacuous(v, r);
  note_never_enabled(v, r);
  v->says_nothing |= whet_result_vacuous(r) || whet_result_never_enabled_count(r);
}

/* Once, also if quiet: it is about what the user has said, not about how the run goes. */
static void note_failed_lemmas(verification *v) {
  for (size_t i = 0; i < whet_run_failed_lemma_count(v->run) && !v->noted_lemmas; i++) {
    char *words = whet_run_failed_lemma(v->run, i);
    fprintf(stderr, "note: %s\n", words);
    whet_free(words);
  }
  v->noted_lemmas = true;
}

/* Once, also if quiet: it says what became of what was known. */
static void note_facts(verification *v) {
  whet_fact_counts n;
  bool is_asked = whet_options_given(v->line->options, "facts"), has = is_asked && whet_run_facts(v->run, &n);
  if (v->noted_facts || !is_asked) return;
  v->noted_facts = true;
  if (!has) {
    fprintf(stderr, "note: --facts has no effect here: facts are about transition systems without reals and lists\n");
    return;
  }
  if (!n.found && !n.foreign && !n.damaged) return;
  fprintf(stderr, "note: facts: %zu of %zu kept", n.kept, n.found);
  if (n.foreign) fprintf(stderr, ", %zu about other variables", n.foreign);
  if (n.damaged) fprintf(stderr, ", %zu damaged", n.damaged);
  if (n.left_out) fprintf(stderr, ", %zu too many and not looked at", n.left_out);
  fputc('\n', stderr);
}

static void print_knowledge(const whet_result *r) {
  char *lines = whet_result_knowledge(r);
  for (char *at = lines, *end; at && (end = strchr(at, '\n')); at = end + 1)
    fprintf(stderr, "%s: %.*s\n", whet_result_property(r), (int)(end - at), at);
  whet_free(lines);
}

/* Once in a run: of several that are not decided, the first says what to try. */
static void print_advice(verification *v, const whet_result *r) {
  char *lines = v->noted_advice ? NULL : whet_run_advice(v->run, r);
  v->noted_advice |= lines != NULL;
  for (char *at = lines, *end; at && (end = strchr(at, '\n')); at = end + 1)
    fprintf(stderr, "%s: try: %.*s\n", whet_result_property(r), (int)(end - at), at);
  whet_free(lines);
}

static void report(verification *v, const whet_result *r) {
  whet_verdict verdict = whet_result_verdict(r);
  progress_clear();
  note_failed_lemmas(v);
  note_facts(v);
  if (v->shows_lines) print_line(v, r);
  note_coverage(v, r);
  task_compare(v->task, r);
  if (whet_result_internal_error(r)) print_internal_error(r);
  if (v->is_horn && verdict == WHET_UNKNOWN && !v->quiet) fprintf(stderr, "unknown: %s\n", whet_result_reason(r));
  if (v->verbose) print_statistics(r);
  if (!v->quiet) print_knowledge(r);
  if (!v->quiet) print_advice(v, r);
  v->internal |= whet_result_internal_error(r);
  v->violated |= verdict == WHET_UNSAFE || verdict == WHET_FAILS;
  v->undecided |= verdict == WHET_UNKNOWN;
  if (v->verbose) print_formula(r);
  if (!file_is_standard(v->certificate) || !(v->shows_model && verdict == WHET_SAFE))
    keep_file(v, r, v->certificate, whet_result_certificate(r), "certificate");
  char *dot = *v->dot ? whet_result_dot(r) : NULL;
  keep_file(v, r, v->dot, dot, "graph");
  whet_free(dot);
  char *confirmed = v->confirms ? whet_result_confirm(r, v->line->operands[0], v->line->options) : NULL;
  if (confirmed) fprintf(stderr, "note: %s: %s\n", whet_result_property(r), confirmed);
  whet_free(confirmed);
  char *harness = *v->harness ? whet_result_harness(r) : NULL;
  keep_file(v, r, v->harness, harness, "run of a C program");
  whet_free(harness);
  char *witness = *v->witness ? whet_result_witness(r, v->line->operands[0], v->line->options) : NULL;
  const char *name = whet_result_property(r);
  bool has_form = strcmp(name, "division") && strcmp(name, "termination") && strcmp(name, "no-uninitialised");
  keep_file(v, r, v->witness, witness, has_form ? "witness" : "witness of this property in the format 2.0");
  whet_free(witness);
  keep_file(v, r, v->formula, whet_result_formula(r), "formula");
}

static void write_json(verification *v) {
  if (!*v->json) return;
  char *document = whet_run_json(v->run);
  write_file(v, v->json, document);
  whet_free(document);
}

/* For servers that run checks. */
static void write_for_servers(verification *v, const char *path, char *(*make)(const whet_run *, const char *)) {
  if (!*path) return;
  char *document = make(v->run, v->line->operands[0]);
  write_file(v, path, document);
  whet_free(document);
}

static void write_annotated(verification *v) {
  if (!*v->annotate) return;
  char *program = whet_run_annotated(v->run);
  if (program)
    write_file(v, v->annotate, program);
  else
    fprintf(stderr, "note: --annotate has no effect here: the model is no C program\n");
  whet_free(program);
}

static void write_report(verification *v) {
  if (!*v->report) return;
  char *page = whet_run_report(v->run);
  write_file(v, v->report, page);
  whet_free(page);
}

/* Each predicate once, in the order of the properties. */
static void collect_predicates(FILE *out, const whet_run *run) {
  size_t count = whet_run_property_count(run);
  for (size_t i = 0; i < count; i++) {
    const whet_result *result = whet_run_result(run, i);
    for (size_t j = 0; j < whet_result_predicate_count(result); j++) {
      const char *predicate = whet_result_predicate(result, j);
      bool seen = false;
      for (size_t k = 0; k <= i && !seen; k++) {
        const whet_result *before = whet_run_result(run, k);
        for (size_t l = 0; l < (k < i ? whet_result_predicate_count(before) : j) && !seen; l++)
          seen = !strcmp(whet_result_predicate(before, l), predicate);
      }
      if (!seen) fprintf(out, "%s\n", predicate);
    }
  }
}

static void write_predicates(verification *v) {
  char *lines = NULL;
  size_t length;
  if (!*v->predicates) return;
  FILE *f = open_memstream(&lines, &length);
  if (f) collect_predicates(f, v->run);
  if (!f || fclose(f)) abort();
  write_file(v, v->predicates, lines);
  free(lines);
}

static int status_of(const verification *v) {
  if (v->cannot_write || v->internal) return STATUS_INTERNAL;
  return v->violated                                      ? STATUS_VIOLATED
         : v->undecided || (v->strict && v->says_nothing) ? STATUS_UNDECIDED
                                                          : STATUS_HOLDS;
}

static int decide_all(verification *v) {
  progress_start(v->quiet);
  whet_run_listen(v->run, listen, v);
  running = v->run;
  catch_signals();
  for (const whet_result *r; (r = whet_run_next(v->run));) report(v, r);
  write_json(v);
  write_for_servers(v, v->junit, whet_run_junit);
  write_for_servers(v, v->sarif, whet_run_sarif);
  write_annotated(v);
  write_report(v);
  write_predicates(v);
  running = NULL;
  return status_of(v);
}

static bool files_can_be_written(const verification *v) {
  const char *const paths[] = {v->json, v->junit,   v->sarif,   v->report,   v->predicates, v->certificate,
                               v->dot,  v->harness, v->witness, v->annotate, v->formula};
  bool fine = true;
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) fine &= file_can_be_written(v->line, paths[i]);
  return fine;
}

static int verify_model(verification *v, whet_model *m) {
  char *error = NULL;
  time_limit_watch(v->line, "the file of --predicates or --lemma", false);
  v->run = whet_run_new(m, v->line->options, &error);
  time_limit_release(v->line);
  if (!v->run) {
    int status = usage_error(v->line->command, "%s", error);
    whet_free(error);
    return status;
  }
  int status = files_can_be_written(v) ? decide_all(v) : STATUS_USAGE;
  whet_run_free(v->run);
  return status;
}

int run_verify(const command_line *given) {
  command_line followed = *given;
  const command_line *line = &followed;
  whet_task *task = NULL;
  bool is_ready = task_follow(&followed, &task);
  whet_model *m = is_ready ? model_load(line) : NULL;
  if (!m) {
    whet_task_free(task);
    return STATUS_USAGE;
  }
  verification v = {
      .line = line, .task = task, .quiet = flag_given(line, "quiet"), .verbose = flag_given(line, "verbose")};
  v.strict = flag_given(line, "strict");
  v.confirms = flag_given(line, "confirm");
  v.trace = option_value(line, "trace");
  v.certificate = option_value(line, "certificate");
  v.dot = option_value(line, "dot");
  v.harness = option_value(line, "harness");
  v.witness = option_value(line, "witness");
  v.annotate = option_value(line, "annotate");
  v.formula = option_value(line, "formula");
  v.json = option_value(line, "json");
  v.junit = option_value(line, "junit");
  v.sarif = option_value(line, "sarif");
  v.report = option_value(line, "report");
  v.predicates = option_value(line, "save-predicates");
  v.shows_lines = !file_is_standard(v.json) && !file_is_standard(v.report) && !file_is_standard(v.junit) &&
                  !file_is_standard(v.sarif);
  v.is_horn = whet_model_is_horn(m);
  v.shows_model = v.is_horn && flag_given(line, "model");
  v.colour = wants_colour(stdout);
  if (flag_given(line, "model") && !v.is_horn && !v.quiet)
    fprintf(stderr, "note: --model has no effect here: the model is not of Horn clauses (.smt2)\n");
  for (size_t i = 0; i < whet_model_note_count(m); i++) fprintf(stderr, "note: %s\n", whet_model_note(m, i));
  int status = verify_model(&v, m);
  free(v.noted_actions);
  whet_free(v.trace);
  whet_free(v.certificate);
  whet_free(v.dot);
  whet_free(v.harness);
  whet_free(v.witness);
  whet_free(v.annotate);
  whet_free(v.formula);
  whet_free(v.json);
  whet_free(v.junit);
  whet_free(v.sarif);
  whet_free(v.report);
  whet_free(v.predicates);
  whet_model_free(m);
  whet_task_free(task);
  return status;
}
