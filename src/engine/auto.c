/* Rounds, turns, and who wins. See auto.h for the rules. */
#include "engine/auto.h"

#include "base/text.h"
#include "engine/judge.h"
#include "engine/knowledge.h"
#include "engine/player.h"
#include "engine/schedule.h"
#include "engine/task.h"
#include "model/passes.h"
#include "proof/certificate.h"

/* The first turn, in work; every round adds half of all that was done, up to the longest turn. */
enum { FIRST_TURN = 10 * 1000, LONGEST_TURN = 20 * 1000 * 1000, LITTLE_DONE = 200 * 1000, MOST_PROMISING = 6 };
#define SECONDS_OF_FACT_CHECK 5.0
#define SECONDS_BETWEEN_TICKS 0.1
#define SECONDS_FOR_LAST_WORDS 0.5

const engine engine_auto = {
    .name = "auto",
    .title = "all the others together: in turn and side by side, each using what another has proved",
    .paper = "",
};

typedef struct game {
  const run_settings *settings; /* as given */
  run_settings shared;          /* with the facts known at the start */
  size_t property;
  VECTOR(player) players;
  size_t jobs;
  unsigned round;
  uint64_t turn, turn_before; /* all work up to the end of this round, and of the last */
  double started, deadline, next_tick;
  worker_limits limits;
} game;

static void note(const game *g, const char *line) { judge_tell(g->settings, RUN_NOTE, line); }

/* An error of whet itself is worth knowing also where others make up for it. */
static void warn(const game *g, const player *p) {
  text line = {0};
  text_add(&line, "%s: an error of whet itself, in engine %s: %s", g->settings->model->properties.at[g->property].name,
           p->engine->name, p->reason);
  if (p->outcome.repro) text_add(&line, "; all that is needed to repeat it is kept in %s", p->outcome.repro);
  judge_tell(g->settings, RUN_WARNING, text_string(&line));
  text_free(&line);
}

/* ---- beginning ---- */

static void choose_by_look(game *g, engine_vector *chosen) {
  passes *p = passes_run(g->settings->model, g->property);
  model_look look = schedule_look(passes_model(p), passes_property(p));
  text why = {0};
  schedule_make(&look, g->settings->options->without, chosen, &why);
  note(g, text_string(&why));
  text_free(&why);
  passes_free(p);
}

/* One that was asked for by name says so where it cannot. One that cannot treat the property may still find out what
 * always holds. */
static void add_player(game *g, const engine *e, bool by_name) {
  player p;
  const char *missing = judge_missing_ability(g->settings, e, g->property);
  bool provides = missing && e->provides_facts && !g->settings->model->has_heap;
  if (missing && !by_name && !provides) return;
  player_init(&p, e, provides);
  if (provides) missing = NULL;
  if (missing) player_drop(&p, text_format("engine %s does not treat %s", e->name, missing));
  VECTOR_PUSH(g->players, p);
}

/* Also where they treat the property themselves. */
static void add_providers(game *g) {
  for (size_t i = 0; i < engines_count() && !g->settings->model->has_heap; i++) {
    player p;
    bool is_there = false;
    for (size_t j = 0; j < g->players.count; j++)
      is_there |= g->players.at[j].provides && g->players.at[j].engine == engines_at(i);
    const char *without = g->settings->options->without;
    bool is_left_out = without && options_list_has(without, engines_at(i)->name);
    if (is_there || is_left_out || !engines_at(i)->provides_facts) continue;
    player_init(&p, engines_at(i), true);
    VECTOR_PUSH(g->players, p);
  }
}

static void set_up(game *g) {
  engine_vector chosen = {0};
  const run_settings *s = g->settings;
  if (!s->engine_count) choose_by_look(g, &chosen);
  for (size_t i = 0; i < chosen.count; i++) add_player(g, chosen.at[i], false);
  for (size_t i = 0; i < s->engine_count; i++) add_player(g, s->engines[i], true);
  VECTOR_FREE(chosen);
  if (s->options->invariants) add_providers(g);
  g->shared = *s;
  g->shared.facts = *knowledge_facts(s->knowledge);
  g->jobs = task_jobs(s->options);
  g->limits = judge_limits(s, g->deadline);
  if (!s->options->memory && g->players.count) g->limits.memory /= g->players.count;
}

/* ---- telling ---- */

