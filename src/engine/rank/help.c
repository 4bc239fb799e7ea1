/* Candidates, and the guesses for one of them (help.h). */
#include "engine/rank/help.h"

#include "engine/rank/features.h"
#include "model/transform.h"
#include "proof/ranking.h"
#include "proof/type_and_input_conditions.h"

/* Guesses for one candidate, at most; and so many candidates at places for a constraint. */
enum { MOST_HELP_GUESSES = 40, MOST_AT_PLACES = 32 };

/* ---- candidates ---- */

static void add_candidate(help_candidates *out, uint32_t fairness, term helpful) {
  if (term_is_false(helpful)) return;
  for (size_t i = 0; i < out->count; i++)
    if (out->at[i].fairness == fairness && term_same(out->at[i].helpful, helpful)) return;
  VECTOR_PUSH(*out, (help_candidate){fairness, helpful});
}

/* Inputs may be eliminated inexactly: it is a guess only. */
static term possible(const model *m, const fairness *f) {
  bool exact = true;
  return ranking_possible(m, f, &exact);
}

static void add_of_actions(const model *m, uint32_t fairness, help_candidates *out) {
  const struct fairness *f = &m->fairness.at[fairness];
  bool exact = true;
  for (size_t i = 0; i < f->transitions.count && f->kind != FAIR_STATE; i++)
    add_candidate(out, fairness, condition_can_be_taken(m, &m->transitions.at[f->transitions.at[i]], &exact));
}

static void add_at_places(const model *m, uint32_t fairness, const term_vector *places, help_candidates *out) {
  const struct fairness *f = &m->fairness.at[fairness];
  term base = f->kind == FAIR_STRONG ? TERM_TRUE : possible(m, f);
  for (size_t i = 0; i < places->count && i < MOST_AT_PLACES; i++)
    add_candidate(out, fairness, term_and(m->terms, base, places->at[i]));
}

void help_find_candidates(const model *m, help_level level, help_candidates *out) {
  term_vector places = {0};
  if (level == HELPS_NONE) return;
  for (uint32_t i = 0; i < m->fairness.count; i++) {
    const fairness *f = &m->fairness.at[i];
    if (f->kind == FAIR_STRONG) add_candidate(out, i, TERM_TRUE);
    add_candidate(out, i, possible(m, f));
  }
  for (uint32_t i = 0; i < m->fairness.count; i++) add_of_actions(m, i, out);
  if (level >= HELPS_AT_PLACES) features_places(m, &places);
  for (uint32_t i = 0; i < m->fairness.count; i++) add_at_places(m, i, &places, out);
  VECTOR_FREE(places);
}

term help_covers(const model *m, const help_candidate *c) {
  return term_and(m->terms, c->helpful, possible(m, &m->fairness.at[c->fairness]));
}

/* ---- guesses ---- */

struct helping {
  const model *model;
  model_steps *steps;
  guessing *guessing;
  transition_cases cases; /* by kind of the guesses */
};

/* The step takes the constraint that was waited for, or ends the waiting. */
static term ends_waiting(const model *m, const help_candidate *c, const transition *t) {
  if (ranking_takes(m, &m->fairness.at[c->fairness], t)) return c->helpful;
  return term_and(m->terms, c->helpful, term_not(transform_after(m, t, c->helpful)));
}

static void add_kind(helping *h, uint32_t transition, term when, bool is_demanded) {
  size_t kind = guessing_add_kind(h->guessing, 0, 0);
  VECTOR_PUSH(h->cases, (transition_case){transition, when});
  if (is_demanded) guessing_demand(h->guessing, kind);
}

static void add_known(helping *h, const term_vector *features) {
  for (size_t i = 0; i < model_steps_found(h->steps); i++)
    for (size_t k = 0; k < h->cases.count; k++) {
      if (h->cases.at[k].transition != model_steps_transition(h->steps, i)) continue;
      if (!model_steps_satisfies(h->steps, i, h->cases.at[k].when)) continue;
      number_vector before = {0}, after = {0};
      model_steps_values(h->steps, i, features, &before, &after);
      guessing_add_example(h->guessing, k, before, after);
    }
}

helping *helping_new(const model *m, budget *b, model_steps *steps, const transition_cases *left,
                     const term_vector *features, const factor_limits *limits, const help_candidate *c) {
  helping *h = MEMORY_NEW(helping);
  *h = (helping){.model = m, .steps = steps};
  h->guessing = guessing_new(m->terms, b, limits, MOST_HELP_GUESSES, 1);
  guessing_ask_only_demanded(h->guessing);
  for (size_t i = 0; i < features->count; i++) VECTOR_PUSH(*guessing_features(h->guessing, 0), features->at[i]);
  for (size_t demanded = 2; demanded-- > 0;)
    for (size_t i = 0; i < left->count; i++) {
      term ends = ends_waiting(m, c, &m->transitions.at[left->at[i].transition]);
      term when = term_and(m->terms, left->at[i].when, demanded ? ends : term_not(ends));
      if (!term_is_false(when)) add_kind(h, left->at[i].transition, when, demanded);
    }
  add_known(h, features);
  return h;
}

void helping_free(helping *h) {
  if (!h) return;
  guessing_free(h->guessing);
  VECTOR_FREE(h->cases);
  memory_free(h);
}

static answer is_against(void *context, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  helping *h = context;
  terms *ts = h->model->terms;
  const transition_case *c = &h->cases.at[kind];
  term before = guess->at[0], after = transform_after(h->model, &h->model->transitions.at[c->transition], before);
  term falls = term_and(ts, term_lt(ts, after, before), term_le(ts, term_int(ts, 0), before));
  term wrong = term_and(ts, c->when, claimed ? term_not(falls) : term_lt(ts, before, after));
  answer a = model_steps_ask(h->steps, c->transition, wrong, keep);
  if (answer_is_yes(a) && keep) {
    number_vector values = {0}, later = {0};
    model_steps_values(h->steps, model_steps_found(h->steps) - 1, guessing_features(h->guessing, 0), &values, &later);
    guessing_add_example(h->guessing, kind, values, later);
  }
  return a;
}

measuring_end helping_step(helping *h, term *measure) {
  measuring_end end = guessing_step(h->guessing, &(guess_oracle){is_against, h, .asks_others = false});
  const term_vector *found = guessing_measures(h->guessing);
  if (!found->count) return end == MEASURING_DONE ? MEASURING_NONE : end;
  *measure = found->at[0];
  return MEASURING_DONE;
}

uint64_t helping_questions(const helping *h) { return guessing_questions(h->guessing); }
