/* The public interface over the reader of models, the runs of engines, the checker and the reports. */
#include "whet/whet.h"

#include <errno.h>
#include <math.h>

#include "base/map.h"
#include "input/c/confirm.h"
#include "input/c/settings.h"
#include "input/c/task.h"
#include "input/input.h"
#include "model/passes.h"
#include "report/advice.h"
#include "report/derivation.h"
#include "report/harness.h"
#include "report/heap.h"
#include "report/html.h"
#include "report/json.h"
#include "report/program_run.h"
#include "report/trace.h"
#include "run/check_worker.h"
#include "run/coverage/coverage.h"
#include "run/lemma_check.h"
#include "run/portfolio.h"
#include "run/property_queue.h"
#include "run/readable.h"
#include "run/shared_facts.h"
#include "run/simulate.h"
#include "run/solver_command.h"

struct whet_options {
  options *options;
};

struct whet_model {
  model *model;
  char *path;
};

struct whet_result {
  outcome outcome;
  const model *model;
};

struct whet_run {
  const whet_model *read;
  model *model; /* a copy of what was read, with what this run adds to it: other runs have theirs */
  run_settings settings;
  shared_facts *shared_facts; /* NULL if one engine works alone */
  property_queue *property_queue;
  bool is_auto;
  VECTOR(const engine *) engines;
  VECTOR(size_t) properties;
  VECTOR(whet_result *) results; /* by property; NULL until it is known */
  size_t known;                  /* how many are */
  coverage_walk *seen;           /* NULL until somebody asks */
  bool lemmas_are_checked;
  failed_lemmas failed_lemmas;
  atomic_bool stop;
  void (*listen)(void *context, whet_event event, const char *line);
  void *context;
};

struct whet_check {
  check_report check_report;
  const model *model;
};

const char *whet_version(void) { return WHET_VERSION; }

void whet_free(void *string) { memory_free(string); }

/* ---- what there is ---- */

size_t whet_option_count(void) { return options_count(); }

static whet_option option_of(const option_row *row) {
  return (whet_option){row->name,    row->letter,  row->argument,
                       row->initial, row->choices, row->commands,
                       row->engines, row->help,    row->kind == OPTION_IS_LIST};
}

whet_option whet_option_at(size_t i) {
  REQUIRE(i < options_count(), "an index below whet_option_count()");
  return option_of(options_at(i));
}

bool whet_option_find(const char *name, whet_option *out) {
  const option_row *row = options_find(name);
  if (row) *out = option_of(row);
  return row != NULL;
}

/* `auto` first. */
size_t whet_engine_count(void) { return engines_count() + 1; }

whet_engine whet_engine_at(size_t i) {
  REQUIRE(i <= engines_count(), "an index below whet_engine_count()");
  const engine *e = i ? engines_at(i - 1) : &engine_auto;
  return (whet_engine){e->name, e->title, e->paper};
}

size_t whet_language_count(void) { return languages_count(); }

whet_language whet_language_at(size_t i) {
  REQUIRE(i < languages_count(), "an index below whet_language_count()");
  return (whet_language){languages_ending(i), languages_title(i)};
}

const char *whet_nearest(const char *typed, size_t count, const char *const *known) {
  const char *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (words_are_near(typed, known[i]) && (!best || words_distance(typed, known[i]) < words_distance(typed, best)))
      best = known[i];
  return best;
}

/* ---- options ---- */

whet_options *whet_options_new(void) {
  whet_options *o = MEMORY_NEW(whet_options);
  o->options = options_new();
  return o;
}

void whet_options_free(whet_options *o) {
  if (!o) return;
  options_free(o->options);
  memory_free(o);
}

char *whet_options_set(whet_options *o, const char *name, const char *value) {
  char *wrong = value && !strcmp(name, "solver") ? solver_command_missing(value) : NULL;
  return wrong ? wrong : options_set(o->options, name, value);
}

void whet_options_forget(whet_options *o, const char *name) { options_forget(o->options, name); }

bool whet_options_given(const whet_options *o, const char *name) {
  const option_row *row = options_find(name);
  REQUIRE(row, "the name of an option");
  return o->options->given[options_index(row)];
}

