/* Runs as a caller of the library sees them: several threads, one model; results as they become known; many
 * properties; and passes that are stopped. */
#include <pthread.h>
#include <time.h>

#include "base/budget.h"
#include "base/text.h"
#include "model/passes.h"
#include "run/coverage/coverage_walk.h"
#include "term/print.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "whet/whet.h"

static whet_model *read_model(const char *content) {
  char *error = NULL;
  whet_model *m = whet_model_read_text("test.whet", content, strlen(content), &error);
  CHECK(m != NULL, "%s", error ? error : "");
  return m;
}

static whet_run *start(whet_model *m, const whet_options *o) {
  char *error = NULL;
  whet_run *r = whet_run_new(m, o, &error);
  CHECK(r != NULL, "%s", error ? error : "");
  return r;
}

static void set(whet_options *o, const char *name, const char *value) {
  char *wrong = whet_options_set(o, name, value);
  CHECK(!wrong, "%s", wrong ? wrong : "");
}

/* ---- threads ---- */

static const char ticket[] =
    "var t, s : int = 0\nvar big : int = 100000000000000000000\n"
    "process P[i : 1..2] {\n  var a : int = 0\n  states idle, waiting, critical\n"
    "  take: idle -> waiting : a := t, t := t + 1\n  enter: waiting -> critical when a <= s\n"
    "  leave: critical -> idle : s := s + 1, big := big + 100000000000000000000\n}\n"
    "safe mutex: !(P[1] at critical && P[2] at critical)\nsafe order: s <= t\nsafe wrong: t <= 3\nsafe large: big > "
    "0\n";

typedef struct job {
  whet_model *model;
  const char *engine;
  char *verdicts;
} job;

static void *run_job(void *context) {
  job *j = context;
  whet_options *o = whet_options_new();
  text words = {0};
  set(o, "engine", j->engine);
  set(o, "timeout", "200");
  whet_run *r = start(j->model, o);
  while (whet_run_next(r)) continue;
  for (size_t i = 0; i < whet_run_property_count(r); i++) {
    const whet_result *result = whet_run_result(r, i);
    text_add(&words, "%s %d %s %s\n%s\n", whet_result_property(result), (int)whet_result_verdict(result),
             whet_result_engine(result), whet_result_reason(result),
             whet_result_certificate(result) ? whet_result_certificate(result) : "");
  }
  j->verdicts = text_give(&words);
  whet_run_free(r);
  whet_options_free(o);
  return NULL;
}

/* The allocator of the address sanitizer does not take its locks before a fork: a child of a process whose other threads
 * allocate at that moment can wait for ever. In such a build each thread ends before the next one begins. */
#if defined(__SANITIZE_ADDRESS__)
enum { FORK_KEEPS_LOCKS = true };
#else
enum { FORK_KEEPS_LOCKS = false };
#endif

/* To the byte what each gives by itself. */
TEST(runs_of_several_threads_on_one_model_do_not_meet) {
  static const char *const engines[] = {"auto", "cegar", "explicit,cegar,widen"};
  enum { COUNT = 2 * ARRAY_LENGTH(engines) };
  whet_model *m = read_model(ticket);
  char *shown = whet_model_show(m);
  job alone[ARRAY_LENGTH(engines)], together[COUNT];
  pthread_t threads[COUNT];
  for (size_t i = 0; i < ARRAY_LENGTH(engines); i++) {
    alone[i] = (job){.model = m, .engine = engines[i]};
    run_job(&alone[i]);
  }
  for (size_t i = 0; i < COUNT; i++) {
    together[i] = (job){.model = m, .engine = engines[i % ARRAY_LENGTH(engines)]};
    CHECK(pthread_create(&threads[i], NULL, run_job, &together[i]) == 0);
    if (FORK_KEEPS_LOCKS) pthread_join(threads[i], NULL);
  }
  for (size_t i = 0; i < COUNT; i++) {
    if (!FORK_KEEPS_LOCKS) pthread_join(threads[i], NULL);
    CHECK_TEXT(together[i].verdicts, alone[i % ARRAY_LENGTH(engines)].verdicts);
    whet_free(together[i].verdicts);
  }
  for (size_t i = 0; i < ARRAY_LENGTH(engines); i++) whet_free(alone[i].verdicts);
  char *after = whet_model_show(m);
  CHECK_TEXT(after, shown);
  whet_free(shown);
  whet_free(after);
  whet_model_free(m);
}

