/* Rounds, turns, and which answer counts; portfolio.h states the rules. What is exchanged between rounds is in
 * exchange.c. */
#include "run/portfolio.h"

#include <math.h>

#include "base/instruments/log.h"
#include "base/text.h"
#include "process/turns.h"
#include "run/correspondence/equalities.h"
#include "run/engine_order.h"
#include "run/exchange.h"
#include "run/shared_facts.h"

/* The first turn, in work; every round adds half of all that was done, up to the longest turn. */
enum { FIRST_TURN = 10 * 1000, LONGEST_TURN = 20 * 1000 * 1000 };
/* Equal variables are looked for once turns are that long: what is decided before need not pay for it. */
enum { BEFORE_EQUALITIES = 30 * 1000 };
#define SECONDS_BETWEEN_TICKS 0.1
#define SECONDS_FOR_LAST_WORDS 0.5

const engine engine_auto = {
    .name = "auto",
    .title = "all the others together: in turn and side by side, each using what another has proved",
    .paper = "",
};

/* An error of whet itself is worth knowing even if others make up for it. */
static void warn(const portfolio *g, const contender *p) {
  text line = {0};
  text_add(&line, "%s: an error of whet itself, in engine %s: %s", g->settings->model->properties.at[g->property].name,
           p->engine->name, p->reason);
  if (p->outcome.repro) text_add(&line, "; all that is needed to repeat it is kept in %s", p->outcome.repro);
  settings_report(g->settings, RUN_WARNING, text_string(&line));
  text_clear(&line);
}

/* ---- beginning ---- */

static bool is_alone(const portfolio *g) { return !g->settings->shared_facts; }

/* Once, for all engines: workers inherit the result. If time is over or a stop is asked for in the middle, engines
 * get the model as read. */
static void run_passes(portfolio *g) {
  const run_settings *s = g->settings;
  budget b = portfolio_budget_of_passes(g);
  g->passes = s->wants_product ? passes_none(s->model, g->property) : passes_run(s->model, g->property, &b);
}

static void choose_by_look(const portfolio *g, const model_look *look, engine_vector *chosen) {
  text why = {0};
  engine_order_make(look, g->settings->options->without, chosen, &why);
  portfolio_note(g, text_string(&why));
  text_clear(&why);
}

/* Facts are about states, without a heap, of booleans and integers. */
static bool has_facts(const portfolio *g) {
  const model *m = g->settings->model;
  return !m->has_heap && !terms_have_reals(m->terms) && (!m->clauses || clauses_have_system(m->clauses));
}

/* One that was asked for by name (without a look) says so if it cannot. One that cannot treat the property may still
 * find out what always holds. */
static void add_contender(portfolio *g, const engine *e, const model_look *look) {
  contender p;
  const char *missing = verdict_missing_ability(g->settings, e, g->property);
  bool provides = missing && !is_alone(g) && e->provides_facts && has_facts(g);
  if (missing && look && !provides) return;
  contender_init(&p, e, provides, is_alone(g));
  p.plan = engine_order_plan(look, e, g->contenders.count);
  if (provides) missing = NULL;
  if (missing) contender_drop(&p, text_format("engine %s does not treat %s", e->name, missing));
  VECTOR_PUSH(g->contenders, p);
}

/* Also if they treat the property themselves. */
static void add_providers(portfolio *g) {
  for (size_t i = 0; i < engines_count() && has_facts(g); i++) {
    contender p;
    bool is_there = false;
    for (size_t j = 0; j < g->contenders.count; j++)
      is_there |= g->contenders.at[j].provides && g->contenders.at[j].engine == engines_at(i);
    const char *without = g->settings->options->without;
    bool is_left_out = without && options_list_has(without, engines_at(i)->name);
    if (is_there || is_left_out || !engines_at(i)->provides_facts) continue;
    contender_init(&p, engines_at(i), true, false);
    p.plan = engine_order_plan(NULL, engines_at(i), g->contenders.count);
    VECTOR_PUSH(g->contenders, p);
  }
}