char *whet_options_get(const whet_options *o, const char *name) { return options_get(o->options, name); }

/* ---- models ---- */

static whet_model *model_wrap(TAKE model *read, const char *path, diagnostics *d, char **error) {
  if (!read) {
    *error = text_give(&d->text);
    return NULL;
  }
  text_clear(&d->text);
  whet_model *m = MEMORY_NEW(whet_model);
  m->model = read;
  m->path = memory_copy_string(path);
  return m;
}

whet_model *whet_model_read(const char *path, char **error) {
  diagnostics d = {0};
  return model_wrap(input_read_file(path, &d), path, &d, error);
}

static c_settings settings_of(const whet_options *o) {
  return (c_settings){.is_32 = o->options->machine == MACHINE_32,
                      .signed_wraps = o->options->signed_arithmetic == SIGNED_WRAP,
                      .includes = o->options->include,
                      .defines = o->options->define};
}

whet_model *whet_model_read_for(const char *path, const whet_options *o, char **error) {
  diagnostics d = {0};
  c_settings settings = settings_of(o);
  return model_wrap(input_read_file_for(path, &settings, &d), path, &d, error);
}

whet_model *whet_model_read_text(const char *path, const char *content, size_t length, char **error) {
  diagnostics d = {0};
  return model_wrap(input_read_text(path, content, length, &d), path, &d, error);
}

void whet_model_free(whet_model *m) {
  if (!m) return;
  model_free(m->model);
  memory_free(m->path);
  memory_free(m);
}

/* ---- tasks ---- */

struct whet_task {
  c_task task;
};

bool whet_task_is_named(const char *path) { return c_task_is_named(path); }

whet_task *whet_task_read(const char *path, char **error) {
  whet_task *t = MEMORY_NEW(whet_task);
  *error = c_task_read(&t->task, path);
  if (!*error) return t;
  whet_task_free(t);
  return NULL;
}

void whet_task_free(whet_task *t) {
  if (!t) return;
  c_task_clear(&t->task);
  memory_free(t);
}

const char *whet_task_file(const whet_task *t) { return t->task.file; }
const char *whet_task_machine(const whet_task *t) { return t->task.machine; }
size_t whet_task_property_count(const whet_task *t) { return t->task.properties.count; }

static const c_task_property *task_property(const whet_task *t, size_t i) {
  REQUIRE(i < t->task.properties.count, "an index below whet_task_property_count()");
  return &t->task.properties.at[i];
}

const char *whet_task_property(const whet_task *t, size_t i) { return task_property(t, i)->name; }
const char *whet_task_property_as_named(const whet_task *t, size_t i) { return task_property(t, i)->as_named; }
const char *whet_task_expected(const whet_task *t, size_t i) { return task_property(t, i)->expected; }

/* ---- models ---- */

size_t whet_model_property_count(const whet_model *m) { return m->model->properties.count; }

const char *whet_model_property_name(const whet_model *m, size_t i) {
  REQUIRE(i < m->model->properties.count, "an index below whet_model_property_count()");
  return m->model->properties.at[i].name;
}

size_t whet_model_note_count(const whet_model *m) { return m->model->notes.count; }

const char *whet_model_note(const whet_model *m, size_t i) {
  REQUIRE(i < m->model->notes.count, "an index below whet_model_note_count()");
  return m->model->notes.at[i];
}

bool whet_model_has_system(const whet_model *m) {
  return (!m->model->clauses || clauses_have_system(m->model->clauses)) && !terms_have_reals(m->model->terms);
}
bool whet_model_is_horn(const whet_model *m) { return m->model->clauses && m->model->clauses->is_horn; }

char *whet_model_show(const whet_model *m) {
  text out = {0};
  model_print(m->model, &out);
  return text_give(&out);
}

char *whet_model_show_after_passes(const whet_model *m, size_t property) {
  REQUIRE(property < m->model->properties.count, "an index below whet_model_property_count()");
  passes *p = passes_run(m->model, property, NULL);
  text out = {0};
  model_print(passes_model(p), &out);
  passes_free(p);
  return text_give(&out);
}

/* ---- runs ---- */

