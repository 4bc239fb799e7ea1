/* Starts an engine's worker, gives it turns, reads its messages, and has its claim checked. */
#include "run/contender.h"

#include "base/text.h"
#include "run/verdict.h"

/* A unit of work is about a microsecond; an engine whose count is that far off is not waited for any longer. Nor is one
 * that waits for something that does not come: it sleeps, while one that a busy machine gives no time to does not. */
#if defined(__SANITIZE_ADDRESS__)
#define SLOWNESS 5.0
#else
#define SLOWNESS 1.0
#endif
#define LATE_FACTOR (4.0 * SLOWNESS)
#define LATE_SECONDS (0.3 * SLOWNESS)
#define IDLE_SECONDS 3.0
#define IDLE_SHARE 0.01
#define UNITS_PER_SECOND 1e6

void contender_init(contender *p, const engine *e, bool provides, bool is_alone) {
  *p = (contender){.engine = e, .provides = provides, .is_alone = is_alone};
}

const char *contender_name(const contender *p) { return p->provides ? "invariants" : p->engine->name; }

void contender_clear(contender *p) {
  if (p->check_worker) {
    check_report x = check_worker_end(p->check_worker);
    check_report_clear(&x);
  }
  worker_free(p->worker);
  memory_free(p->certificate);
  memory_free(p->reason);
  memory_free(p->progress);
  memory_free(p->product);
  memory_free(p->lemmas);
  memory_free(p->lemmas_shown);
  memory_free(p->likely);
  memory_free(p->builds_on);
  outcome_clear(&p->outcome);
  strings_clear(&p->iterations);
  strings_clear(&p->predicates);
  strings_clear(&p->notes);
  strings_clear(&p->offers);
  strings_clear(&p->hints);
}

void contender_restart(contender *p) {
  contender before = *p;
  contender_clear(p);
  contender_init(p, before.engine, before.provides, before.is_alone);
  p->plan = before.plan;
}

bool contender_is_in(const contender *p) { return p->state != CONTENDER_OUT; }

const statistics *contender_statistics(const contender *p) {
  return p->worker ? worker_statistics(p->worker) : &p->statistics;
}

/* ---- turns ---- */

worker *contender_worker(const contender *p) {
  return p->check_worker ? check_worker_worker(p->check_worker) : p->worker;
}

static void begin_turn(contender *p) {
  p->state = p->check_worker ? CONTENDER_CLAIMS : CONTENDER_WORKS;
  p->awake = clock_seconds();
  p->turn_used = p->used = worker_seconds(contender_worker(p));
}

void contender_work(contender *p, const engine_worker_task *task, uint64_t turn, const worker_limits *limits) {
  if (p->is_held) {
    worker_release(contender_worker(p));
    p->is_held = false;
  } else if (!p->worker) {
    engine_worker_task its = *task;
    its.engine = p->engine;
    its.facts_only = p->provides;
    worker_limits with_turn = *limits;
    with_turn.turn = turn;
    p->worker = worker_start(engine_worker_run, &its, &with_turn);
    p->turn = turn;
  } else {
    p->turn = turn;
    worker_next_turn(p->worker, turn);
  }
  begin_turn(p);
}

bool contender_is_late(contender *p, uint64_t work) {
  double used = worker_seconds(contender_worker(p)), now = clock_seconds();
  if (!worker_is_asleep(contender_worker(p)) || used - p->used > IDLE_SHARE * (now - p->awake)) {
    p->awake = now;
    p->used = used;
  }
  bool is_idle = now - p->awake > IDLE_SECONDS;
  return is_idle || used - p->turn_used > LATE_FACTOR * (double)work / UNITS_PER_SECOND + LATE_SECONDS;
}

bool contender_is_ahead(const contender *p, uint64_t turn) {
  return worker_seconds(contender_worker(p)) > SLOWNESS * (double)turn / UNITS_PER_SECOND;
}

void contender_hold(contender *p) {
  worker_hold(contender_worker(p));
  p->is_held = true;
  p->state = CONTENDER_LATE;
}

/* ---- what it says ---- */

static void replace_string(char **field, const char *value) {
  memory_free(*field);
  *field = memory_copy_string(value);
}

