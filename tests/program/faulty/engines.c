/* Engines that go wrong in every way that comes to mind, and the real ones: this file stands in for engine/engines.c
 * in the program `whet-faulty`, which is otherwise whet itself. None may ever lead to a verdict. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/work.h"
#include "engine/engine.h"

static void *open_faulty(engine_environment *env) { return env; }
static void close_faulty(void *state) { (void)state; }

/* Whatever it is: what a real engine says is made by engine/events.c. */
static void send(engine_environment *env, message_kind kind, const char *bytes, size_t count) {
  events_hand_on(env->events, kind, bytes, count);
}

static void send_text(engine_environment *env, message_kind kind, const char *bytes) {
  send(env, kind, bytes, strlen(bytes));
}

static engine_status crash(void *state, claim *out) {
  (void)state, (void)out;
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  return ENGINE_GOES_ON;
}

static engine_status misuse(void *state, claim *out) {
  (void)state, (void)out;
  REQUIRE(false, "something else");
  return ENGINE_DONE;
}

static engine_status hang(void *state, claim *out) {
  engine_environment *env = state;
  (void)out;
  env->statistics->states = 77;
  while (true) pause();
  return ENGINE_GOES_ON;
}

static engine_status never_done(void *state, claim *out) {
  (void)state, (void)out;
  return ENGINE_GOES_ON;
}

static engine_status iterate(void *state, claim *out) {
  engine_environment *env = state;
  (void)out;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "round", 1);
  events_iteration(env->events, &w);
  send(env, MESSAGE_PREDICATE, "(= |x| 1)\n\0x = 1", 16);
  events_note(env->events, "one more round");
  return ENGINE_GOES_ON;
}

/* What it says holds in every reachable state does not, or means nothing; so it goes on for some turns. */
static engine_status lie_to_others(void *state, claim *out) {
  engine_environment *env = state;
  static const char *const lies[] = {"(<= |x| 1)\n", "(= |x| 0)\n",       "false\n", "(<= |x| 1)",
                                     "(<= |x|)\n",   "(>= |nobody| 0)\n", "\n\n\n",  ""};
  static unsigned said;
  const char *lie = lies[said++ % ARRAY_LENGTH(lies)];
  (void)out;
  send(env, MESSAGE_LEMMAS, lie, strlen(lie));
  send_text(env, MESSAGE_HINT, "(< |x|)");
  send_text(env, MESSAGE_HINT, "(= |x| 1)\n(= |x| 2)");
  send_text(env, MESSAGE_HINT, "false");
  send_text(env, MESSAGE_PREDICATE, "(= |nobody| 7)");
  work_add(4000);
  return ENGINE_GOES_ON;
}

/* Something true, just before the end: what is checked may come from one that is gone. */
static engine_status send_and_crash(void *state, claim *out) {
  engine_environment *env = state;
  send_text(env, MESSAGE_LEMMAS, "(and (>= |x| 0) (<= |x| 2))\n");
  send_text(env, MESSAGE_HINT, "(<= |x| 2)");
  work_add(40000);
  return crash(state, out);
}

static engine_status kill_itself(void *state, claim *out) {
  static unsigned steps;
  (void)state, (void)out;
  work_add(6000);
  if (++steps == 9) raise(SIGKILL);
  return ENGINE_GOES_ON;
}

static engine_status eat_memory(void *state, claim *out) {
  (void)state, (void)out;
  enum { CHUNK = 1 << 20 };
  memset(memory_alloc(CHUNK), 1, CHUNK);
  return ENGINE_GOES_ON;
}

static engine_status ask_for_too_much(void *state, claim *out) {
  (void)state, (void)out;
  *(char *)memory_alloc(SIZE_MAX / 4) = 1;
  return ENGINE_GOES_ON;
}

static engine_status write_garbage(void *state, claim *out) {
  (void)state, (void)out;
  static const char noise[] = "\377\376 not a message \001\002";
  for (int descriptor = 3; descriptor < 64; descriptor++)
    if (write(descriptor, noise, sizeof noise) < 0) continue;
  while (true) pause();
  return ENGINE_GOES_ON;
}

static engine_status exit_silently(void *state, claim *out) {
  (void)state, (void)out;
  _exit(0);
}