static void set_up(portfolio *g) {
  engine_vector chosen = {0};
  const run_settings *s = g->settings;
  run_passes(g);
  model_look look = engine_order_look(passes_model(g->passes), s->model->clauses, passes_property(g->passes));
  look.has_queues = s->model->queues.count;
  if (!s->engine_count) choose_by_look(g, &look, &chosen);
  for (size_t i = 0; i < chosen.count; i++) add_contender(g, chosen.at[i], &look);
  for (size_t i = 0; i < s->engine_count; i++) add_contender(g, s->engines[i], NULL);
  VECTOR_FREE(chosen);
  if (s->options->invariants && !is_alone(g)) add_providers(g);
  g->shared = *s;
  if (s->fact_folder && has_facts(g)) exchange_begin(g);
  if (!is_alone(g)) g->shared.facts = *shared_facts_facts(s->shared_facts);
  /* For temporal properties many facts made `rank` slower and decided nothing. */
  g->shared.wants_likely = !is_alone(g) && has_facts(g) && !property_is_temporal(&s->model->properties.at[g->property]);
  g->jobs = engine_worker_jobs(s->options);
  g->limits = verdict_limits(s, g->deadline);
  if (!s->options->memory && g->contenders.count) g->limits.memory /= g->contenders.count;
  g->looks_for_equalities = equalities_are_wanted(g, &look);
  if (g->looks_for_equalities && (is_alone(g) || s->options->work)) equalities_look(g);
}

/* ---- reports ---- */

static void add_progress(const contender *p, text *line) {
  const statistics *n = contender_statistics(p);
  if (p->progress)
    text_add(line, "%s", p->progress);
  else
    text_add(line, "%llu states, depth %llu", (unsigned long long)n->states, (unsigned long long)n->depth);
}

/* `NAME: ENGINE: 1.2 s, what it does` */
static void report_progress_of_one(const portfolio *g, const contender *p) {
  text line = {0};
  text_add(&line, "%s: %s: %.1f s", g->settings->model->properties.at[g->property].name, p->engine->name,
           clock_seconds() - g->started);
  if (p->state == CONTENDER_CLAIMS) {
    text_add(&line, ", checking the evidence");
  } else if (p->progress || contender_statistics(p)->states) {
    text_add(&line, ", ");
    add_progress(p, &line);
  }
  settings_report(g->settings, RUN_PROGRESS, line.at);
  text_clear(&line);
}

static void report_progress(const portfolio *g) {
  text line = {0};
  if (is_alone(g)) {
    report_progress_of_one(g, &g->contenders.at[0]);
    return;
  }
  text_add(&line, "%s: %.1f s, round %u", g->settings->model->properties.at[g->property].name,
           clock_seconds() - g->started, g->round + 1);
  for (size_t i = 0; i < g->contenders.count; i++) {
    const contender *p = &g->contenders.at[i];
    if (p->state == CONTENDER_CLAIMS) text_add(&line, "; %s: checking its evidence", contender_name(p));
    if (p->state != CONTENDER_WORKS) continue;
    uint64_t iterations = contender_statistics(p)->iterations;
    text_add(&line, "; %s: ", contender_name(p));
    if (iterations) text_add(&line, "iteration %llu, ", (unsigned long long)iterations);
    add_progress(p, &line);
  }
  settings_report(g->settings, RUN_PROGRESS, line.at);
  text_clear(&line);
}

/* ---- a round ---- */

static bool is_busy(const contender *p) {
  return p->state == CONTENDER_WAITS || p->state == CONTENDER_WORKS || p->state == CONTENDER_CLAIMS;
}

/* Some begin only when others have had a few turns. */
static bool has_begun(const portfolio *g, const contender *p) { return g->turn >= p->plan.begins; }

/* The first in order whose evidence was accepted, once all before it have had their turns. */
static contender *winner_of(portfolio *g, bool at_once) {
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    if (p->state == CONTENDER_DECIDED) return p;
    if (is_busy(p) && has_begun(g, p) && !at_once) return NULL;
  }
  return NULL;
}

static size_t count_in(const portfolio *g, contender_state state) {
  size_t n = 0;
  for (size_t i = 0; i < g->contenders.count; i++) n += g->contenders.at[i].state == state;
  return n;
}

/* No engine begins a turn after one that has made a claim. */
static turn_wish wish_of(const void *context, size_t i) {
  const portfolio *g = context;
  switch (g->contenders.at[i].state) {
    case CONTENDER_WORKS: return TURN_WORKS;
    case CONTENDER_WAITS: return has_begun(g, &g->contenders.at[i]) ? TURN_WANTED : TURN_NONE;
    case CONTENDER_CLAIMS:
    case CONTENDER_DECIDED: return TURN_BARS;
    default: return TURN_NONE;
  }
}