/* Calls `take` with each word of a list with commas; NULL if every call returned NULL, else the first message. */
static char *each_word(const char *list, whet_run *r, char *(*take)(whet_run *r, const char *word)) {
  char *error = NULL;
  for (const char *at = list; !error;) {
    size_t n = strcspn(at, ",");
    char *word = memory_copy_bytes(at, n);
    error = take(r, word);
    memory_free(word);
    if (!at[n]) break;
    at += n + 1;
  }
  return error;
}

static GIVE char *no_such(const char *what, const char *typed, size_t count, const char *const *known) {
  enum { MOST_SHOWN = 12 };
  text out = {0};
  const char *near = whet_nearest(typed, count, known);
  text_add(&out, "there is no %s '%s'", what, typed);
  if (near) text_add(&out, "; did you mean '%s'?", near);
  text_add(&out, "%s ", near ? " Known:" : "; known:");
  for (size_t i = 0; i < count && i < MOST_SHOWN; i++) text_add(&out, "%s%s", i ? ", " : "", known[i]);
  if (count > MOST_SHOWN) text_add(&out, " and %zu more", count - MOST_SHOWN);
  return text_give(&out);
}

static GIVE char *no_such_engine(const char *name) {
  VECTOR(const char *) known = {0};
  for (size_t i = 0; i < whet_engine_count(); i++) VECTOR_PUSH(known, whet_engine_at(i).name);
  char *error = no_such("engine", name, known.count, known.at);
  VECTOR_FREE(known);
  return error;
}

static char *take_engine(whet_run *r, const char *name) {
  const engine *e = engines_find(name);
  if (!strcmp(name, engine_auto.name)) {
    r->is_auto = true;
    return NULL;
  }
  if (e) {
    VECTOR_PUSH(r->engines, e);
    return NULL;
  }
  return no_such_engine(name);
}

static char *leave_out_engine(whet_run *r, const char *name) {
  if (!r->is_auto) return text_format("--without leaves engines out of auto; --engine names the only ones to use");
  return engines_find(name) ? NULL : no_such_engine(name);
}

static char *take_property(whet_run *r, const char *name) {
  const model *m = r->model;
  size_t index;
  if (model_find_property(m, name, &index)) {
    bool is_new = true;
    for (size_t i = 0; i < r->properties.count; i++) is_new &= r->properties.at[i] != index;
    if (is_new) VECTOR_PUSH(r->properties, index);
    return NULL;
  }
  VECTOR(const char *) known = {0};
  for (size_t i = 0; i < m->properties.count; i++) VECTOR_PUSH(known, m->properties.at[i].name);
  char *error = no_such("property", name, known.count, known.at);
  VECTOR_FREE(known);
  return error;
}

static char *take_properties(whet_run *r, const char *wanted) {
  const model *m = r->model;
  if (!m->properties.count)
    return text_format("%s has no property to verify; add one, such as 'safe NAME: CONDITION' or 'deadlockfree'",
                       r->read->path);
  if (wanted) return each_word(wanted, r, take_property);
  for (size_t i = 0; i < m->properties.count; i++) VECTOR_PUSH(r->properties, i);
  return NULL;
}

/* Does some engine of the run know the option? `auto` may choose any engine, and its own options are about how engines
 * are run, be it one. */
static bool option_has_effect(const whet_run *r, const option_row *row) {
  if (!*row->engines || r->is_auto || options_list_has(row->engines, engine_auto.name)) return true;
  for (size_t i = 0; i < r->engines.count; i++)
    if (options_list_has(row->engines, r->engines.at[i]->name)) return true;
  return false;
}

static void add_names(text *out, const char *names) {
  for (const char *at = names; *at; at++)
    if (*at == ' ')
      text_add(out, ", ");
    else
      text_add_char(out, *at);
}

/* An option that is given for nothing was meant for something. */
static GIVE char *options_without_effect(const whet_run *r, const options *o) {
  for (size_t i = 0; i < options_count(); i++) {
    const option_row *row = options_at(i);
    if (!o->given[i] || option_has_effect(r, row)) continue;
    text out = {0};
    text_add(&out, "--%s has no effect with --engine %s; it is an option of ", row->name, o->engine);
    add_names(&out, row->engines);
    return text_give(&out);
  }
  return NULL;
}

