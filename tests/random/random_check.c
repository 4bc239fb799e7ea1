/* One model at a time: read it, explore it slowly, run the engine on each property, compare, check the evidence. */
#include "random/random_check.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/options.h"
#include "engine/engine.h"
#include "input/input.h"
#include "model/passes.h"
#include "oracle/reference.h"
#include "oracle/unroll.h"
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "random/shrink.h"
#include "run/correspondence/correspondence.h"
#include "unit/work_budget.h"

enum {
  MOST_ROUNDS = 100000, /* more are not taken one by one */
  DEFAULT_LIMIT = 2000,
  DEFAULT_WORK = 20000000,
  WORK_OF_MERGE = 500000,
  UNROLL_STEPS = 6,
  HANG_SECONDS = 300,
  SHRINK_QUESTIONS = 600,
  SHRINK_SECONDS = 120,
  LONGEST_FINDING = 2000
};

/* ---- running the engine ---- */

typedef struct check_report {
  const random_check *check;
  uint64_t seed;
  model *model;
  options *options;
  const engine *engine;
  reference *slow;
  unroll_result *unrolled; /* one a property, or NULL */
  random_tally *tally;
  text wrong;
} check_report;

static void finding(check_report *x, size_t index, const char *format, ...) PRINTF_LIKE(3, 4);
static void finding(check_report *x, size_t index, const char *format, ...) {
  va_list list;
  text_add(&x->wrong, "%s%s: ", x->wrong.count ? "; " : "", x->model->properties.at[index].name);
  va_start(list, format);
  text_add_list(&x->wrong, format, list);
  va_end(list);
}

/* "order=dfs threads=2" */
static options *read_options(const char *list) {
  options *o = options_new();
  char *copy = memory_copy_string(list ? list : ""), *rest = copy;
  for (char *word; (word = strtok_r(rest, " ", &rest));) {
    char *value = strchr(word, '=');
    if (value) *value++ = 0;
    char *error = options_set(o, word, value);
    if (error) fprintf(stderr, "%s\n", error);
    REQUIRE(!error, "options that exist");
  }
  memory_free(copy);
  return o;
}

/* On every other model variables that are always equal become one, if that suits the engine. */
static bool merges(const check_report *x) { return !x->engine->lists_states && x->seed % 2; }

static passes *merge(passes *before) {
  known_invariants known = {0};
  budget b = work_budget(WORK_OF_MERGE);
  correspondence_find(passes_model(before), &b, &known);
  passes *p = passes_use_invariants(before, &known, NULL);
  known_invariants_clear(&known);
  return p;
}

/* What the engine says of the model as read. */
static void run_engine(check_report *x, size_t index, claim *c) {
  statistics counts = {0};
  budget b = work_budget(x->check->work ? x->check->work : DEFAULT_WORK);
  passes *plain = passes_run(x->model, index, NULL),
         *p = merges(x) ? merge(plain) : passes_use_invariants(plain, &(known_invariants){0}, NULL);
  engine_environment env = {.model = passes_model(p),
                            .property = passes_property(p),
                            .is_whole = passes_keep_states(p),
                            .options = x->options,
                            .statistics = &counts,
                            .budget = &b,
                            .cores = (size_t)x->options->jobs};
  void *state = x->engine->open(&env);
  bool spent = false;
  while (!spent && x->engine->step(state, c) == ENGINE_GOES_ON) spent = budget_seconds_left(&b) <= 0;
  if (spent) claim_clear(c);
  evidence_add_facts(x->model->terms, &c->evidence, passes_facts(p));
  if (c->evidence.kind == EVIDENCE_TRACE) {
    passes_trace_back(p, &c->evidence.steps);
    if (x->model->properties.at[index].kind == PROPERTY_NO_FAULT)
      c->evidence.fault_transition = passes_transition_back(p, c->evidence.fault_transition, &c->evidence.fault_inputs);
  }
  x->engine->close(state);
  passes_free(p);
  passes_free(plain);
}

/* ---- evidence ---- */

static bool is_taken(const model *m, const trace_step *step, number_vector *state, number_vector *next) {
  size_t fault;
  const transition *taken = &m->transitions.at[step->transition];
  bool fine = reference_step(m, taken, state->at, step->inputs.at, next->at, &fault) == REFERENCE_TAKEN;
  VECTOR_COPY(*state, *next);
  return fine;
}

