/* The largest inductive part is found as that of facts in a folder is. Work is a part of what engines do, so that nobody waits long. */
#include "run/likely_facts.h"

#include "base/text.h"
#include "proof/formulas.h"
#include "run/fact_folder/inductive_part.h"
#include "run/shared_facts.h"
#include "term/print.h"

enum { SHORTEST_TURN = 20 * 1000, PART_OF_A_TURN = 2, LATER = 4, MOST_OFFERS = 16, MOST_SHOWN = 4, LONGEST_SHOWN = 60 };

/* Those that are new. */
static void read_candidates(portfolio *g, const char *lines, term_vector *out) {
  term_vector read = {0};
  if (!formulas_read(g->settings->model, lines, &read)) VECTOR_CLEAR(read);
  if (!g->likely_tried) g->likely_tried = map_new();
  for (size_t i = 0; i < read.count; i++)
    if (!map_get(g->likely_tried, read.at[i].x, NULL) && !shared_facts_has(g->settings->shared_facts, read.at[i]))
      VECTOR_PUSH(*out, read.at[i]);
  VECTOR_FREE(read);
}

/* Short ones, which were not inductive. */
static void take_offers(const portfolio *g, const term_vector *all, const term_vector *kept, term_vector *out) {
  map *is_kept = map_new();
  for (size_t i = 0; i < kept->count; i++) map_set(is_kept, kept->at[i].x, 1);
  for (size_t i = 0; i < all->count && out->count < MOST_OFFERS; i++)
    if (!map_get(is_kept, all->at[i].x, NULL) && term_is_atom(g->settings->model->terms, all->at[i]))
      VECTOR_PUSH(*out, all->at[i]);
  map_free(is_kept);
}

static void note(portfolio *g, const contender *p, const term_vector *all, const term_vector *kept) {
  terms *ts = g->settings->model->terms;
  text words = {0}, some = {0};
  for (size_t i = 0; i < kept->count; i++) {
    char *shown = term_string(ts, kept->at[i]);
    if (i < MOST_SHOWN && strlen(shown) <= LONGEST_SHOWN) text_add(&some, "%s%s", some.count ? ", " : ": ", shown);
    VECTOR_PUSH(g->likely.inductive, shown);
  }
  for (size_t i = 0; i < all->count; i++) VECTOR_PUSH(g->likely.offered, term_string(ts, all->at[i]));
  text_add(&words, "round %u: the states that %s saw suggest %zu formulas, of which %zu are inductive%s", g->round + 1,
           p->engine->name, all->count, kept->count, text_string(&some));
  portfolio_note(g, text_string(&words));
  text_clear(&words);
  text_clear(&some);
}

/* What passes found out holds as well, and the candidates may need it. */
static void add_facts(portfolio *g, const contender *p, term of_passes, const worker_limits *limits, term_vector *kept,
                      term_vector *facts) {
  term_vector claimed = {0};
  VECTOR_COPY(claimed, *kept);
  if (!term_is_true(of_passes)) VECTOR_PUSH(claimed, of_passes);
  learned l = LEARNED_NOTHING;
  if (kept->count) l = shared_facts_add_kept(g->settings->shared_facts, p->engine->name, &claimed, limits, facts);
  if (l == LEARNED_REFUSED) VECTOR_CLEAR(*kept);
  VECTOR_FREE(claimed);
}

void likely_facts_look(portfolio *g, contender *p, const worker_limits *limits, term_vector *facts,
                       term_vector *offers) {
  terms *ts = g->settings->model->terms;
  const term_vector *known = shared_facts_facts(g->settings->shared_facts);
  term_vector all = {0}, kept = {0};
  if (!p->likely || g->turn < SHORTEST_TURN || g->turn < g->likely_next) return;
  read_candidates(g, p->likely, &all);
  term of_passes = passes_facts(portfolio_passes(g));
  term assumed = term_and(ts, of_passes, term_and_all(ts, known->count, known->at));
  VECTOR_COPY(kept, all);
  bool is_done = !all.count || inductive_part_find(g->settings->model, assumed, g->turn / PART_OF_A_TURN, limits,
                                                   g->settings->stop, &kept);
  if (is_done && all.count) {
    for (size_t i = 0; i < all.count; i++) map_set(g->likely_tried, all.at[i].x, 1);
    add_facts(g, p, of_passes, limits, &kept, facts);
    take_offers(g, &all, &kept, offers);
    note(g, p, &all, &kept);
  }
  if (!is_done) g->likely_next = LATER * g->turn;
  if (is_done) {
    memory_free(p->likely);
    p->likely = NULL;
  }
  VECTOR_FREE(all);
  VECTOR_FREE(kept);
}
