/* Takes lemmas and predicates from contenders, checks the lemmas, and sends what is new to the others. Engines that had
 * given up are started again if new facts may help them. */
#include "run/exchange.h"

#include "base/text.h"
#include "proof/certificate.h"
#include "proof/formulas.h"
#include "run/fact_folder/fact_folder.h"
#include "run/likely_facts.h"
#include "run/shared_facts.h"
#include "term/print.h"

enum { LITTLE_DONE = 200 * 1000, LONGEST_LEMMAS = 32000, MANY_ITERATIONS = 16 };
#define SECONDS_OF_FACT_CHECK 5.0

/* ---- news ---- */

static void send_to_others(portfolio *g, const contender *from, char kind, const term_vector *formulas) {
  text news = {0};
  text_add_char(&news, kind);
  for (size_t i = 0; i < formulas->count; i++) formulas_add(g->settings->model->terms, formulas->at[i], &news);
  for (size_t i = 0; i < g->contenders.count; i++) {
    const contender *p = &g->contenders.at[i];
    if (p != from && p->worker) worker_send_news(p->worker, text_string(&news));
  }
  text_clear(&news);
}

/* How many there are, and the first of them: of facts the shortest. */
static void note_news(const portfolio *g, const contender *from, const char *what, const char *result,
                      const term_vector *formulas) {
  enum { MOST_SHOWN = 4, LONGEST_SHOWN = 60 };
  text words = {0}, some = {0};
  for (size_t i = 0; i < formulas->count && i < MOST_SHOWN; i++) {
    char *shown = term_string(g->settings->model->terms, formulas->at[i]);
    if (strlen(shown) <= LONGEST_SHOWN) text_add(&some, "%s%s", some.count ? ", " : ": ", shown);
    memory_free(shown);
  }
  text_add(&words, "round %u: %zu %s of %s %s to the others%s", g->round + 1, formulas->count, what, from->engine->name,
           result, text_string(&some));
  portfolio_note(g, text_string(&words));
  text_clear(&words);
  text_clear(&some);
}

/* ---- facts ---- */

static worker_limits limits_of_fact_check(const portfolio *g) {
  double until = clock_seconds() + SECONDS_OF_FACT_CHECK, last = verdict_deadline(g->settings, g->deadline);
  return verdict_limits(g->settings, last > 0 && last < until ? last : until);
}

static learned add_lemmas(portfolio *g, const contender *p, term_vector *news) {
  if (strlen(p->lemmas_shown) > LONGEST_LEMMAS) return LEARNED_REFUSED;
  worker_limits limits = limits_of_fact_check(g);
  return shared_facts_add_lemmas(g->settings->shared_facts, passes_facts(portfolio_passes(g)), p->engine->name,
                                 p->lemmas, &limits, news);
}

static void forget_lemmas(contender *p) {
  memory_free(p->lemmas);
  memory_free(p->lemmas_shown);
  p->lemmas = p->lemmas_shown = NULL;
}

/* True if there are new facts. */
static bool share_lemmas(portfolio *g, contender *p) {
  term_vector news = {0};
  if (!p->lemmas) return false;
  learned l = add_lemmas(g, p, &news);
  if (l == LEARNED_FACTS) {
    note_news(g, p, "facts", "were checked and are sent", &news);
    send_to_others(g, NULL, NEWS_FACTS, &news); /* also to the one that sent it: later facts may need these */
  } else if (l == LEARNED_REFUSED) {
    portfolio_note(g, "what an engine takes for a fact could not be shown to be one, and is sent to nobody");
  }
  if (l == LEARNED_FACTS && g->settings->fact_folder) fact_folder_publish(g->settings->fact_folder);
  forget_lemmas(p);
  VECTOR_FREE(news);
  return l == LEARNED_FACTS;
}

/* `shared` still has the facts known before. */
static bool should_restart(const portfolio *g, const engine *e) {
  const term_vector *facts = shared_facts_facts(g->settings->shared_facts);
  if (!e->learn) return true;
  for (size_t i = g->shared.facts.count; i < facts->count && e->restarts_with; i++)
    if (e->restarts_with(g->settings->model->terms, facts->at[i])) return true;
  return false;
}

/* A limit on work is one for all attempts together. */
static bool has_spent_its_work(const contender *p) { return p->reason && !strcmp(p->reason, "work limit reached"); }

/* Those that had given up for other reasons than errors and limits may do better with what is known now; so may those that look at
 * facts only in the beginning, while they have done so little that they lose nothing, or, if
 * `only_if_lost`, have refined again and again. */
static bool deserves_another_chance(const portfolio *g, const contender *p, bool only_if_lost) {
  if (!p->engine->uses_facts || p->is_defect || !p->turn || has_spent_its_work(p)) return false;
  bool is_lost = p->engine->restarts_with && contender_statistics(p)->iterations >= MANY_ITERATIONS;
  if (p->state == CONTENDER_OUT) return true;
  return (is_lost || !only_if_lost) && g->turn <= LITTLE_DONE && should_restart(g, p->engine);
}