static void begin(void *context, size_t i) {
  portfolio *g = context;
  contender *p = &g->contenders.at[i];
  engine_worker_task task = {.settings = &g->shared, .property = g->property};
  task.passes = p->engine->lists_states ? g->passes : portfolio_passes(g);
  contender_work(p, &task, is_alone(g) ? 0 : turn_plan_share(&p->plan, g->turn), &g->limits);
}

static worker *worker_of(const void *context, size_t i) {
  return contender_worker(&((const portfolio *)context)->contenders.at[i]);
}

static void hold_if_late(portfolio *g, contender *p) {
  if ((p->state != CONTENDER_WORKS && p->state != CONTENDER_CLAIMS) ||
      !contender_is_late(p, turn_plan_share(&p->plan, g->turn) - turn_plan_share(&p->plan, g->turn_before)))
    return;
  contender_hold(p);
  VECTOR_PUSH(p->notes, text_format(p->check_worker ? "the check of what %s found is late and not waited for"
                                                    : "%s is late and not waited for",
                                    contender_name(p)));
}

/* One whose turn had ended too late catches up. */
static void listen(void *context, size_t i) {
  portfolio *g = context;
  contender *p = &g->contenders.at[i];
  bool was_in = contender_is_in(p);
  contender_listen(p, g->settings, g->property, g->deadline);
  if (is_alone(g)) {
    contender_report_notes(p, g->settings);
    return;
  }
  if (p->state == CONTENDER_RESTS && p->turn < turn_plan_share(&p->plan, g->turn)) begin(g, i);
  hold_if_late(g, p);
  if (!was_in || p->state != CONTENDER_OUT) return;
  LOG(portfolio, "%s ends: %s", contender_name(p), p->reason);
  VECTOR_PUSH(p->notes, text_format("%s %s: %s", contender_name(p), p->provides ? "ends" : "gives up", p->reason));
  if (p->is_defect) warn(g, p);
}

/* When it is over, messages of those that still run are read, and nothing else happens. */
static void listen_only(void *context, size_t i) {
  portfolio *g = context;
  contender_listen(&g->contenders.at[i], g->settings, g->property, g->deadline);
}

static turns turns_of(const portfolio *g) {
  return (turns){g->contenders.count, g->jobs, wish_of, begin, worker_of, listen};
}

static void wait_for_news(portfolio *g, const turns *t) {
  turns_wait(t, g, SECONDS_BETWEEN_TICKS);
  if (clock_seconds() < g->next_tick) return;
  g->next_tick = clock_seconds() + SECONDS_BETWEEN_TICKS;
  report_progress(g);
}

static bool is_over(const portfolio *g) {
  return settings_stopped(g->settings) || (g->deadline > 0 && clock_seconds() >= g->deadline);
}

/* The engine whose answer counts, or NULL if there is none in this round. */
static contender *run_round(portfolio *g) {
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    if (p->state == CONTENDER_LATE && contender_is_ahead(p, turn_plan_share(&p->plan, g->turn))) continue;
    if (p->state == CONTENDER_RESTS || p->state == CONTENDER_LATE) p->state = CONTENDER_WAITS;
  }
  turns t = turns_of(g);
  while (!is_over(g)) {
    contender *winner = winner_of(g, false);
    if (winner) return winner;
    turns_begin(&t, g, 0);
    if (!count_in(g, CONTENDER_WORKS) && !count_in(g, CONTENDER_CLAIMS)) return NULL;
    wait_for_news(g, &t);
  }
  return winner_of(g, true);
}

/* ---- between rounds ---- */

static void end_round(portfolio *g) {
  if (g->settings->shared_facts) exchange_all(g);
  g->round++;
  uint64_t more = g->turn / 2 < LONGEST_TURN ? g->turn / 2 : LONGEST_TURN;
  g->turn_before = g->turn;
  g->turn += more;
  if (g->looks_for_equalities && g->turn >= BEFORE_EQUALITIES) equalities_look(g);
}

/* ---- the end ---- */

static bool anybody_in(const portfolio *g) {
  for (size_t i = 0; i < g->contenders.count; i++)
    if (contender_is_in(&g->contenders.at[i])) return true;
  return false;
}

/* One that is alone is asked to stop and waited for, within its own limits; so is the check of its evidence. Of several
 * those at work are asked, and waited for a little. */