static char *take_file(model *m, const char *path, term_vector *into) {
  text content = {0};
  diagnostics d = {0};
  char *error = NULL;
  if (!text_add_file(&content, path, INPUT_MOST_BYTES + 1))
    error = text_format("cannot read %s: %s", path, strerror(errno));
  else if (!input_read_expressions(m, path, text_string(&content), content.count, into, &d))
    error = text_give(&d.text);
  text_clear(&content);
  text_clear(&d.text);
  return error;
}

/* `paths` is NULL or has a line for each file. */
static char *take_expressions(whet_run *r, const char *paths, term_vector *into) {
  char *error = NULL;
  for (const char *at = paths; at && *at && !error;) {
    size_t n = strcspn(at, "\n");
    char *path = memory_copy_bytes(at, n);
    error = take_file(r->model, path, into);
    memory_free(path);
    at += n + (at[n] == '\n');
  }
  return error;
}

static void hand_on(void *context, run_event kind, const char *line) {
  static const whet_event events[] = {
      [RUN_NOTE] = WHET_NOTE, [RUN_PROGRESS] = WHET_PROGRESS, [RUN_WARNING] = WHET_WARNING};
  whet_run *r = context;
  if (r->listen) r->listen(r->context, events[kind], line);
}

whet_run *whet_run_new(whet_model *m, const whet_options *o, char **error) {
  whet_run *r = MEMORY_NEW(whet_run);
  r->read = m;
  r->model = model_copy(m->model);
  *error = take_expressions(r, o->options->predicates, &r->model->predicates);
  if (!*error) *error = take_expressions(r, o->options->lemma, &r->model->lemmas);
  if (!*error) *error = each_word(o->options->engine ? o->options->engine : engine_auto.name, r, take_engine);
  if (!*error && o->options->without) *error = each_word(o->options->without, r, leave_out_engine);
  if (!*error) *error = options_without_effect(r, o->options);
  if (!*error) *error = take_properties(r, o->options->property);
  if (*error) {
    whet_run_free(r);
    return NULL;
  }
  if (r->is_auto || r->engines.count > 1 || o->options->invariants)
    r->shared_facts = shared_facts_new(r->model, &r->stop);
  r->settings = (run_settings){.model = r->model,
                               .path = m->path,
                               .options = o->options,
                               .shared_facts = r->shared_facts,
                               .engine_count = r->is_auto ? 0 : r->engines.count,
                               .engines = r->engines.at,
                               .started = clock_seconds(),
                               .stop = &r->stop,
                               .report = hand_on,
                               .context = r};
  r->property_queue = property_queue_new(&r->settings, r->properties.count, r->properties.at);
  for (size_t i = 0; i < r->properties.count; i++) VECTOR_PUSH(r->results, NULL);
  return r;
}

void whet_run_free(whet_run *r) {
  if (!r) return;
  for (size_t i = 0; i < r->results.count; i++) {
    if (r->results.at[i]) outcome_clear(&r->results.at[i]->outcome);
    memory_free(r->results.at[i]);
  }
  failed_lemmas_clear(&r->failed_lemmas);
  coverage_walk_free(r->seen);
  property_queue_free(r->property_queue);
  shared_facts_free(r->shared_facts);
  model_free(r->model);
  VECTOR_FREE(r->results);
  VECTOR_FREE(r->engines);
  VECTOR_FREE(r->properties);
  memory_free(r);
}

void whet_run_listen(whet_run *r, void (*listen)(void *context, whet_event event, const char *line), void *context) {
  r->listen = listen;
  r->context = context;
}

/* Time that writing an invariant for people may take, if it was asked for, and if it is only printed among other
 * things; bounds on its work end it long before, but for accidents. Past the time limit of the run, a part of that
 * limit. */
#define SECONDS_FOR_FORMULA 20
#define SECONDS_FOR_ASIDE 2
#define SHARE_FOR_FORMULA 0.05
/* What is printed aside may cost a part of the work that the property took, or so much. */
enum { PART_FOR_ASIDE = 20, LEAST_FOR_ASIDE = 10000 };