static void give_another_chance(portfolio *g, const contender *learned_from, bool only_if_lost) {
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    if (p == learned_from || !deserves_another_chance(g, p, only_if_lost)) continue;
    char *words = text_format("%s starts again with these", p->engine->name);
    portfolio_note(g, words);
    memory_free(words);
    contender_restart(p);
  }
  g->shared.facts = *shared_facts_facts(g->settings->shared_facts);
}

void exchange_proof(portfolio *g, const outcome *out) {
  evidence e = {0};
  size_t property;
  char *error = NULL;
  worker_limits limits = limits_of_fact_check(g);
  if (out->kind == EVIDENCE_TRACE || out->kind == EVIDENCE_RECURRENCE) return;
  if (out->kind == EVIDENCE_INVARIANT)
    certificate_read(g->settings->model, out->certificate, strlen(out->certificate), &property, &e, &error);
  shared_facts_add_proof(g->settings->shared_facts, g->property, out->engine->name, &e, &limits);
  if (g->settings->fact_folder) fact_folder_publish(g->settings->fact_folder);
  memory_free(error);
  evidence_clear(&e);
}

void exchange_list_facts(const portfolio *g, const contender *winner, outcome *out) {
  model *m = g->settings->model;
  term_vector used = {0};
  text words = {0};
  if (winner->builds_on) formulas_read(m, winner->builds_on, &used);
  for (size_t i = 0; i < used.count; i++) {
    const char *prover = shared_facts_prover(g->settings->shared_facts, used.at[i]);
    if (prover) VECTOR_PUSH(out->facts, (used_fact){prover, term_string(m->terms, used.at[i])});
  }
  VECTOR_FREE(used);
  if (!out->facts.count) return;
  text_add(&words, "the evidence of %s builds on %zu facts, such as %s", winner->engine->name, out->facts.count,
           out->facts.at[0].formula);
  portfolio_note(g, text_string(&words));
  text_clear(&words);
}

/* ---- predicates ---- */

/* Those of `found` that were not known; true if there are some. */
static bool share(portfolio *g, contender *p, string_vector *found, char kind,
                  bool (*add)(shared_facts *k, const char *line, term *read), const char *what) {
  term_vector news = {0};
  for (size_t i = 0; i < found->count; i++) {
    term read;
    if (add(g->settings->shared_facts, found->at[i], &read)) VECTOR_PUSH(news, read);
  }
  strings_clear(found);
  bool any = news.count > 0;
  if (any) {
    note_news(g, p, what, "are sent", &news);
    send_to_others(g, p, kind, &news);
  }
  VECTOR_FREE(news);
  return any;
}

static void share_predicates(portfolio *g, contender *p) {
  share(g, p, &p->offers, NEWS_PREDICATES, shared_facts_add_predicate, "predicates");
}

/* ---- what states have in common ---- */

/* True if there are new facts. */
static bool share_likely(portfolio *g, contender *p) {
  worker_limits limits = limits_of_fact_check(g);
  term_vector facts = {0}, offers = {0};
  likely_facts_look(g, p, &limits, &facts, &offers);
  if (facts.count) send_to_others(g, NULL, NEWS_FACTS, &facts);
  for (size_t i = 0; i < offers.count; i++) {
    text line = {0};
    formulas_add(g->settings->model->terms, offers.at[i], &line);
    VECTOR_PUSH(p->offers, text_give(&line));
  }
  if (facts.count && g->settings->fact_folder) fact_folder_publish(g->settings->fact_folder);
  bool any = facts.count > 0;
  VECTOR_FREE(facts);
  VECTOR_FREE(offers);
  return any;
}

/* ---- the folder ---- */

void exchange_begin(portfolio *g) {
  worker_limits limits = limits_of_fact_check(g);
  term_vector news = {0};
  fact_folder_look(g->settings->fact_folder, &limits, g->settings->stop, &news);
  VECTOR_FREE(news);
}

static void exchange_folder(portfolio *g) {
  worker_limits limits = limits_of_fact_check(g);
  term_vector news = {0};
  if (fact_folder_look_again(g->settings->fact_folder, &limits, g->settings->stop, &news)) {
    char *words = text_format("round %u: %zu facts of other processes were checked and are sent to all", g->round + 1,
                              news.count);
    portfolio_note(g, words);
    memory_free(words);
    send_to_others(g, NULL, NEWS_FACTS, &news);
    give_another_chance(g, NULL, false);
  }
  VECTOR_FREE(news);
}

void exchange_all(portfolio *g) {
  if (g->settings->fact_folder) exchange_folder(g);
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    contender_report_notes(p, g->settings);
    bool facts = share_lemmas(g, p);
    bool hints = share(g, p, &p->hints, NEWS_HINTS, shared_facts_add_hint, "conditions after accelerated loops");
    bool likely = share_likely(g, p);
    if (facts || hints) give_another_chance(g, p, false);
    if (likely) give_another_chance(g, NULL, true); /* also to the one that saw the states: it did not know this */
    share_predicates(g, p);
  }
}

void exchange_last(portfolio *g, contender *p) {
  share_lemmas(g, p);
  share_predicates(g, p);
}