static double ask_to_stop(portfolio *g, bool interrupted) {
  double patience = g->limits.grace < SECONDS_FOR_LAST_WORDS ? g->limits.grace : SECONDS_FOR_LAST_WORDS;
  for (size_t i = 0; i < g->contenders.count && interrupted; i++) {
    const contender *p = &g->contenders.at[i];
    if (p->state == CONTENDER_WORKS || (is_alone(g) && p->state == CONTENDER_CLAIMS)) worker_stop(contender_worker(p));
  }
  return is_alone(g) ? INFINITY : clock_seconds() + patience;
}

/* Those at work may still send what they know; none is waited for longer than that takes. */
static void hear_last_words(portfolio *g) {
  bool interrupted = settings_stopped(g->settings);
  const char *reason = interrupted ? "interrupted" : "time limit reached";
  turns t = turns_of(g);
  t.listen = listen_only;
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    if (p->state == CONTENDER_WAITS || p->state == CONTENDER_RESTS || p->state == CONTENDER_LATE)
      contender_drop(p, memory_copy_string(reason));
  }
  double until = ask_to_stop(g, interrupted);
  while ((count_in(g, CONTENDER_WORKS) || count_in(g, CONTENDER_CLAIMS)) && clock_seconds() < until) {
    wait_for_news(g, &t);
    if (is_alone(g)) ask_to_stop(g, settings_stopped(g->settings));
  }
  for (size_t i = 0; i < g->contenders.count; i++)
    if (contender_is_in(&g->contenders.at[i]) && g->contenders.at[i].state != CONTENDER_DECIDED)
      contender_drop(&g->contenders.at[i], memory_copy_string(reason));
}

static void move_strings(string_vector *to, string_vector *from) {
  for (size_t i = 0; i < from->count; i++) VECTOR_PUSH(*to, from->at[i]);
  VECTOR_CLEAR(*from);
}

/* Each names its engine: objects of several engines are in one list. */
static void move_iterations(string_vector *to, contender *p) {
  for (size_t i = 0; i < p->iterations.count; i++) {
    const char *object = p->iterations.at[i], *rest = *object == '{' ? object + 1 : object;
    const char *comma = rest[strspn(rest, " ")] == '}' ? "" : ",";
    VECTOR_PUSH(*to, text_format("{\"engine\":\"%s\"%s%s", p->engine->name, comma, rest));
    memory_free(p->iterations.at[i]);
  }
  VECTOR_CLEAR(p->iterations);
}

/* Of one that is alone: they were not checked by others, so they are what that engine says. */
static void keep_lemmas(contender *p, outcome *out) {
  out->lemmas = p->lemmas_shown;
  p->lemmas_shown = NULL;
}

static void conclude(portfolio *g, contender *winner, size_t properties_left, outcome *out) {
  for (contender *p = g->contenders.at; p <= winner; p++) contender_report_notes(p, g->settings);
  *out = winner->outcome;
  winner->outcome = (outcome){0};
  move_strings(&out->iterations, &winner->iterations);
  move_strings(&out->predicates, &winner->predicates);
  out->product = winner->product;
  winner->product = NULL;
  if (is_alone(g)) {
    keep_lemmas(winner, out);
    return;
  }
  exchange_list_facts(g, winner, out);
  if (properties_left > 1 || g->settings->fact_folder) exchange_proof(g, out);
}

static void add_statistics(statistics *sum, const statistics *one) {
  uint64_t clear = sum->clear_depth > one->clear_depth ? sum->clear_depth : one->clear_depth;
#define STATISTIC(FIELD, ...) sum->FIELD += one->FIELD;
#include "base/statistics.def"
#undef STATISTIC
  sum->clear_depth = clear;
}

/* Each engine's, after its name; once and without names if it is the same for all. */
static void add_reasons(const portfolio *g, text *out) {
  VECTOR(const contender *) all = {0};
  bool same = true;
  for (size_t i = 0; i < g->contenders.count; i++)
    if (!g->contenders.at[i].provides) VECTOR_PUSH(all, &g->contenders.at[i]);
  for (size_t i = 1; i < all.count; i++) same &= !strcmp(all.at[i]->reason, all.at[0]->reason);
  for (size_t i = 0; i < (same ? all.count > 0 : all.count); i++) {
    if (i) text_add(out, "; ");
    if (!same) text_add(out, "%s: ", all.at[i]->engine->name);
    text_add(out, "%s", all.at[i]->reason);
  }
  VECTOR_FREE(all);
  if (!out->count) text_add(out, "no engine treats this model and property");
}