static void tell_progress(game *g) {
  text line = {0};
  text_add(&line, "%s: %.1f s, round %u", g->settings->model->properties.at[g->property].name,
           clock_seconds() - g->started, g->round + 1);
  for (size_t i = 0; i < g->players.count; i++) {
    const player *p = &g->players.at[i];
    const statistics *n = player_statistics(p);
    if (p->state == PLAYER_CLAIMS) text_add(&line, "; %s: checking its evidence", player_name(p));
    if (p->state != PLAYER_PLAYS) continue;
    text_add(&line, "; %s: ", player_name(p));
    if (n->iterations) text_add(&line, "iteration %llu, ", (unsigned long long)n->iterations);
    if (p->progress)
      text_add(&line, "%s", p->progress);
    else
      text_add(&line, "%llu states, depth %llu", (unsigned long long)n->states, (unsigned long long)n->depth);
  }
  judge_tell(g->settings, RUN_PROGRESS, line.at);
  text_free(&line);
}

static void flush_notes(game *g, player *p) {
  for (size_t i = 0; i < p->notes.count; i++) {
    note(g, p->notes.at[i]);
    memory_free(p->notes.at[i]);
  }
  VECTOR_CLEAR(p->notes);
}

/* ---- a round ---- */

static bool is_busy(const player *p) {
  return p->state == PLAYER_WAITS || p->state == PLAYER_PLAYS || p->state == PLAYER_CLAIMS;
}

/* The first ones in order are the most promising: each of the others gets a quarter of what one of them does. */
static uint64_t share_of(const game *g, const player *p, uint64_t work) {
  return p - g->players.at < MOST_PROMISING ? work : work / 4;
}

/* The first in order whose evidence was accepted, once all before it have had their turns. */
static player *winner_of(game *g, bool at_once) {
  for (size_t i = 0; i < g->players.count; i++) {
    player *p = &g->players.at[i];
    if (p->state == PLAYER_WINS) return p;
    if (is_busy(p) && !at_once) return NULL;
  }
  return NULL;
}

static size_t count_in(const game *g, player_state state) {
  size_t n = 0;
  for (size_t i = 0; i < g->players.count; i++) n += g->players.at[i].state == state;
  return n;
}

/* In order, and nobody after one that claims to know. */
static void begin_turns(game *g) {
  size_t playing = count_in(g, PLAYER_PLAYS);
  for (size_t i = 0; i < g->players.count && playing < g->jobs; i++) {
    player *p = &g->players.at[i];
    if (p->state == PLAYER_CLAIMS || p->state == PLAYER_WINS) return;
    if (p->state != PLAYER_WAITS) continue;
    player_play(p, &g->shared, g->property, share_of(g, p, g->turn), &g->limits);
    playing++;
  }
}

static void wait_for_news(game *g) {
  VECTOR(worker *) all = {0};
  for (size_t i = 0; i < g->players.count; i++) {
    const player *p = &g->players.at[i];
    if (p->worker) VECTOR_PUSH(all, p->worker);
    if (p->examiner) VECTOR_PUSH(all, examiner_worker(p->examiner));
  }
  workers_wait(all.count, all.at, SECONDS_BETWEEN_TICKS);
  VECTOR_FREE(all);
  if (clock_seconds() < g->next_tick) return;
  g->next_tick = clock_seconds() + SECONDS_BETWEEN_TICKS;
  tell_progress(g);
}

/* One whose turn had ended too late catches up. */
static void listen(game *g, player *p) {
  bool was_in = player_is_in(p);
  player_listen(p, g->settings, g->property, g->deadline);
  uint64_t turn = share_of(g, p, g->turn);
  if (p->state == PLAYER_RESTS && p->turn < turn) player_play(p, &g->shared, g->property, turn, &g->limits);
  if ((p->state == PLAYER_PLAYS || p->state == PLAYER_CLAIMS) &&
      player_is_late(p, share_of(g, p, g->turn - g->turn_before))) {
    player_hold(p);
    VECTOR_PUSH(p->notes, text_format(p->examiner ? "the check of what %s found is late and not waited for"
                                                  : "%s is late and not waited for",
                                      player_name(p)));
  }
  if (!was_in || p->state != PLAYER_OUT) return;
  VECTOR_PUSH(p->notes, text_format("%s %s: %s", player_name(p), p->provides ? "ends" : "gives up", p->reason));
  if (p->is_defect) warn(g, p);
}

static bool is_over(const game *g) {
  const run_settings *s = g->settings;
  return (s->stop && *s->stop) || (g->deadline > 0 && clock_seconds() >= g->deadline);
}