static void write_invariant(const whet_run *r, outcome *o) {
  const options *wanted = r->settings.options;
  bool is_invariant = o->certificate && evidence_is_shown_as(o->kind, SHOWN_AS_FORMULA);
  if (!is_invariant || !(wanted->formula || wanted->report || wanted->verbose)) return;
  double now = clock_seconds(), limit = r->settings.started + wanted->timeout;
  double seconds = wanted->formula || wanted->report ? SECONDS_FOR_FORMULA : SECONDS_FOR_ASIDE;
  worker_limits limits = {.deadline = now + seconds, .grace = 1, .memory = worker_memory_by_default()};
  if (wanted->timeout > 0)
    limits.deadline = fmin(limits.deadline, fmax(limit, now + SHARE_FOR_FORMULA * wanted->timeout));
  bool is_aside = !wanted->formula && !wanted->report;
  uint64_t share = o->statistics.work / PART_FOR_ASIDE, work = share > LEAST_FOR_ASIDE ? share : LEAST_FOR_ASIDE;
  o->invariant = readable_of_certificate(r->model, o->certificate, is_aside ? work : 0, &limits, r->settings.stop);
}

static bool is_proved(const whet_run *r, const char *property) {
  for (size_t i = 0; i < r->properties.count; i++) {
    const whet_result *known = r->results.at[i];
    if (known && known->outcome.verdict == VERDICT_SAFE &&
        !strcmp(r->model->properties.at[r->properties.at[i]].name, property))
      return true;
  }
  return false;
}

char *whet_run_condition(const whet_run *r, const whet_result *of) {
  text out = {0};
  const char *names = r->model->properties.at[of->outcome.property].relies_on;
  while (names && *names) {
    size_t n = strcspn(names, " ");
    char *name = memory_copy_bytes(names, n);
    if (!is_proved(r, name)) text_add(&out, "%s%s", out.count ? ", " : "", name);
    memory_free(name);
    names += n + (names[n] == ' ');
  }
  if (out.count) text_add(&out, " not proved");
  return text_give(&out);
}

/* An end for accidents: the work is counted, and bounded long before. Nothing is begun past the time limit of the run. */
#define SECONDS_FOR_COVERAGE 2

static void find_coverage(whet_run *r, outcome *o) {
  double now = clock_seconds(), limit = r->settings.started + r->settings.options->timeout;
  worker_limits limits = {.deadline = now + SECONDS_FOR_COVERAGE, .grace = 0.03, .memory = worker_memory_by_default()};
  if (r->settings.options->timeout > 0) limits.deadline = fmin(limits.deadline, limit);
  if (limits.deadline <= now || r->stop || o->verdict == VERDICT_UNKNOWN) return;
  if (!r->seen) r->seen = coverage_walk_of(r->model);
  coverage_find(r->model, r->seen, &limits, r->settings.stop, o);
}

const whet_result *whet_run_next(whet_run *r) {
  if (r->known == r->properties.count) return NULL;
  if (!r->lemmas_are_checked) lemma_check(&r->settings, &r->failed_lemmas);
  r->lemmas_are_checked = true;
  whet_result *result = MEMORY_NEW(whet_result);
  result->model = r->model;
  size_t which = property_queue_next(r->property_queue, &result->outcome);
  write_invariant(r, &result->outcome);
  find_coverage(r, &result->outcome);
  r->results.at[which] = result;
  r->known++;
  return result;
}

const whet_result *whet_run_result(const whet_run *r, size_t i) {
  REQUIRE(i < r->properties.count, "an index below whet_run_property_count()");
  return r->results.at[i];
}

void whet_run_interrupt(whet_run *r) { r->stop = true; }

size_t whet_run_failed_lemma_count(const whet_run *r) { return r->failed_lemmas.count; }

char *whet_run_failed_lemma(const whet_run *r, size_t i) {
  REQUIRE(i < r->failed_lemmas.count, "an index below whet_run_failed_lemma_count()");
  return failed_lemma_words(r->model, &r->failed_lemmas.at[i]);
}

size_t whet_run_property_count(const whet_run *r) { return r->properties.count; }

