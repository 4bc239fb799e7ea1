/* Both sides of a lane's process: the worker that takes its turns and reports them, and the engine that starts workers,
 * collects their reports and takes note of them in the order of lanes. */
#include "engine/widen/lane/lane_processes.h"

#include "base/work.h"
#include "engine/widen/lane/lemmas.h"
#include "process/turns.h"
#include "proof/certificate.h"

#define SECONDS_OF_WAIT 0.1
#define SECONDS_OF_GRACE 0.5
#define LEAST_MEMORY (UINT64_C(64) << 20) /* for each lane */

typedef enum lane_process_state {
  LANE_RESTS,
  LANE_WORKS, /* its turn goes on */
  LANE_ENDED, /* its turn is over, which was not taken note of yet */
} lane_process_state;

typedef struct lane_message {
  message_kind kind;
  char *bytes;
  size_t count;
} lane_message;

/* A lane's process. */
typedef struct lane_process {
  worker *worker; /* NULL before its first turn and after its end */
  lane_process_state state;
  uint64_t begun;                /* the size of its latest turn */
  VECTOR(lane_message) received; /* in it, not taken note of yet from `taken` on */
  size_t taken;
  lane_turn_end end;
  bool is_lost;               /* its process is, in the middle of something */
  char *report;               /* evidence or a reason, as `end` says; or NULL */
  statistics counted, latest; /* what was added to the engine's, and what there was at the end of the turn */
} lane_process;

struct lane_processes {
  size_t count;
  lane_process *processes; /* by lane */
  worker_limits limits;
};

/* ---- in the lane's process ---- */

typedef struct lane_order {
  widen *engine;
  size_t lane;
  uint64_t turn, memory;
  bool sends_lemmas; /* at the end of a turn */
} lane_order;

static void move_in(const lane_order *o, worker_inside *inside) {
  engine_environment *env = o->engine->env;
  events_send_to(env->events, inside->pipe);
  env->statistics = inside->statistics;
  env->budget->memory = o->memory;
}

static void report(worker_inside *inside, message_kind kind, const char *bytes, size_t count) {
  inside->statistics->work = work_done();
  channel_send(inside->pipe, kind, bytes, count);
}

static void report_claim(const widen *w, worker_inside *inside, const claim *c) {
  text certificate = {0};
  certificate_write(w->env->model, w->env->property, &c->evidence, &certificate);
  report(inside, MESSAGE_CERTIFICATE, text_string(&certificate), certificate.count);
  text_clear(&certificate);
}

static lane_turn_end take_turn(widen *w, lane *l, claim *out, const char **reason) {
  *reason = lane_turn_begin(w, l, w->turn);
  lane_turn_end end = *reason ? TURN_LAST : TURN_GOES_ON;
  while (end == TURN_GOES_ON) end = lane_turn_step(w, l, out, reason);
  return end;
}

static void run_lane(worker_inside *inside, void *context) {
  lane_order *o = context;
  widen *w = o->engine;
  lane *l = &w->lanes.at[o->lane];
  claim c = {0};
  const char *reason = NULL;
  move_in(o, inside);
  lane_turn_end end;
  for (w->turn = o->turn;; w->turn *= 2) {
    end = take_turn(w, l, &c, &reason);
    if (end != TURN_OVER && end != TURN_SPENT) break;
    if (o->sends_lemmas) lemmas_send(w, l); /* if its work was spent, what the previews found */
    o->sends_lemmas &= end != TURN_OVER;
    inside->statistics->work = work_done();
    work_turn_over();
  }
  if (end == TURN_DECIDES) {
    report_claim(w, inside, &c);
    return;
  }
  if (end == TURN_UNSURE || (end == TURN_REFUTED && w->programs.over_integers)) lemmas_send(w, l);
  report(inside,
         end == TURN_LAST      ? MESSAGE_UNKNOWN
         : end == TURN_REFUTED ? MESSAGE_REJECTED
                               : MESSAGE_UNSURE,
         reason, strlen(reason));
}

/* ---- in the engine's ---- */

static bool is_in(const lane *l) { return !l->is_over && l->style->preview == PREVIEW_NONE; }

static size_t lanes_in(const widen *w) {
  size_t n = 0;
  for (size_t i = 0; i < w->lanes.count; i++) n += is_in(&w->lanes.at[i]);
  return n;
}