/* The winner, or NULL where there is none in this round. */
static player *play_round(game *g) {
  for (size_t i = 0; i < g->players.count; i++) {
    player *p = &g->players.at[i];
    if (p->state == PLAYER_LATE && player_is_ahead(p, share_of(g, p, g->turn))) continue;
    if (p->state == PLAYER_RESTS || p->state == PLAYER_LATE) p->state = PLAYER_WAITS;
  }
  while (!is_over(g)) {
    player *winner = winner_of(g, false);
    if (winner) return winner;
    begin_turns(g);
    if (!count_in(g, PLAYER_PLAYS) && !count_in(g, PLAYER_CLAIMS)) return NULL;
    wait_for_news(g);
    for (size_t i = 0; i < g->players.count; i++) listen(g, &g->players.at[i]);
  }
  return winner_of(g, true);
}

/* ---- between rounds ---- */

static void tell_others(game *g, const player *from, const char *news) {
  for (size_t i = 0; i < g->players.count; i++) {
    const player *p = &g->players.at[i];
    if (p != from && p->worker) worker_tell(p->worker, news);
  }
}

static worker_limits limits_of_fact_check(const game *g) {
  double until = clock_seconds() + SECONDS_OF_FACT_CHECK, last = judge_deadline(g->settings, g->deadline);
  return judge_limits(g->settings, last > 0 && last < until ? last : until);
}

/* How many there are, and the first of them: of facts the shortest. */
static void note_news(const game *g, const player *from, const char *what, const char *fate, const char *lines) {
  enum { MOST_SHOWN = 4, LONGEST_SHOWN = 60 };
  text words = {0}, some = {0};
  size_t count = 0;
  for (const char *at = lines, *end; (end = strchr(at, '\n')); at = end + 1)
    if (count++ < MOST_SHOWN && end - at <= LONGEST_SHOWN)
      text_add(&some, "%s%.*s", some.count ? ", " : ": ", (int)(end - at), at);
  text_add(&words, "round %u: %zu %s of %s %s to the others%s", g->round + 1, count, what, from->engine->name, fate,
           text_string(&some));
  note(g, text_string(&words));
  text_free(&words);
  text_free(&some);
}

/* True where there are new facts. */
static bool share_lemmas(game *g, player *p) {
  const run_settings *s = g->settings;
  text news = {0};
  if (!p->lemmas) return false;
  worker_limits limits = limits_of_fact_check(g);
  text_add_char(&news, NEWS_FACTS);
  learned l = knowledge_add_lemmas(s->knowledge, g->property, p->engine->name, p->lemmas, &limits, &news);
  if (l == LEARNED_FACTS) {
    note_news(g, p, "facts", "were checked and are told", text_string(&news) + 1);
    tell_others(g, NULL, text_string(&news)); /* also to the one who said it: later facts may need these */
  } else if (l == LEARNED_REFUSED) {
    note(g, "what an engine takes for a fact could not be shown to be one, and is told to nobody");
  }
  memory_free(p->lemmas);
  p->lemmas = NULL;
  text_free(&news);
  return l == LEARNED_FACTS;
}

/* `shared` still has the facts known before. */
static bool is_better_off_anew(const game *g, const engine *e) {
  const term_vector *facts = knowledge_facts(g->settings->knowledge);
  if (!e->learn) return true;
  for (size_t i = g->shared.facts.count; i < facts->count && e->begins_anew; i++)
    if (e->begins_anew(g->settings->model->terms, facts->at[i])) return true;
  return false;
}

/* Those that had given up for other reasons than errors may do better with what is known now; so may those that look at
 * facts only in the beginning, while they have done so little that they lose nothing. */
static bool deserves_another_chance(const game *g, const player *p) {
  if (!p->engine->uses_facts || p->is_defect || !p->turn) return false;
  return p->state == PLAYER_OUT || (g->turn <= LITTLE_DONE && is_better_off_anew(g, p->engine));
}

static void give_another_chance(game *g, const player *learned_from) {
  for (size_t i = 0; i < g->players.count; i++) {
    player *p = &g->players.at[i];
    if (p == learned_from || !deserves_another_chance(g, p)) continue;
    char *words = text_format("%s begins anew with these", p->engine->name);
    note(g, words);
    memory_free(words);
    player_restart(p);
  }
  g->shared.facts = *knowledge_facts(g->settings->knowledge);
}

/* Those of `found` that nobody knew; true where there are some. */
static bool share(game *g, player *p, string_vector *found, char kind, bool (*add)(knowledge *k, const char *line),
                  const char *what) {
  text news = {0};
  text_add_char(&news, kind);
  for (size_t i = 0; i < found->count; i++) {
    if (add(g->settings->knowledge, found->at[i])) text_add(&news, "%s\n", found->at[i]);
    memory_free(found->at[i]);
  }
  VECTOR_CLEAR(*found);
  bool any = news.count > 1;
  if (any) {
    note_news(g, p, what, "are told", text_string(&news) + 1);
    tell_others(g, p, text_string(&news));
  }
  text_free(&news);
  return any;
}