/* Rounds are taken one by one, if there are not too many. */
static bool are_taken(const model *m, const trace_step *step, number_vector *state, number_vector *next) {
  int64_t times;
  bool fine = true;
  if (!step->round) return is_taken(m, step, state, next);
  if (!number_to_int64(step->times, &times) || times > MOST_ROUNDS) {
    VECTOR_COPY(*state, step->values);
    return true;
  }
  for (int64_t i = 0; i < times; i++)
    for (const trace_step *of = step - step->round; of < step && fine; of++) fine = is_taken(m, of, state, next);
  return fine;
}

/* The run is one of the model, by the slow meaning, and ends where the property is broken. */
static bool trace_is_real(const model *m, const property *p, const evidence *e) {
  number_vector state = {0}, next = {0};
  bool real = e->steps.count && reference_holds(m, m->init, e->steps.at[0].values.at);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(next, number_of(0));
  if (real) VECTOR_COPY(state, e->steps.at[0].values);
  for (size_t i = 1; i < e->steps.count && real; i++) {
    real = are_taken(m, &e->steps.at[i], &state, &next);
    for (size_t j = 0; j < next.count && real; j++) real = number_equal(state.at[j], e->steps.at[i].values.at[j]);
  }
  VECTOR_FREE(state);
  VECTOR_FREE(next);
  if (!real) return false;
  const number *last = VECTOR_LAST(e->steps).values.at;
  if (p->kind == PROPERTY_SAFE) return reference_holds(m, p->bad, last);
  if (p->kind != PROPERTY_NO_FAULT) return true;
  const transition *fails = &m->transitions.at[e->fault_transition];
  return e->fault < fails->faults.count &&
         !number_is(reference_value(m, fails->faults.at[e->fault].when, last, fails, e->fault_inputs.at), 0);
}

static void check_once(check_report *x, size_t index, const evidence *e, const char *which) {
  budget b = budget_unlimited();
  b.deadline = clock_seconds() + HANG_SECONDS;
  check_result r = check_evidence(x->model, index, e, &b, NULL);
  x->tally->unchecked += r.kind == CHECK_UNSURE;
  if (r.kind == CHECK_REJECTED) finding(x, index, "%s rejected: %s", which, r.what);
  memory_free(r.what);
}

static void reread(check_report *x, size_t index, const evidence *e) {
  text certificate = {0};
  evidence again = {0};
  size_t about = SIZE_MAX;
  char *error = NULL;
  certificate_write(x->model, index, e, &certificate);
  if (!certificate_read(x->model, text_string(&certificate), certificate.count, &about, &again, &error))
    finding(x, index, "certificate cannot be read: %s", error);
  else if (about != index || again.kind != e->kind)
    finding(x, index, "certificate is about something else when read");
  else
    check_once(x, index, &again, "evidence from its certificate");
  memory_free(error);
  evidence_clear(&again);
  text_clear(&certificate);
}

static void check_claim_evidence(check_report *x, size_t index, const claim *c) {
  const property *p = &x->model->properties.at[index];
  bool is_trace = c->evidence.kind == EVIDENCE_TRACE;
  if (c->evidence.kind == EVIDENCE_NONE)
    finding(x, index, "a verdict without evidence");
  else if (is_trace != (c->verdict == VERDICT_UNSAFE))
    finding(x, index, "evidence of the wrong kind");
  else if (is_trace && !trace_is_real(x->model, p, &c->evidence))
    finding(x, index, "the trace is no run that breaks the property");
  else
    check_once(x, index, &c->evidence, "evidence");
  if (!x->wrong.count && x->check->reread_every && x->seed % x->check->reread_every == 0)
    reread(x, index, &c->evidence);
}

/* ---- verdicts ---- */

static void compare_with_slow(check_report *x, size_t index, const claim *c) {
  const reference_breach *b = &x->slow->breaches.at[index];
  bool whole = x->slow->status == REFERENCE_COMPLETE;
  char *says = reference_describe(x->slow, index);
  if (c->verdict == VERDICT_SAFE && b->found) finding(x, index, "SAFE, but %s", says);
  if (c->verdict == VERDICT_UNSAFE && whole && !b->found) finding(x, index, "UNSAFE, but %s", says);
  if (c->verdict == VERDICT_UNKNOWN && whole && x->check->complete)
    finding(x, index, "UNKNOWN (%s), but %s", c->reason ? c->reason : "time", says);
  if (c->verdict == VERDICT_UNSAFE && b->found && x->check->shortest && c->evidence.steps.count != b->depth + 1)
    finding(x, index, "a trace of %zu steps, but %s", c->evidence.steps.count - 1, says);
  if (c->verdict != VERDICT_UNKNOWN && (whole || b->found)) x->tally->decided++;
  memory_free(says);
}

