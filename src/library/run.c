/* Runs: what is asked for, the results one after the other, and all of them as documents. */
#include <errno.h>
#include <math.h>

#include "input/input.h"
#include "library/inside.h"
#include "report/advice.h"
#include "report/html.h"
#include "report/json.h"
#include "report/program/annotate.h"
#include "run/coverage/coverage.h"
#include "run/fact_folder/fact_folder.h"
#include "run/lemma_check.h"
#include "run/portfolio.h"
#include "run/property_queue.h"
#include "run/readable.h"
#include "run/shared_facts.h"

struct whet_run {
  const whet_model *read;
  model *model; /* a copy of what was read, with what this run adds to it: other runs have theirs */
  run_settings settings;
  shared_facts *shared_facts; /* NULL if one engine works alone */
  fact_folder *fact_folder;   /* NULL if there is none */
  bool has_fact_folder;       /* it is asked for, and the model may have facts */
  property_queue *property_queue;
  bool is_auto;
  VECTOR(const engine *) engines;
  VECTOR(size_t) properties;
  VECTOR(whet_result *) results;       /* by property; NULL until it is known */
  size_t known;                        /* how many are */
  VECTOR(const whet_result *) waiting; /* known, but not given yet: what they rely on may not be */
  coverage_walk *seen;                 /* NULL until somebody asks */
  bool lemmas_are_checked;
  failed_lemmas failed_lemmas;
  atomic_bool stop;
  void (*listen)(void *context, whet_event event, const char *line);
  void *context;
};

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
  if (m->is_c_program && !strcmp(name, "valid-memsafety"))
    return each_word("valid-deref,valid-free,valid-memtrack", r, take_property);
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

/* How far the whole run is, before what happens to one property: `2 of 5 done, 14 s of 60 s; LINE`. */
static GIVE char *with_total(const whet_run *r, const char *line) {
  text out = {0};
  if (r->properties.count > 1) text_add(&out, "%zu of %zu done, ", r->known, r->properties.count);
  text_add(&out, "%.0f s", clock_seconds() - r->settings.started);
  if (r->settings.options->timeout > 0) text_add(&out, " of %.0f s", r->settings.options->timeout);
  text_add(&out, "; %s", line);
  return text_give(&out);
}

static void hand_on(void *context, run_event kind, const char *line) {
  static const whet_event events[] = {
      [RUN_NOTE] = WHET_NOTE, [RUN_PROGRESS] = WHET_PROGRESS, [RUN_WARNING] = WHET_WARNING};
  whet_run *r = context;
  if (!r->listen) return;
  char *progress = kind == RUN_PROGRESS ? with_total(r, line) : NULL;
  r->listen(r->context, events[kind], progress ? progress : line);
  memory_free(progress);
}

/* As run/portfolio.h has it: facts are about states of booleans and integers. */
static bool can_have_facts(const model *m) {
  return !m->has_heap && !terms_have_reals(m->terms) && (!m->clauses || clauses_have_system(m->clauses));
}