static void share_predicates(game *g, player *p) {
  share(g, p, &p->offers, NEWS_PREDICATES, knowledge_add_predicate, "predicates");
}

static void end_round(game *g) {
  for (size_t i = 0; i < g->players.count; i++) {
    player *p = &g->players.at[i];
    flush_notes(g, p);
    bool facts = share_lemmas(g, p);
    bool hints = share(g, p, &p->hints, NEWS_HINTS, knowledge_add_hint, "conditions after accelerated loops");
    if (facts || hints) give_another_chance(g, p);
    share_predicates(g, p);
  }
  g->round++;
  uint64_t more = g->turn / 2 < LONGEST_TURN ? g->turn / 2 : LONGEST_TURN;
  g->turn_before = g->turn;
  g->turn += more;
}

/* ---- the end ---- */

static bool anybody_in(const game *g) {
  for (size_t i = 0; i < g->players.count; i++)
    if (player_is_in(&g->players.at[i])) return true;
  return false;
}

/* Those at work may still say what they know; nobody is waited for longer than that takes. */
static void hear_last_words(game *g) {
  bool interrupted = g->settings->stop && *g->settings->stop;
  const char *reason = interrupted ? "interrupted" : "time limit reached";
  double until =
      clock_seconds() + (g->limits.grace < SECONDS_FOR_LAST_WORDS ? g->limits.grace : SECONDS_FOR_LAST_WORDS);
  for (size_t i = 0; i < g->players.count; i++) {
    player *p = &g->players.at[i];
    if (p->state == PLAYER_PLAYS && interrupted) worker_stop(p->worker);
    if (p->state == PLAYER_WAITS || p->state == PLAYER_RESTS || p->state == PLAYER_LATE)
      player_drop(p, memory_copy_string(reason));
  }
  while ((count_in(g, PLAYER_PLAYS) || count_in(g, PLAYER_CLAIMS)) && clock_seconds() < until) {
    wait_for_news(g);
    for (size_t i = 0; i < g->players.count; i++)
      player_listen(&g->players.at[i], g->settings, g->property, g->deadline);
  }
  for (size_t i = 0; i < g->players.count; i++)
    if (player_is_in(&g->players.at[i]) && g->players.at[i].state != PLAYER_WINS)
      player_drop(&g->players.at[i], memory_copy_string(reason));
}

/* What was proved for one property may be what the next one needs. */
static void remember_proof(game *g, size_t properties_left, const outcome *out) {
  if (out->kind == EVIDENCE_TRACE || properties_left < 2) return;
  evidence e = {0};
  size_t property;
  char *error = NULL;
  worker_limits limits = limits_of_fact_check(g);
  if (out->kind == EVIDENCE_INVARIANT)
    certificate_read(g->settings->model, out->certificate, strlen(out->certificate), &property, &e, &error);
  knowledge_add_proof(g->settings->knowledge, g->property, out->engine->name, &e, &limits);
  memory_free(error);
  evidence_free(&e);
}

static void move_strings(string_vector *to, string_vector *from) {
  for (size_t i = 0; i < from->count; i++) VECTOR_PUSH(*to, from->at[i]);
  VECTOR_CLEAR(*from);
}

/* Each says whose it is: objects of several engines stand in one list. */
static void move_iterations(string_vector *to, player *p) {
  for (size_t i = 0; i < p->iterations.count; i++) {
    const char *object = p->iterations.at[i], *rest = *object == '{' ? object + 1 : object;
    const char *comma = rest[strspn(rest, " ")] == '}' ? "" : ",";
    VECTOR_PUSH(*to, text_format("{\"engine\":\"%s\"%s%s", p->engine->name, comma, rest));
    memory_free(p->iterations.at[i]);
  }
  VECTOR_CLEAR(p->iterations);
}

/* What the winner says that it used, as far as it was proved by others before. */
static void list_facts(const game *g, const player *winner, outcome *out) {
  text words = {0};
  for (const char *at = winner->builds_on; at && *at;) {
    size_t length = strcspn(at, "\n");
    char *line = memory_copy_bytes(at, length);
    const char *prover = knowledge_prover(g->settings->knowledge, line);
    if (prover)
      VECTOR_PUSH(out->facts, (used_fact){prover, line});
    else
      memory_free(line);
    at += length + (at[length] != 0);
  }
  if (!out->facts.count) return;
  text_add(&words, "the evidence of %s builds on %zu facts, such as %s", winner->engine->name, out->facts.count,
           out->facts.at[0].formula);
  note(g, text_string(&words));
  text_free(&words);
}

