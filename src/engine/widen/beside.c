#include "engine/widen/beside.h"

#include "base/work.h"
#include "engine/widen/known.h"
#include "engine/worker.h"
#include "proof/certificate.h"

#define SECONDS_OF_WAIT 0.1
#define SECONDS_OF_GRACE 0.5
#define LEAST_MEMORY (UINT64_C(64) << 20) /* for each lane */

typedef enum seat_state {
  SEAT_RESTS,
  SEAT_PLAYS, /* its turn goes on */
  SEAT_ENDED, /* its turn is over, which nobody has taken note of yet */
} seat_state;

typedef struct told {
  message_kind kind;
  char *bytes;
} told;

/* A lane's process. */
typedef struct seat {
  worker *worker; /* NULL before its first turn and after its end */
  seat_state state;
  uint64_t begun;    /* the size of its latest turn */
  VECTOR(told) said; /* in it, not taken note of yet from `taken` on */
  size_t taken;
  turn_end end;
  bool is_lost;               /* its process is, in the middle of something */
  char *report;               /* evidence or a reason, as `end` says; or NULL */
  statistics counted, latest; /* what was added to the engine's, and what there was at the end of the turn */
} seat;

struct beside {
  size_t count;
  seat *seats; /* by lane */
  worker_limits limits;
};

/* ---- in the lane's process ---- */

typedef struct lane_order {
  widen *engine;
  size_t lane;
  uint64_t turn, memory;
  bool tells; /* lemmas, at the end of a turn */
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
  text_free(&certificate);
}

static turn_end take_turn(widen *w, lane *l, claim *out, const char **reason) {
  *reason = turn_begin(w, l, w->turn);
  turn_end end = *reason ? TURN_LAST : TURN_GOES_ON;
  while (end == TURN_GOES_ON) end = turn_step(w, l, out, reason);
  return end;
}