static uint64_t memory_of_each(const widen *w) { return w->env->budget->memory / (lanes_in(w) + 1); }

bool lane_processes_is_possible(const widen *w) {
  const engine_environment *env = w->env;
  if (env->cores < 2 || env->wants_product || lanes_in(w) < 2) return false;
  return !env->budget->memory || memory_of_each(w) >= LEAST_MEMORY;
}

lane_processes *lane_processes_new(widen *w) {
  lane_processes *b = MEMORY_NEW(lane_processes);
  *b = (lane_processes){.count = w->lanes.count, .processes = MEMORY_ARRAY(lane_process, w->lanes.count)};
  b->limits = (worker_limits){.deadline = w->env->budget->deadline,
                              .grace = SECONDS_OF_GRACE,
                              .memory = memory_of_each(w),
                              .turn = UINT64_MAX}; /* a lane ends its turns itself */
  return b;
}

static void forget_received(lane_process *s) {
  for (size_t i = 0; i < s->received.count; i++) memory_free(s->received.at[i].bytes);
  VECTOR_CLEAR(s->received);
  s->taken = 0;
}

void lane_processes_free(lane_processes *b) {
  if (!b) return;
  for (size_t i = 0; i < b->count; i++) {
    worker_free(b->processes[i].worker);
    forget_received(&b->processes[i]);
    VECTOR_FREE(b->processes[i].received);
    memory_free(b->processes[i].report);
  }
  memory_free(b->processes);
  memory_free(b);
}

/* ---- turns ---- */

static bool is_first_in(const widen *w, size_t which) {
  for (size_t i = 0; i < which; i++)
    if (is_in(&w->lanes.at[i])) return false;
  return true;
}

/* Lanes before the current one have had this round's turn: theirs is the next round's. */
static uint64_t turn_of(const widen *w, size_t which) { return which < w->current ? 2 * w->turn : w->turn; }

static void begin(void *context, size_t which) {
  widen *w = context;
  uint64_t turn = turn_of(w, which);
  lane_process *s = &w->lane_processes->processes[which];
  s->begun = turn;
  s->state = LANE_WORKS;
  if (s->is_lost) {
    s->state = LANE_ENDED;
  } else if (s->worker) {
    worker_next_turn(s->worker, UINT64_MAX);
  } else {
    lane_order order = {w, which, turn, w->lane_processes->limits.memory, !w->has_sent && is_first_in(w, which)};
    s->worker = worker_start(run_lane, &order, &w->lane_processes->limits);
    lane_turn_drop(&w->lanes.at[which]);
  }
}

/* What follows in order will not be asked for. */
static bool ends_all(const lane_process *s) {
  return s->state == LANE_ENDED && (s->end == TURN_DECIDES || s->end == TURN_REFUTED || s->end == TURN_UNSURE);
}

/* The next round comes for certain, unless something may change before it. */
static turn_wish wish_of(const void *context, size_t i) {
  const widen *w = context;
  const lane_process *s = &w->lane_processes->processes[i];
  bool is_ahead = i < w->current;
  if (s->state == LANE_WORKS) return TURN_WORKS;
  if (ends_all(s) || (is_ahead && widen_may_change(w))) return TURN_BARS;
  return is_in(&w->lanes.at[i]) && s->state == LANE_RESTS && s->begun < turn_of(w, i) ? TURN_WANTED : TURN_NONE;
}

static void hear(lane_process *s, const message *m) {
  switch (m->kind) {
    case MESSAGE_ITERATION:
    case MESSAGE_NOTE:
    case MESSAGE_LEMMAS:
      VECTOR_PUSH(s->received, (lane_message){m->kind, memory_copy_bytes(m->bytes, m->count), m->count});
      return;
    case MESSAGE_TURN: s->end = TURN_OVER; break;
    case MESSAGE_CERTIFICATE: s->end = TURN_DECIDES; break;
    case MESSAGE_UNKNOWN: s->end = TURN_LAST; break;
    case MESSAGE_REJECTED: s->end = TURN_REFUTED; break;
    case MESSAGE_UNSURE: s->end = TURN_UNSURE; break;
    default: return;
  }
  if (m->kind != MESSAGE_TURN) {
    memory_free(s->report);
    s->report = memory_copy_bytes(m->bytes, m->count);
  }
  s->latest = *worker_statistics(s->worker);
  s->state = LANE_ENDED;
}