whet_run *whet_run_new(whet_model *m, const whet_options *o, char **error) {
  whet_run *r = MEMORY_NEW(whet_run);
  r->read = m;
  r->model = model_copy(m->model);
  r->has_fact_folder = o->options->facts && can_have_facts(r->model);
  *error = library_take_help(r->model, o->options);
  if (!*error) *error = each_word(o->options->engine ? o->options->engine : engine_auto.name, r, take_engine);
  if (!*error && o->options->without) *error = each_word(o->options->without, r, leave_out_engine);
  if (!*error) *error = options_without_effect(r, o->options);
  if (!*error) *error = take_properties(r, o->options->property);
  if (*error) {
    whet_run_free(r);
    return NULL;
  }
  if (r->is_auto || r->engines.count > 1 || o->options->invariants || r->has_fact_folder)
    r->shared_facts = shared_facts_new(r->model, &r->stop);
  if (r->has_fact_folder) {
    r->fact_folder = fact_folder_open(r->model, o->options->facts, r->shared_facts, error);
    if (!r->fact_folder) {
      whet_run_free(r);
      return NULL;
    }
  }
  r->settings = (run_settings){.model = r->model,
                               .path = m->path,
                               .options = o->options,
                               .shared_facts = r->shared_facts,
                               .fact_folder = r->fact_folder,
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
  fact_folder_free(r->fact_folder);
  shared_facts_free(r->shared_facts);
  model_free(r->model);
  VECTOR_FREE(r->waiting);
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
enum { MOST_TEXT_SHOWN = 2 << 20 }; /* bytes of the model's text on a page */

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

static void find_loop_invariants(const whet_run *r, outcome *o) {
  const options *wanted = r->settings.options;
  if (!(wanted->witness || wanted->annotate || wanted->report) || o->verdict != VERDICT_SAFE || !o->certificate ||
      !r->model->source)
    return;
  worker_limits limits = {
      .deadline = clock_seconds() + SECONDS_FOR_FORMULA, .grace = 1, .memory = worker_memory_by_default()};
  loop_invariants_find(r->model, o->certificate, &limits, r->settings.stop, &o->loops);
}

/* SIZE_MAX: the run is not about it. */
static size_t position_of(const whet_run *r, const char *property) {
  for (size_t i = 0; i < r->properties.count; i++)
    if (!strcmp(r->model->properties.at[r->properties.at[i]].name, property)) return i;
  return SIZE_MAX;
}

static bool is_proved(const whet_run *r, const char *property) {
  size_t at = position_of(r, property);
  return at != SIZE_MAX && r->results.at[at] && r->results.at[at]->outcome.verdict == VERDICT_SAFE;
}

/* A run that breaks a safety property has ended before anything else was broken. */
static bool has_condition(const whet_result *of) {
  verdict v = of->outcome.verdict;
  return v == VERDICT_SAFE || v == VERDICT_HOLDS || v == VERDICT_FAILS;
}

char *whet_run_condition(const whet_run *r, const whet_result *of) {
  text out = {0};
  const char *names = has_condition(of) ? r->model->properties.at[of->outcome.property].relies_on : NULL;
  for (char *name; (name = library_next_line(&names)); memory_free(name))
    if (!is_proved(r, name)) text_add(&out, "%s%s", out.count ? ", " : "", name);
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

/* Something that it relies on is still to be decided by this run. */
static bool is_waiting(const whet_run *r, const whet_result *of) {
  const char *names = r->model->properties.at[of->outcome.property].relies_on;
  bool waits = false;
  if (!has_condition(of)) return false;
  for (char *name; (name = library_next_line(&names)); memory_free(name)) {
    size_t at = position_of(r, name);
    waits |= at != SIZE_MAX && !r->results.at[at];
  }
  return waits;
}

static const whet_result *decide_next(whet_run *r) {
  whet_result *result = MEMORY_NEW(whet_result);
  result->model = r->model;
  size_t which = property_queue_next(r->property_queue, &result->outcome);
  write_invariant(r, &result->outcome);
  find_loop_invariants(r, &result->outcome);
  find_coverage(r, &result->outcome);
  r->results.at[which] = result;
  r->known++;
  return result;
}

/* The first of those that were decided and are not given yet, if it need not wait. */
static const whet_result *next_waiting(whet_run *r) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < r->waiting.count; i++) {
    const whet_result *result = r->waiting.at[i];
    bool is_first = found == SIZE_MAX || result->outcome.property < r->waiting.at[found]->outcome.property;
    if (is_first && !is_waiting(r, result)) found = i;
  }
  if (found == SIZE_MAX) return NULL;
  const whet_result *result = r->waiting.at[found];
  r->waiting.at[found] = VECTOR_LAST(r->waiting);
  r->waiting.count--;
  return result;
}

const whet_result *whet_run_next(whet_run *r) {
  const whet_result *result = next_waiting(r);
  while (!result && r->known < r->properties.count) {
    if (!r->lemmas_are_checked) lemma_check(&r->settings, &r->failed_lemmas);
    r->lemmas_are_checked = true;
    const whet_result *decided = decide_next(r);
    VECTOR_PUSH(r->waiting, decided);
    result = next_waiting(r);
  }
  return result;
}

const whet_result *whet_run_result(const whet_run *r, size_t i) {
  REQUIRE(i < r->properties.count, "an index below whet_run_property_count()");
  return r->results.at[i];
}

void whet_run_interrupt(whet_run *r) { r->stop = true; }

bool whet_run_facts(const whet_run *r, whet_fact_counts *out) {
  if (!r->fact_folder) return false;
  fact_counts n = fact_folder_counts(r->fact_folder);
  *out = (whet_fact_counts){n.found, n.kept, n.foreign, n.damaged, n.left_out};
  return true;
}

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

char *whet_run_annotated(const whet_run *r) {
  text content = {0}, out = {0};
  VECTOR(const outcome *) outcomes = {0};
  if (!r->model->source || r->model->source->svlib_entry ||
      !text_add_file(&content, r->read->path, INPUT_MOST_BYTES + 1)) {
    text_clear(&content);
    return NULL;
  }
  for (size_t i = 0; i < r->results.count; i++)
    if (r->results.at[i]) VECTOR_PUSH(outcomes, &r->results.at[i]->outcome);
  annotate_dialect dialect = r->settings.options->annotate_for == ANNOTATE_FOR_CBMC ? ANNOTATE_CBMC : ANNOTATE_ACSL;
  annotate_print(r->model, outcomes.count, outcomes.at, dialect, text_string(&content), content.count, &out);
  VECTOR_FREE(outcomes);
  text_clear(&content);
  return text_give(&out);
}

/* False: it is gone by now, or `most` bytes do not hold it. */
static bool page_text_read(page_text *t, const char *path, size_t most) {
  return text_add_file(&t->content, path, most + 1) && t->content.count <= most;
}

/* The text of the model and those that it includes are read again; without the first of them none is shown. */
char *whet_run_report(const whet_run *r) {
  VECTOR(page_text) texts = {0};
  size_t shown = 0, left = MOST_TEXT_SHOWN;
  for (size_t i = 0; i <= r->model->files.count; i++) {
    const char *file = i ? r->model->files.at[i - 1] : NULL;
    VECTOR_PUSH(texts, (page_text){.file = file});
    if (!page_text_read(&texts.at[i], file ? file : r->read->path, left)) break;
    left -= texts.at[i].content.count;
    shown++;
  }
  char *document = whet_run_json(r), *page = html_page(document, shown, texts.at);
  memory_free(document);
  for (size_t i = 0; i < texts.count; i++) text_clear(&texts.at[i].content);
  VECTOR_FREE(texts);
  return page;
}

char *whet_run_advice(const whet_run *r, const whet_result *of) {
  text out = {0};
  advice_add(r->model, r->settings.options, &of->outcome, &out);
  return out.count ? text_give(&out) : NULL;
}