static void *interrupt_soon(void *run) {
  nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
  whet_run_interrupt(run);
  return NULL;
}

TEST(one_run_is_interrupted_from_another_thread_and_the_other_is_not) {
  whet_model *m = read_model(
      "var x : int = 0\nvar y : int = 1\naction a: true -> x := x + y, y := y + x * x\n"
      "safe hard: x * x + y * y * y != 123456789\n");
  whet_options *o = whet_options_new();
  set(o, "engine", "explicit");
  whet_run *first = start(m, o), *second = start(m, o);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, interrupt_soon, first) == 0);
  const whet_result *result = whet_run_next(first);
  pthread_join(thread, NULL);
  CHECK(whet_result_verdict(result) == WHET_UNKNOWN);
  whet_run_interrupt(second);
  CHECK_TEXT(whet_result_reason(whet_run_next(second)), "interrupted");
  CHECK(!whet_run_next(first) && !whet_run_next(second));
  whet_run_free(first);
  whet_run_free(second);
  whet_options_free(o);
  whet_model_free(m);
}

TEST(a_quotient_leaves_the_model_as_it_was) {
  whet_model *m = read_model("var x : 0..3 = 0\naction up: x < 3 -> x := x + 1\nsafe s: x <= 3\n");
  whet_options *o = whet_options_new();
  char *error = NULL, *quotient = whet_quotient(m, o, &error);
  CHECK(quotient != NULL, "%s", error ? error : "");
  CHECK(whet_model_property_count(m) == 1);
  whet_free(quotient);
  whet_free(error);
  whet_options_free(o);
  whet_model_free(m);
}

/* ---- the order of results ---- */

/* The first property takes more work than a first round allows. */
TEST(results_come_when_they_are_known) {
  whet_model *m = read_model(
      "var x : 0..1000000 = 0\naction up: x < 1000000 -> x := x + 1\n"
      "safe late: x != 500000\nsafe soon: x >= 0\n");
  whet_options *o = whet_options_new();
  set(o, "engine", "explicit,invuni");
  set(o, "timeout", "300");
  whet_run *r = start(m, o);
  CHECK(!whet_run_result(r, 0) && !whet_run_result(r, 1));
  const whet_result *first = whet_run_next(r);
  CHECK_TEXT(whet_result_property(first), "soon");
  CHECK(whet_result_verdict(first) == WHET_SAFE && whet_run_result(r, 1) == first && !whet_run_result(r, 0));
  const whet_result *last = whet_run_next(r);
  CHECK(whet_result_verdict(last) == WHET_UNSAFE && whet_run_result(r, 0) == last && !whet_run_next(r));
  char *document = whet_run_json(r);
  CHECK(strstr(document, "\"late\"") && strstr(document, "\"late\"") < strstr(document, "\"soon\""));
  whet_free(document);
  whet_run_free(r);
  whet_options_free(o);
  whet_model_free(m);
}

TEST(thousands_of_properties_end_with_the_time_limit) {
  enum { MANY = 20000 };
  text content = {0};
  text_add(&content, "var x : int = 0\naction up: true -> x := x + 1\n");
  for (int i = 0; i < MANY; i++) text_add(&content, "safe p%d: x >= -%d\n", i, i);
  whet_model *m = read_model(text_string(&content));
  whet_options *o = whet_options_new();
  set(o, "timeout", "1");
  whet_run *r = start(m, o);
  double started = clock_seconds();
  size_t results = 0;
  while (whet_run_next(r)) results++;
  CHECK(results == MANY);
  CHECK(clock_seconds() - started < 8, "%.1f s", clock_seconds() - started);
  whet_run_free(r);
  whet_options_free(o);
  whet_model_free(m);
  text_clear(&content);
}

/* By the processor's time: a search for each property among all of them took a minute. */
TEST(a_hundred_thousand_properties_are_told_at_once_when_interrupted) {
  enum { MANY = 100000, MOST_SECONDS = 15 };
  text content = {0};
  text_add(&content, "var x : int = 0\naction up: true -> x := x + 1\n");
  for (int i = 0; i < MANY; i++) text_add(&content, "safe a_property_with_a_number_%d: x >= -%d\n", i, i);
  whet_model *m = read_model(text_string(&content));
  whet_options *o = whet_options_new();
  whet_run *r = start(m, o);
  whet_run_interrupt(r);
  clock_t started = clock();
  for (const whet_result *result; (result = whet_run_next(r));) {
    char *condition = whet_run_condition(r, result);
    CHECK_TEXT(condition, "");
    whet_free(condition);
  }
  double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
  CHECK(seconds < MOST_SECONDS, "%.1f s", seconds);
  whet_run_free(r);
  whet_options_free(o);
  whet_model_free(m);
  text_clear(&content);
}