/* It ended without a word; one that rested does not notice before its next turn. */
static void lose(lane_process *s) {
  const char *why = worker_reason(s->worker);
  s->is_lost = true;
  s->latest = s->counted;
  memory_free(s->report);
  s->report = memory_copy_string(*why ? why : "gave no answer");
  s->end = TURN_LAST;
  if (s->state == LANE_WORKS) s->state = LANE_ENDED;
}

static worker *worker_of(const void *context, size_t i) {
  return ((const widen *)context)->lane_processes->processes[i].worker;
}

static void listen(void *context, size_t i) {
  lane_process *s = &((widen *)context)->lane_processes->processes[i];
  for (message m; worker_receive(s->worker, &m);) hear(s, &m);
  if (worker_state(s->worker) == WORKER_RUNS) return;
  if (s->state != LANE_ENDED || s->end == TURN_OVER) lose(s);
  worker_free(s->worker);
  s->worker = NULL;
}

static turns turns_of(const widen *w) {
  return (turns){w->lane_processes->count, w->env->cores, wish_of, begin, worker_of, listen};
}

/* ---- taking note ---- */

/* Up to an iteration; false if there is nothing left. */
static bool hand_on(widen *w, lane_process *s) {
  while (s->taken < s->received.count) {
    const lane_message *t = &s->received.at[s->taken++];
    if (t->kind == MESSAGE_NOTE) events_note(w->env->events, "%s", t->bytes);
    if (t->kind == MESSAGE_LEMMAS) w->has_sent = true;
    if (t->kind == MESSAGE_LEMMAS || t->kind == MESSAGE_ITERATION)
      events_hand_on(w->env->events, t->kind, t->bytes, t->count);
    if (t->kind == MESSAGE_ITERATION) return true;
  }
  forget_received(s);
  return false;
}

static void count_up(widen *w, lane_process *s) {
  uint64_t work = s->latest.work - s->counted.work;
#define STATISTIC(FIELD, ...) w->env->statistics->FIELD += s->latest.FIELD - s->counted.FIELD;
#include "base/statistics.def"
#undef STATISTIC
  s->counted = s->latest;
  work_add(work);
}

static lane_turn_end read_claim(widen *w, const lane_process *s, claim *out, const char **reason) {
  size_t property;
  char *error = NULL;
  bool read = certificate_read(w->env->model, s->report, strlen(s->report), &property, &out->evidence, &error);
  memory_free(error);
  if (read && property == w->env->property) {
    out->verdict = evidence_is_against(&out->evidence) ? VERDICT_UNSAFE : VERDICT_SAFE;
    return TURN_DECIDES;
  }
  evidence_clear(&out->evidence);
  *reason = "found what cannot be read";
  return TURN_LAST;
}

static void report_progress(const widen *w) {
  text lanes = {0};
  for (size_t i = 0; i < w->lanes.count; i++)
    if (w->lane_processes->processes[i].state == LANE_WORKS)
      text_add(&lanes, "%s%s", lanes.count ? ", " : "", w->lanes.at[i].style->name);
  events_progress(w->env->events, "%s", text_string(&lanes));
  text_clear(&lanes);
}

/* Without counting work, as budget_spent does: how often one looks depends on the clock. */
static bool is_to_stop(const budget *b) { return (b->stop && *b->stop) || budget_seconds_left(b) <= 0; }

lane_turn_end lane_processes_step(widen *w, claim *out, const char **reason) {
  lane_process *s = &w->lane_processes->processes[w->current];
  turns t = turns_of(w);
  turns_begin(&t, w, w->current);
  while (s->state != LANE_ENDED) {
    if (is_to_stop(w->env->budget)) return TURN_GOES_ON;
    report_progress(w);
    turns_wait(&t, w, SECONDS_OF_WAIT);
    turns_begin(&t, w, w->current);
  }
  if (hand_on(w, s)) return TURN_GOES_ON;
  count_up(w, s);
  s->state = LANE_RESTS;
  *reason = s->report;
  return s->end == TURN_DECIDES ? read_claim(w, s, out, reason) : s->end;
}