static engine_status claim_without_evidence(void *state, claim *out) {
  (void)state;
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

static engine_status claim_invariant(claim *out, term formula) {
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_INVARIANT;
  VECTOR_PUSH(out->evidence.parts, (invariant_part){.formula = formula});
  return ENGINE_DONE;
}

/* Includes the bad states, excludes the first ones, and is not kept by steps, in turn. */
static engine_status claim_everything(void *state, claim *out) {
  (void)state;
  return claim_invariant(out, TERM_TRUE);
}

static engine_status claim_nothing(void *state, claim *out) {
  (void)state;
  return claim_invariant(out, TERM_FALSE);
}

static engine_status claim_first_states(void *state, claim *out) {
  engine_environment *env = state;
  return claim_invariant(out, env->model->init);
}

/* Each value of the first variable, up to some, with each value of the second up to that: true of a model that counts so,
 * and dear to check. */
static engine_status claim_by_values(void *state, claim *out) {
  enum { MOST = 302 };
  engine_environment *env = state;
  terms *ts = env->model->terms;
  term x = term_of_variable(ts, env->model->variables.at[0].var),
       y = term_of_variable(ts, env->model->variables.at[1].var);
  term all = TERM_FALSE, below = TERM_FALSE;
  for (int64_t i = 0; i <= MOST; i++) {
    below = term_or(ts, below, term_eq(ts, y, term_int(ts, i)));
    all = term_or(ts, all, term_and(ts, term_eq(ts, x, term_int(ts, i)), below));
  }
  return claim_invariant(out, all);
}

/* A state that is not initial, and then the last state of a run that is none. */
static engine_status claim_any_trace(void *state, claim *out) {
  engine_environment *env = state;
  out->verdict = VERDICT_UNSAFE;
  out->evidence.kind = EVIDENCE_TRACE;
  for (int i = 0; i < 2; i++) {
    trace_step step = {0};
    for (size_t v = 0; v < env->model->variables.count; v++) VECTOR_PUSH(step.values, number_of(3));
    VECTOR_PUSH(out->evidence.steps, step);
  }
  return ENGINE_DONE;
}

static engine_status claim_trace_beyond_the_model(void *state, claim *out) {
  claim_any_trace(state, out);
  out->evidence.steps.at[1].transition = 1000000;
  return ENGINE_DONE;
}

#define FAULTY(NAME, STEP) \
  { .name = "faulty-" NAME, .title = "a test", .paper = "", .open = open_faulty, .step = STEP, .close = close_faulty }
static const engine faulty[] = {
    FAULTY("crash", crash),
    FAULTY("misuse", misuse),
    FAULTY("hang", hang),
    FAULTY("never-done", never_done),
    FAULTY("iterate", iterate),
    FAULTY("lies", lie_to_others),
    FAULTY("last-words", send_and_crash),
    FAULTY("suicide", kill_itself),
    FAULTY("memory", eat_memory),
    FAULTY("too-much", ask_for_too_much),
    FAULTY("garbage", write_garbage),
    FAULTY("silent", exit_silently),
    FAULTY("no-evidence", claim_without_evidence),
    FAULTY("everything", claim_everything),
    FAULTY("nothing", claim_nothing),
    FAULTY("first", claim_first_states),
    FAULTY("dear", claim_by_values),
    FAULTY("trace", claim_any_trace),
    FAULTY("far-trace", claim_trace_beyond_the_model),
    {.name = "faulty-limits",
     .title = "a test",
     .paper = "",
     .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
     .open = open_faulty,
     .step = crash,
     .close = close_faulty},
};

#define ENGINE(NAME) &engine_##NAME,
static const engine *const real[] = {
#include "engine/engines.def"
};
#undef ENGINE

size_t engines_count(void) { return ARRAY_LENGTH(real) + ARRAY_LENGTH(faulty); }

const engine *engines_at(size_t i) { return i < ARRAY_LENGTH(real) ? real[i] : &faulty[i - ARRAY_LENGTH(real)]; }

const engine *engines_find(const char *name) {
  for (size_t i = 0; i < engines_count(); i++)
    if (!strcmp(engines_at(i)->name, name)) return engines_at(i);
  return NULL;
}