char *whet_run_json(const whet_run *r) {
  VECTOR(const outcome *) outcomes = {0};
  for (size_t i = 0; i < r->results.count; i++)
    if (r->results.at[i]) VECTOR_PUSH(outcomes, &r->results.at[i]->outcome);
  char *document = json_document(r->model, outcomes.count, outcomes.at, &r->failed_lemmas);
  VECTOR_FREE(outcomes);
  return document;
}

char *whet_run_report(const whet_run *r) {
  char *document = whet_run_json(r), *page = html_page(document);
  memory_free(document);
  return page;
}

/* ---- results ---- */

static const char *or_empty(const char *string) { return string ? string : ""; }

const char *whet_result_property(const whet_result *r) { return r->model->properties.at[r->outcome.property].name; }

whet_verdict whet_result_verdict(const whet_result *r) {
  static const whet_verdict verdicts[] = {[VERDICT_UNKNOWN] = WHET_UNKNOWN,
                                          [VERDICT_SAFE] = WHET_SAFE,
                                          [VERDICT_UNSAFE] = WHET_UNSAFE,
                                          [VERDICT_HOLDS] = WHET_HOLDS,
                                          [VERDICT_FAILS] = WHET_FAILS};
  return verdicts[r->outcome.verdict];
}

const char *whet_result_reason(const whet_result *r) { return or_empty(r->outcome.reason); }

const char *whet_result_engine(const whet_result *r) { return r->outcome.engine ? r->outcome.engine->name : ""; }

bool whet_result_checked(const whet_result *r) { return r->outcome.checked; }

bool whet_result_vacuous(const whet_result *r) { return r->outcome.is_vacuous; }

const char *whet_result_why_vacuous(const whet_result *r) { return or_empty(r->outcome.why_vacuous); }

size_t whet_result_never_enabled_count(const whet_result *r) { return r->outcome.never_enabled.count; }

const char *whet_result_never_enabled(const whet_result *r, size_t i) {
  REQUIRE(i < r->outcome.never_enabled.count, "an index below whet_result_never_enabled_count()");
  return r->outcome.never_enabled.at[i];
}

bool whet_result_internal_error(const whet_result *r) { return r->outcome.internal_error; }

const char *whet_result_repro(const whet_result *r) { return or_empty(r->outcome.repro); }

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
  if (!r->model->is_c_program || !(e->steps.count || e->derivation.count)) return NULL;
  if (harness_print(r->model, e, &out)) return text_give(&out);
  text_clear(&out);
  return NULL;
}

char *whet_result_confirm(const whet_result *r, const char *path, const whet_options *o) {
  char *harness = whet_result_harness(r);
  if (!harness) return NULL;
  c_settings settings = settings_of(o);
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
    if (r->model->is_c_program)
      program_run_print(r->model, &r->outcome.evidence, &out);
    else
      derivation_print(r->model, &r->outcome.evidence, &out);
    return text_give(&out);
  }
  if (!r->outcome.evidence.steps.count) return NULL;
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

char *whet_run_advice(const whet_run *r, const whet_result *of) {
  text out = {0};
  advice_add(r->model, r->settings.options, &of->outcome, &out);
  return out.count ? text_give(&out) : NULL;
}

size_t whet_statistic_count(void) { return statistics_count(); }

const char *whet_statistic_key(size_t i) { return statistics_key(i); }

const char *whet_statistic_label(size_t i) { return statistics_label(i); }

uint64_t whet_result_statistic(const whet_result *r, size_t i) {
  REQUIRE(i < statistics_count(), "an index below whet_statistic_count()");
  return statistics_value(&r->outcome.statistics, i);
}

/* ---- checking ---- */

static worker_limits limits_of(const options *o) {
  return (worker_limits){.deadline = o->timeout > 0 ? clock_seconds() + o->timeout : 0,
                         .grace = fmin(1, fmax(0.03, o->timeout * 0.05)),
                         .memory = o->memory ? o->memory << 20 : worker_memory_by_default()};
}