/* What stands after the zero. */
static const char *for_people(const message *m) {
  size_t first = strlen(m->bytes) + 1;
  return first <= m->count ? m->bytes + first : "";
}

static void hear(contender *p, const message *m) {
  switch (m->kind) {
    case MESSAGE_ITERATION: VECTOR_PUSH(p->iterations, memory_copy_bytes(m->bytes, m->count)); break;
    case MESSAGE_PREDICATE:
      VECTOR_PUSH(p->predicates, memory_copy_string(for_people(m)));
      VECTOR_PUSH(p->offers, memory_copy_string(m->bytes));
      break;
    case MESSAGE_HINT: VECTOR_PUSH(p->hints, memory_copy_string(m->bytes)); break;
    case MESSAGE_LEMMAS:
      replace_string(&p->lemmas, m->bytes);
      replace_string(&p->lemmas_shown, for_people(m));
      break;
    case MESSAGE_LIKELY: replace_string(&p->likely, m->bytes); break;
    case MESSAGE_NOTE:
      VECTOR_PUSH(p->notes,
                  p->is_alone ? memory_copy_string(m->bytes) : text_format("%s: %s", contender_name(p), m->bytes));
      break;
    case MESSAGE_TEXT: replace_string(&p->product, m->bytes); break;
    case MESSAGE_PROGRESS: replace_string(&p->progress, m->bytes); break;
    case MESSAGE_BUILDS_ON: replace_string(&p->builds_on, m->bytes); break;
    case MESSAGE_CERTIFICATE: replace_string(&p->certificate, m->bytes); break;
    case MESSAGE_UNKNOWN: replace_string(&p->reason, m->bytes); break;
    case MESSAGE_TURN:
      if (p->is_held) worker_release(p->worker);
      p->is_held = false;
      if (p->state == CONTENDER_WORKS || p->state == CONTENDER_LATE) p->state = CONTENDER_RESTS;
      break;
    default: break;
  }
}

static void release_worker(contender *p) {
  p->statistics = *worker_statistics(p->worker);
  worker_free(p->worker);
  p->worker = NULL;
}

void contender_drop(contender *p, char *reason) {
  if (p->worker) release_worker(p);
  if (p->reason)
    memory_free(reason);
  else
    p->reason = reason;
  p->state = CONTENDER_OUT;
}

static void after_end(contender *p, const run_settings *s, double deadline) {
  if (p->certificate && !p->reason && !p->provides) {
    worker_limits limits = verdict_limits(s, verdict_deadline(s, deadline));
    release_worker(p);
    p->check_worker = check_worker_start(s->model, p->certificate, strlen(p->certificate), s->options->solver, &limits);
    begin_turn(p);
    return;
  }
  char *reason = p->reason ? NULL : verdict_reason_of_end(s, p->worker, &p->is_defect);
  contender_drop(p, reason);
}

static void after_check(contender *p, const run_settings *s, size_t property) {
  outcome *out = &p->outcome;
  check_report x = check_worker_end(p->check_worker);
  p->check_worker = NULL;
  *out = (outcome){.property = property, .engine = p->engine, .statistics = p->statistics};
  verdict_claim(s, out, &x, p->certificate);
  p->certificate = NULL;
  p->statistics = out->statistics;
  p->is_defect = out->internal_error;
  p->state = out->verdict == VERDICT_UNKNOWN ? CONTENDER_OUT : CONTENDER_DECIDED;
  if (p->state == CONTENDER_OUT) p->reason = memory_copy_string(out->reason);
  check_report_clear(&x);
}

void contender_listen(contender *p, const run_settings *s, size_t property, double deadline) {
  if (p->worker) {
    for (message m; worker_receive(p->worker, &m);) hear(p, &m);
    if (worker_state(p->worker) != WORKER_RUNS) after_end(p, s, deadline);
  } else if (p->check_worker) {
    check_worker_listen(p->check_worker);
    if (worker_state(check_worker_worker(p->check_worker)) != WORKER_RUNS) after_check(p, s, property);
  }
}

void contender_report_notes(contender *p, const run_settings *s) {
  for (size_t i = 0; i < p->notes.count; i++) settings_report(s, RUN_NOTE, p->notes.at[i]);
  strings_clear(&p->notes);
}