TEST(a_missing_solver_is_told_when_it_is_named) {
  whet_options *o = whet_options_new();
  char *wrong = whet_options_set(o, "solver", "no-such-solver -in");
  CHECK_TEXT(wrong, "--solver: there is no program 'no-such-solver'");
  whet_free(wrong);
  char *fine = whet_options_set(o, "solver", "sh -c 'z3 -in'");
  CHECK(!fine, "%s", fine ? fine : "");
  whet_free(fine);
  whet_options_free(o);
}

/* ---- coverage ---- */

static coverage_walk *walk_of(const char *content, model **m) {
  *m = model_of_text(content);
  return coverage_walk_of(*m);
}

TEST(what_happens_soon_is_seen_without_a_solver) {
  model *m;
  coverage_walk *w = walk_of(
      "var x : 0..100 = 0\nvar reads : 0..3 = 0\naction count: x <= 98 -> x := x + 2\n"
      "action read(by : 1..2): reads < 3 -> reads := reads + by\naction reset: reads = 3 -> x := 0, reads := 0\n"
      "safe even: x = 4 => reads <= 3\n",
      &m);
  CHECK(w->has_start && !w->not_taken && w->triggered[0]);
  coverage_walk_free(w);
  model_free(m);
  w = walk_of(
      "var x, y : int\ninit x = 3 && y > 0\naction up: x < 10 -> x := x + 1\naction never: x < 0 -> x := 0\n"
      "safe late: x > 1000 => y = 0\nsafe always: x > 0\n",
      &m);
  CHECK(!w->has_start && w->not_taken == 2 && !w->triggered[0] && w->triggered[1],
        "a start that is not obvious is left");
  coverage_walk_free(w);
  model_free(m);
  w = walk_of(
      "var x : int = 3\naction up: x < 10 -> x := x + 1\naction never: x < 0 -> x := 0\nsafe s: x = 11 => x < 0\n", &m);
  CHECK(w->has_start && w->not_taken == 1 && w->taken[0] && !w->triggered[0]);
  coverage_walk_free(w);
  model_free(m);
}

/* ---- passes ---- */

TEST(passes_that_are_stopped_leave_the_model_as_read) {
  model *m = model_of_text(
      "var x, y : int = 0\nvar c : int = 5\naction up: c = 5 -> x := x + 1, y := y + 1\nsafe s: x >= 0\n");
  passes *all = passes_run(m, 0, NULL);
  CHECK(passes_model(all) != m && passes_model(all)->variables.count == 1);
  passes_free(all);
  for (unsigned before = 0; before < 12; before++) { /* reads of the clock come at the first call of each kind */
    atomic_bool stop = true;
    budget spent = {.stop = &stop}, late = {.deadline = clock_seconds() - 1, .calls = before};
    passes *none = passes_run(m, 0, before % 2 ? &spent : &late);
    CHECK(passes_model(none) == m && passes_property(none) == 0 && term_is_true(passes_facts(none)));
    passes_free(none);
  }
  model_free(m);
}

TEST(a_copy_of_a_model_is_the_same_and_apart) {
  model *m = model_of_file("ticket3.whet"), *copy = model_copy(m);
  text before = {0}, after = {0}, copied = {0};
  model_print(m, &before);
  model_print(copy, &copied);
  CHECK_TEXT(text_string(&copied), text_string(&before));
  size_t terms_before = terms_count(m->terms);
  CHECK(terms_count(copy->terms) == terms_before);
  term x = term_of_variable(copy->terms, copy->variables.at[0].var);
  CHECK(term_same(x, term_of_variable(m->terms, m->variables.at[0].var)));
  for (int i = 1; i < 2000; i++) term_add(copy->terms, x, term_int(copy->terms, 1000 + i));
  model_add_property(copy, "another", PROPERTY_SAFE, (place){0});
  CHECK(terms_count(m->terms) == terms_before && terms_count(copy->terms) > terms_before);
  model_free(copy);
  model_print(m, &after);
  CHECK_TEXT(text_string(&after), text_string(&before));
  text_clear(&before);
  text_clear(&after);
  text_clear(&copied);
  model_free(m);
}

TEST_MAIN