static void run_lane(worker_inside *inside, void *context) {
  lane_order *o = context;
  widen *w = o->engine;
  lane *l = &w->lanes.at[o->lane];
  claim c = {0};
  const char *reason = NULL;
  move_in(o, inside);
  turn_end end;
  for (w->turn = o->turn;; w->turn *= 2) {
    end = take_turn(w, l, &c, &reason);
    if (end != TURN_OVER && end != TURN_SPENT) break;
    if (o->tells) known_tell(w, l); /* where its work was spent, what the previews found */
    o->tells &= end != TURN_OVER;
    inside->statistics->work = work_done();
    work_turn_over();
  }
  if (end == TURN_DECIDES) {
    report_claim(w, inside, &c);
    return;
  }
  if (end == TURN_UNSURE || (end == TURN_REFUTED && w->programs.over_integers)) known_tell(w, l);
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

bool beside_is_possible(const widen *w) {
  const engine_environment *env = w->env;
  if (env->cores < 2 || env->wants_product || lanes_in(w) < 2) return false;
  return !env->budget->memory || memory_of_each(w) >= LEAST_MEMORY;
}

beside *beside_new(widen *w) {
  beside *b = MEMORY_NEW(beside);
  *b = (beside){.count = w->lanes.count, .seats = MEMORY_ARRAY(seat, w->lanes.count)};
  b->limits = (worker_limits){.deadline = w->env->budget->deadline,
                              .grace = SECONDS_OF_GRACE,
                              .memory = memory_of_each(w),
                              .turn = UINT64_MAX}; /* a lane ends its turns itself */
  return b;
}

static void forget_said(seat *s) {
  for (size_t i = 0; i < s->said.count; i++) memory_free(s->said.at[i].bytes);
  VECTOR_CLEAR(s->said);
  s->taken = 0;
}

void beside_free(beside *b) {
  if (!b) return;
  for (size_t i = 0; i < b->count; i++) {
    worker_free(b->seats[i].worker);
    forget_said(&b->seats[i]);
    VECTOR_FREE(b->seats[i].said);
    memory_free(b->seats[i].report);
  }
  memory_free(b->seats);
  memory_free(b);
}

/* ---- turns ---- */

static bool is_first_in(const widen *w, size_t which) {
  for (size_t i = 0; i < which; i++)
    if (is_in(&w->lanes.at[i])) return false;
  return true;
}

static void begin(widen *w, size_t which, uint64_t turn) {
  seat *s = &w->beside->seats[which];
  s->begun = turn;
  s->state = SEAT_PLAYS;
  if (s->is_lost) {
    s->state = SEAT_ENDED;
  } else if (s->worker) {
    worker_next_turn(s->worker, UINT64_MAX);
  } else {
    lane_order order = {w, which, turn, w->beside->limits.memory, !w->has_told && is_first_in(w, which)};
    s->worker = worker_start(run_lane, &order, &w->beside->limits);
    turn_drop(&w->lanes.at[which]);
  }
}

/* What follows in order will not be asked for. */
static bool ends_all(const seat *s) {
  return s->state == SEAT_ENDED && (s->end == TURN_DECIDES || s->end == TURN_REFUTED || s->end == TURN_UNSURE);
}

static size_t count_playing(const beside *b) {
  size_t n = 0;
  for (size_t i = 0; i < b->count; i++) n += b->seats[i].state == SEAT_PLAYS;
  return n;
}

/* In order, from the current lane on, also into the next round, where it is certain to come. */
static void begin_turns(widen *w) {
  beside *b = w->beside;
  size_t playing = count_playing(b);
  for (size_t k = 0; k < b->count && playing < w->env->cores; k++) {
    size_t i = (w->current + k) % b->count;
    const seat *s = &b->seats[i];
    bool is_ahead = i < w->current;
    if (ends_all(s) || (is_ahead && widen_may_change(w))) return;
    uint64_t turn = is_ahead ? 2 * w->turn : w->turn;
    if (!is_in(&w->lanes.at[i]) || s->state != SEAT_RESTS || s->begun >= turn) continue;
    begin(w, i, turn);
    playing++;
  }
}

static void hear(seat *s, const message *m) {
  switch (m->kind) {
    case MESSAGE_ITERATION:
    case MESSAGE_NOTE:
    case MESSAGE_LEMMAS: VECTOR_PUSH(s->said, (told){m->kind, memory_copy_bytes(m->bytes, m->count)}); return;
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
  s->state = SEAT_ENDED;
}

/* It ended without a word; one that rested does not notice before its next turn. */
static void lose(seat *s) {
  const char *why = worker_reason(s->worker);
  s->is_lost = true;
  s->latest = s->counted;
  memory_free(s->report);
  s->report = memory_copy_string(*why ? why : "gave no answer");
  s->end = TURN_LAST;
  if (s->state == SEAT_PLAYS) s->state = SEAT_ENDED;
}

static void listen(seat *s) {
  for (message m; worker_receive(s->worker, &m);) hear(s, &m);
  if (worker_state(s->worker) == WORKER_RUNS) return;
  if (s->state != SEAT_ENDED || s->end == TURN_OVER) lose(s);
  worker_free(s->worker);
  s->worker = NULL;
}

static void wait_for_news(beside *b) {
  VECTOR(worker *) all = {0};
  for (size_t i = 0; i < b->count; i++)
    if (b->seats[i].worker) VECTOR_PUSH(all, b->seats[i].worker);
  workers_wait(all.count, all.at, SECONDS_OF_WAIT);
  VECTOR_FREE(all);
  for (size_t i = 0; i < b->count; i++)
    if (b->seats[i].worker) listen(&b->seats[i]);
}

/* ---- taking note ---- */

/* Up to an iteration; false where there is nothing left. */
static bool hand_on(widen *w, seat *s) {
  while (s->taken < s->said.count) {
    const told *t = &s->said.at[s->taken++];
    if (t->kind == MESSAGE_NOTE) events_note(w->env->events, "%s", t->bytes);
    if (t->kind == MESSAGE_LEMMAS) {
      events_lemmas(w->env->events, t->bytes);
      w->has_told = true;
    }
    if (t->kind != MESSAGE_ITERATION) continue;
    events_iteration(w->env->events, t->bytes);
    return true;
  }
  forget_said(s);
  return false;
}

static void count_up(widen *w, seat *s) {
  uint64_t work = s->latest.work - s->counted.work;
#define STATISTIC(FIELD, ...) w->env->statistics->FIELD += s->latest.FIELD - s->counted.FIELD;
#include "base/statistics.def"
#undef STATISTIC
  s->counted = s->latest;
  work_add(work);
}

static turn_end read_claim(widen *w, const seat *s, claim *out, const char **reason) {
  size_t property;
  char *error = NULL;
  bool read = certificate_read(w->env->model, s->report, strlen(s->report), &property, &out->evidence, &error);
  memory_free(error);
  if (read && property == w->env->property) {
    out->verdict = evidence_is_against(&out->evidence) ? VERDICT_UNSAFE : VERDICT_SAFE;
    return TURN_DECIDES;
  }
  evidence_free(&out->evidence);
  *reason = "found what cannot be read";
  return TURN_LAST;
}

static void tell_progress(const widen *w) {
  text lanes = {0};
  for (size_t i = 0; i < w->lanes.count; i++)
    if (w->beside->seats[i].state == SEAT_PLAYS)
      text_add(&lanes, "%s%s", lanes.count ? ", " : "", w->lanes.at[i].style->name);
  events_progress(w->env->events, "%s", text_string(&lanes));
  text_free(&lanes);
}

/* Without counting work, as budget_spent does: how often one looks depends on the clock. */
static bool is_to_stop(const budget *b) { return (b->stop && *b->stop) || budget_seconds_left(b) <= 0; }

turn_end beside_step(widen *w, claim *out, const char **reason) {
  seat *s = &w->beside->seats[w->current];
  begin_turns(w);
  while (s->state != SEAT_ENDED) {
    if (is_to_stop(w->env->budget)) return TURN_GOES_ON;
    tell_progress(w);
    wait_for_news(w->beside);
    begin_turns(w);
  }
  if (hand_on(w, s)) return TURN_GOES_ON;
  count_up(w, s);
  s->state = SEAT_RESTS;
  *reason = s->report;
  return s->end == TURN_DECIDES ? read_claim(w, s, out, reason) : s->end;
}