static void compare_with_unrolling(check_report *x, size_t index, const claim *c) {
  const unroll_result *u = &x->unrolled[index];
  const reference_breach *b = &x->slow->breaches.at[index];
  bool whole = x->slow->status == REFERENCE_COMPLETE;
  if (u->kind == UNROLL_UNSURE) return;
  x->tally->unrolled++;
  if (u->kind == UNROLL_BROKEN) {
    if (c->verdict == VERDICT_SAFE) finding(x, index, "SAFE, but Z3 finds a run of %zu steps", u->depth);
    if (x->check->shortest && c->verdict == VERDICT_UNSAFE && c->evidence.steps.count != u->depth + 1)
      finding(x, index, "a trace of %zu steps, but Z3 finds one of %zu", c->evidence.steps.count - 1, u->depth);
    if (whole && (!b->found || b->depth != u->depth))
      finding(x, index, "Z3 finds a run of %zu steps that the slow meaning does not have", u->depth);
  } else {
    if (c->verdict == VERDICT_UNSAFE && c->evidence.steps.count <= UNROLL_STEPS + 1)
      finding(x, index, "a trace of %zu steps that Z3 does not find", c->evidence.steps.count - 1);
    if (b->found && b->depth <= UNROLL_STEPS)
      finding(x, index, "Z3 does not find the run of %zu steps of the slow meaning", b->depth);
  }
}

static void examine_property(check_report *x, size_t index) {
  claim c = {0};
  run_engine(x, index, &c);
  x->tally->safe += c.verdict == VERDICT_SAFE;
  x->tally->unsafe += c.verdict == VERDICT_UNSAFE;
  x->tally->unknown += c.verdict == VERDICT_UNKNOWN;
  if (c.verdict != VERDICT_UNKNOWN) check_claim_evidence(x, index, &c);
  compare_with_slow(x, index, &c);
  if (x->unrolled) compare_with_unrolling(x, index, &c);
  claim_clear(&c);
}

/* ---- one text ---- */

static void examine_model(check_report *x) {
  const random_check *c = x->check;
  x->slow = reference_explore(x->model, c->limit ? c->limit : DEFAULT_LIMIT);
  if (c->unroll_every && x->seed % c->unroll_every == 0) {
    x->unrolled = MEMORY_ARRAY(unroll_result, x->model->properties.count);
    bool ran = unroll(x->model, UNROLL_STEPS, x->unrolled);
    REQUIRE(ran, "the program z3");
  }
  for (size_t i = 0; i < x->model->properties.count; i++)
    if (!property_is_temporal(&x->model->properties.at[i])) examine_property(x, i);
  memory_free(x->unrolled);
  reference_free(x->slow);
}

static GIVE char *examine_text(const random_check *c, uint64_t seed, const char *source, random_tally *tally) {
  diagnostics d = {0};
  check_report x = {.check = c, .seed = seed, .engine = engines_find(c->engine), .tally = tally};
  REQUIRE(x.engine, "an engine of this name");
  x.model = input_read_text("model.whet", source, strlen(source), &d);
  tally->models++;
  if (!x.model) {
    text_add(&x.wrong, "unreadable: %s", text_string(&d.text));
  } else {
    x.options = read_options(c->options);
    examine_model(&x);
    options_free(x.options);
    model_free(x.model);
  }
  text_clear(&d.text);
  return x.wrong.count ? text_give(&x.wrong) : NULL;
}

/* ---- in a process of its own ---- */

typedef struct message_back {
  random_tally tally;
  bool is_wrong;
  char wrong[LONGEST_FINDING];
} message_back;

static _Noreturn void examine_in_child(const random_check *c, uint64_t seed, const char *source, int to) {
  message_back back = {0};
  alarm(HANG_SECONDS);
  char *wrong = examine_text(c, seed, source, &back.tally);
  back.is_wrong = wrong != NULL;
  if (wrong) snprintf(back.wrong, sizeof back.wrong, "%s", wrong);
  memory_free(wrong);
  bool sent = write(to, &back, sizeof back) == (ssize_t)sizeof back;
  close(to);
  exit(sent ? 0 : 1);
}

static bool receive(int from, message_back *back) {
  size_t got = 0;
  for (ssize_t n; got < sizeof *back && (n = read(from, (char *)back + got, sizeof *back - got)) > 0;) got += (size_t)n;
  return got == sizeof *back;
}

static void add_tally(random_tally *sum, const random_tally *more) {
  sum->models += more->models;
  sum->safe += more->safe;
  sum->unsafe += more->unsafe;
  sum->unknown += more->unknown;
  sum->decided += more->decided;
  sum->unchecked += more->unchecked;
  sum->unrolled += more->unrolled;
}