whet_check *whet_check_new(whet_model *m, const char *certificate, size_t length, const whet_options *o) {
  whet_check *c = MEMORY_NEW(whet_check);
  worker_limits limits = limits_of(o->options);
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

const char *whet_check_what(const whet_check *c) { return or_empty(c->check_report.what); }

uint64_t whet_check_obligations(const whet_check *c) { return c->check_report.obligations; }

whet_verdict whet_check_verdict(const whet_check *c) {
  const check_report *x = &c->check_report;
  if (x->answer != CHECK_ACCEPTED) return WHET_UNKNOWN;
  if (property_is_temporal(&c->model->properties.at[x->property])) return x->is_against ? WHET_FAILS : WHET_HOLDS;
  return x->is_against ? WHET_UNSAFE : WHET_SAFE;
}

bool whet_check_internal_error(const whet_check *c) { return c->check_report.crashed; }

/* ---- simulation ---- */

typedef struct simulate_task {
  model *model;
  const options *options;
  bool colour;
} simulate_task;

typedef struct simulated {
  char *run, *ending;
} simulated;

static void simulate_in_worker(worker_inside *inside, void *context) {
  simulate_task *task = context;
  evidence e = {0};
  text out = {0};
  char *ending = simulate_run(task->model, task->options, &inside->budget, &e);
  trace_style style = {.full = task->options->trace == TRACE_FULL, .colour = task->colour};
  trace_print(task->model, &e, NULL, style, &out);
  channel_send(inside->pipe, MESSAGE_TEXT, text_string(&out), out.count);
  if (ending) channel_send(inside->pipe, MESSAGE_NOTE, ending, strlen(ending));
}

static void listen_to_simulation(void *context, const message *m) {
  simulated *s = context;
  if (m && m->kind == MESSAGE_TEXT && !s->run) s->run = memory_copy_bytes(m->bytes, m->count);
  if (m && m->kind == MESSAGE_NOTE && !s->ending) s->ending = memory_copy_bytes(m->bytes, m->count);
}

/* ---- quotients and invariants ---- */

/* What an engine makes of the model without a property. */
static char *product_of(whet_model *m, const options *o, const char *name, const char *what, char **error) {
  const engine *maker = engines_find(name);
  model *own = model_copy(m->model);
  run_settings settings = {.model = own,
                           .path = m->path,
                           .options = o,
                           .engine_count = 1,
                           .engines = &maker,
                           .started = clock_seconds(),
                           .wants_product = true};
  outcome out = {0};
  /* A property that nothing breaks: the whole behaviour is explored for it. No property of a text can have this name.
   */
  model_add_property(own, "whole-behaviour", PROPERTY_SAFE, (place){0});
  portfolio_run(&settings, own->properties.count - 1, 1, 0, &out);
  char *product = out.verdict == VERDICT_SAFE ? out.product : NULL;
  if (product)
    out.product = NULL;
  else
    *error = out.reason ? memory_copy_string(out.reason) : text_format("no %s was found", what);
  outcome_clear(&out);
  model_free(own);
  return product;
}

/* NULL if the option `to` is one of the formats or not given. */
static char *unknown_format(const char *to, const char *formats) {
  return !to || options_list_has(formats, to) ? NULL : text_format("--to: '%s' is none of %s", to, formats);
}

char *whet_quotient(whet_model *m, const whet_options *o, char **error) {
  *error = unknown_format(o->options->to, "aut, dot, json");
  return *error ? NULL : product_of(m, o->options, "alpha", "quotient", error);
}

char *whet_abstract(whet_model *m, const whet_options *o, char **error) {
  *error = unknown_format(o->options->to, "whet, smv, promela");
  return *error ? NULL : product_of(m, o->options, "syntactic", "program", error);
}

char *whet_invariants(whet_model *m, const whet_options *o, char **error) {
  *error = NULL;
  return product_of(m, o->options, "widen", "invariant", error);
}

char *whet_simulate(whet_model *m, const whet_options *o, bool colour, char **ending) {
  simulate_task task = {m->model, o->options, colour};
  simulated s = {0};
  worker_limits limits = limits_of(o->options);
  worker *w = worker_start(simulate_in_worker, &task, &limits);
  worker_attend(w, NULL, listen_to_simulation, &s);
  if (worker_state(w) != WORKER_RETURNED && !s.ending) s.ending = memory_copy_string(worker_reason(w));
  worker_free(w);
  *ending = s.ending;
  return s.run ? s.run : memory_copy_string("");
}