static void list_known_facts(const run_settings *s, outcome *out) {
  text facts = {0};
  shared_facts_print_facts(s->shared_facts, &facts);
  if (facts.count) out->lemmas = text_give(&facts);
  text_clear(&facts);
}

/* Undecided: what each gave as its reason, and whatever is known nevertheless. */
static void conclude_unknown(portfolio *g, outcome *out) {
  text reasons = {0};
  out->engine = g->contenders.count == 1 ? g->contenders.at[0].engine : &engine_auto;
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    contender_report_notes(p, g->settings);
    if (!is_alone(g)) exchange_last(g, p);
    out->internal_error |= p->is_defect;
    if (p->outcome.repro && !out->repro) out->repro = memory_copy_string(p->outcome.repro);
    add_statistics(&out->statistics, contender_statistics(p));
    if (out->engine == &engine_auto)
      move_iterations(&out->iterations, p);
    else
      move_strings(&out->iterations, &p->iterations);
    move_strings(&out->predicates, &p->predicates);
  }
  add_reasons(g, &reasons);
  outcome_set_unknown(out, text_give(&reasons));
  if (is_alone(g))
    keep_lemmas(&g->contenders.at[0], out);
  else
    list_known_facts(g->settings, out);
}

static void note_pause(const portfolio *g) {
  char *words = text_format("%s is put off until others have had their turn",
                            g->settings->model->properties.at[g->property].name);
  portfolio_note(g, words);
  memory_free(words);
}

/* The engine whose answer counts, or NULL and why there is none. */
static contender *run_rounds(portfolio *g, uint64_t limit, portfolio_end *end) {
  contender *winner = NULL;
  bool pauses = false;
  while (!winner && !pauses && anybody_in(g) && !is_over(g)) {
    winner = run_round(g);
    if (winner || is_over(g)) continue;
    pauses = limit && g->turn >= limit && anybody_in(g);
    end_round(g);
  }
  *end = winner       ? PORTFOLIO_DECIDED
         : pauses     ? PORTFOLIO_PAUSES
         : is_over(g) ? PORTFOLIO_OUT_OF_TIME
                      : PORTFOLIO_GAVE_UP;
  if (*end != PORTFOLIO_OUT_OF_TIME) return winner;
  hear_last_words(g);
  winner = winner_of(g, true);
  if (winner) *end = PORTFOLIO_DECIDED;
  return winner;
}

static void portfolio_free(portfolio *g) {
  for (size_t i = 0; i < g->contenders.count; i++) contender_clear(&g->contenders.at[i]);
  VECTOR_FREE(g->contenders);
  passes_free(g->merged);
  passes_free(g->passes);
  map_free(g->likely_tried);
  strings_clear(&g->likely.offered);
  strings_clear(&g->likely.inductive);
}

/* Nothing is begun any more. */
static void conclude_at_once(const run_settings *s, const char *reason, outcome *out) {
  out->engine = s->engine_count == 1 ? s->engines[0] : &engine_auto;
  outcome_set_unknown(out, memory_copy_string(reason));
  if (s->shared_facts) list_known_facts(s, out);
}

portfolio_end portfolio_run(const run_settings *s, size_t property, size_t properties_left, uint64_t limit,
                            outcome *out) {
  portfolio g = {.settings = s, .property = property, .turn = FIRST_TURN, .started = clock_seconds()};
  portfolio_end end;
  const char *stopped = verdict_stopped(s);
  *out = (outcome){.property = property};
  if (stopped) {
    conclude_at_once(s, stopped, out);
    return PORTFOLIO_OUT_OF_TIME;
  }
  g.deadline = verdict_share(s, properties_left);
  set_up(&g);
  contender *winner = run_rounds(&g, limit, &end);
  if (winner)
    conclude(&g, winner, properties_left, out);
  else if (end == PORTFOLIO_PAUSES)
    note_pause(&g);
  else
    conclude_unknown(&g, out);
  out->likely = g.likely;
  g.likely = (likely_outcome){0};
  portfolio_free(&g);
  out->seconds = clock_seconds() - g.started;
  LOG(portfolio, "after %u rounds: %s", g.round + 1,
      winner                    ? "decided"
      : end == PORTFOLIO_PAUSES ? "put off"
                                : "not decided");
  return end;
}