static GIVE char *examine_apart(const random_check *c, uint64_t seed, const char *source, random_tally *tally) {
  int ends[2], status = 0;
  message_back back = {0};
  fflush(stdout);
  if (pipe(ends)) return memory_copy_string("no pipe");
  pid_t child = fork();
  if (child < 0) return memory_copy_string("no process");
  if (child == 0) {
    close(ends[0]);
    examine_in_child(c, seed, source, ends[1]);
  }
  close(ends[1]);
  bool complete = receive(ends[0], &back);
  close(ends[0]);
  waitpid(child, &status, 0);
  add_tally(tally, &back.tally);
  if (WIFSIGNALED(status))
    return text_format(WTERMSIG(status) == SIGALRM ? "hang" : "crash, signal %d", WTERMSIG(status));
  if (back.is_wrong) return memory_copy_string(back.wrong);
  if (!complete || WEXITSTATUS(status)) return text_format("crash, status %d", WEXITSTATUS(status));
  return NULL;
}

char *random_check_text(const random_check *c, const char *source, random_tally *tally) {
  return examine_apart(c, 0, source, tally);
}

/* ---- findings ---- */

typedef struct search_for_same {
  const random_check *check;
  uint64_t seed;
  char kind[24];
  double until; /* what is looked at later counts as not showing it: a search for what hangs ends too */
} search_for_same;

/* What kind of finding it is: its words up to the first name or number that may change on the way. */
static void kind_of(const char *wrong, char *out, size_t room) {
  static const char *const kinds[] = {
      "unreadable", "hang",     "crash",       "rejected",   "SAFE, but Z3", "UNSAFE, but",      "SAFE, but",
      "UNKNOWN",    "trace of", "certificate", "wrong kind", "no run",       "without evidence", "Z3"};
  snprintf(out, room, "other");
  for (size_t i = ARRAY_LENGTH(kinds); i-- > 0;)
    if (strstr(wrong, kinds[i])) snprintf(out, room, "%s", kinds[i]);
}

static bool still_shows(void *context, const char *content) {
  search_for_same *s = context;
  if (clock_seconds() > s->until) return false;
  random_tally ignored = {0};
  char *wrong = examine_apart(s->check, s->seed, content, &ignored), kind[sizeof s->kind] = "";
  if (wrong) kind_of(wrong, kind, sizeof kind);
  memory_free(wrong);
  return !strcmp(kind, s->kind);
}

static void keep_finding(const random_check *c, uint64_t seed, const char *wrong, const char *source) {
  search_for_same s = {.check = c, .seed = seed, .until = clock_seconds() + SHRINK_SECONDS};
  kind_of(wrong, s.kind, sizeof s.kind);
  char *small = shrink(source, still_shows, &s, SHRINK_QUESTIONS);
  char *path = text_format("%s/%s-%s-%llu.whet", FINDINGS_FOLDER, c->engine, c->knobs, (unsigned long long)seed);
  mkdir(FINDINGS_FOLDER, 0777);
  FILE *file = fopen(path, "w");
  if (file) {
    fprintf(file, "%s\n// %s, %s seed %llu, options %s\n// %s\n", small, c->engine, c->knobs, (unsigned long long)seed,
            c->options ? c->options : "none", wrong);
    fclose(file);
    printf("# made small in %s\n", path);
  }
  for (char *line = strtok(small, "\n"); line; line = strtok(NULL, "\n")) printf("#   %s\n", line);
  memory_free(path);
  memory_free(small);
}

random_tally random_check_run(const random_check *c) {
  random_tally tally = {0};
  random_knobs knobs;
  bool known = random_knobs_find(c->knobs, &knobs);
  REQUIRE(known, "knobs of this name");
  const engine *e = engines_find(c->engine);
  REQUIRE(e && !(e->limits & ENGINE_ONLY_CLAUSES), "an engine of this name, for models");
  for (uint64_t seed = c->first_seed; seed < c->first_seed + c->seeds; seed++) {
    char *source = random_model(seed, knobs), *wrong = examine_apart(c, seed, source, &tally);
    if (wrong) {
      tally.findings++;
      printf("# %s, %s seed %llu, options %s: %s\n", c->engine, c->knobs, (unsigned long long)seed,
             c->options ? c->options : "none", wrong);
      if (tally.findings <= 3) keep_finding(c, seed, wrong, source);
    }
    memory_free(wrong);
    memory_free(source);
    if (tally.findings >= 10) break;
  }
  return tally;
}