static void conclude(game *g, player *winner, size_t properties_left, outcome *out) {
  for (player *p = g->players.at; p <= winner; p++) flush_notes(g, p);
  *out = winner->outcome;
  winner->outcome = (outcome){0};
  move_strings(&out->iterations, &winner->iterations);
  move_strings(&out->predicates, &winner->predicates);
  list_facts(g, winner, out);
  remember_proof(g, properties_left, out);
}

static void add_statistics(statistics *sum, const statistics *one) {
  uint64_t clear = sum->clear_depth > one->clear_depth ? sum->clear_depth : one->clear_depth;
#define STATISTIC(FIELD, ...) sum->FIELD += one->FIELD;
#include "base/statistics.def"
#undef STATISTIC
  sum->clear_depth = clear;
}

/* Each engine's, after its name; once and without names where it is the same for all. */
static void add_reasons(const game *g, text *out) {
  VECTOR(const player *) all = {0};
  bool same = true;
  for (size_t i = 0; i < g->players.count; i++)
    if (!g->players.at[i].provides) VECTOR_PUSH(all, &g->players.at[i]);
  for (size_t i = 1; i < all.count; i++) same &= !strcmp(all.at[i]->reason, all.at[0]->reason);
  for (size_t i = 0; i < (same ? all.count > 0 : all.count); i++) {
    if (i) text_add(out, "; ");
    if (!same) text_add(out, "%s: ", all.at[i]->engine->name);
    text_add(out, "%s", all.at[i]->reason);
  }
  VECTOR_FREE(all);
  if (!out->count) text_add(out, "no engine treats this model and property");
}

/* Undecided: what each gave as its reason, and whatever is known nevertheless. */
static void conclude_unknown(game *g, outcome *out) {
  text reasons = {0}, facts = {0};
  out->engine = g->players.count == 1 ? g->players.at[0].engine : &engine_auto;
  for (size_t i = 0; i < g->players.count; i++) {
    player *p = &g->players.at[i];
    flush_notes(g, p);
    share_lemmas(g, p);
    share_predicates(g, p);
    out->internal_error |= p->is_defect;
    if (p->outcome.repro && !out->repro) out->repro = memory_copy_string(p->outcome.repro);
    add_statistics(&out->statistics, player_statistics(p));
    if (out->engine == &engine_auto)
      move_iterations(&out->iterations, p);
    else
      move_strings(&out->iterations, &p->iterations);
    move_strings(&out->predicates, &p->predicates);
  }
  add_reasons(g, &reasons);
  judge_unknown(out, text_give(&reasons));
  knowledge_print_facts(g->settings->knowledge, &facts);
  if (facts.count) out->lemmas = text_give(&facts);
  text_free(&facts);
}

static void note_pause(const game *g) {
  char *words = text_format("%s is put off until others have had their turn",
                            g->settings->model->properties.at[g->property].name);
  note(g, words);
  memory_free(words);
}

auto_end auto_run(const run_settings *s, size_t property, size_t properties_left, uint64_t limit, outcome *out) {
  game g = {.settings = s, .property = property, .turn = FIRST_TURN, .started = clock_seconds()};
  player *winner = NULL;
  bool pauses = false;
  *out = (outcome){.property = property};
  g.deadline = judge_share(s, properties_left);
  set_up(&g);
  while (!winner && !pauses && anybody_in(&g) && !is_over(&g)) {
    winner = play_round(&g);
    if (winner || is_over(&g)) continue;
    pauses = limit && g.turn >= limit && anybody_in(&g);
    end_round(&g);
  }
  bool out_of_time = !winner && !pauses && is_over(&g);
  if (out_of_time) {
    hear_last_words(&g);
    winner = winner_of(&g, true);
  }
  if (winner)
    conclude(&g, winner, properties_left, out);
  else if (!pauses)
    conclude_unknown(&g, out);
  else
    note_pause(&g);
  for (size_t i = 0; i < g.players.count; i++) player_free(&g.players.at[i]);
  VECTOR_FREE(g.players);
  out->seconds = clock_seconds() - g.started;
  if (winner) return AUTO_DECIDED;
  return pauses ? AUTO_PAUSES : out_of_time ? AUTO_OUT_OF_TIME : AUTO_GAVE_UP;
}
