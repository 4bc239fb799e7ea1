/* Kinds of steps of a transition system, for guesses (measure.h).
 *
 * If no measure falls by a kind that is left, fairness may help: one candidate after the other is tried. With one that has a measure the
 * steps that it covers are done with, and the search goes on with the others. */
#include "engine/rank/measure.h"

#include "engine/rank/overflow.h"
#include "model/transform.h"

/* Guesses with the same wishes, at most; and if they are to be few. */
enum { MOST_GUESSES = 100, FEW_GUESSES = 15 };

struct measuring {
  engine_environment *env;
  const model *model;
  terms *ts;
  const measuring_effort *effort;
  model_steps *steps;
  term_vector features;
  transition_cases left; /* kinds of steps by which no measure falls so far */
  guessing *guessing;    /* of one place; its kinds are those that were left when it was made */
  size_t taken;          /* measures that were taken from it */
  term_vector measures;
  VECTOR(ranking_help) helps;
  help_candidates candidates;
  size_t candidate; /* the next one */
  helping *helping; /* with the candidate before; NULL if none is tried */
  const char *trouble;
  uint64_t questions; /* of guesses that are gone */
};

/* ---- guesses ---- */

static void add_example(measuring *g, size_t kind, size_t found) {
  number_vector before = {0}, after = {0};
  model_steps_values(g->steps, found, &g->features, &before, &after);
  guessing_add_example(g->guessing, kind, before, after);
}

static term falls_by(const measuring *g, uint32_t transition, term measure) {
  terms *ts = g->ts;
  term after = transform_after(g->model, &g->model->transitions.at[transition], measure);
  return term_and(ts, term_lt(ts, after, measure), term_le(ts, term_int(ts, 0), measure));
}

static answer is_against(void *context, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  measuring *g = context;
  const transition_case *c = &g->left.at[kind];
  term before = guess->at[0], after = transform_after(g->model, &g->model->transitions.at[c->transition], before);
  term wrong = claimed ? term_not(falls_by(g, c->transition, before)) : term_lt(g->ts, before, after);
  answer a = model_steps_ask(g->steps, c->transition, term_and(g->ts, c->when, wrong), keep);
  if (answer_is_yes(a) && keep) add_example(g, kind, model_steps_found(g->steps) - 1);
  return a;
}

static void forget_guesses(measuring *g) {
  if (g->guessing) g->questions += guessing_questions(g->guessing);
  guessing_free(g->guessing);
  g->guessing = NULL;
}

/* Guesses about the kinds that are left. */
static void begin_guesses(measuring *g) {
  forget_guesses(g);
  g->taken = 0;
  size_t most = g->effort->is_brief ? FEW_GUESSES : MOST_GUESSES;
  g->guessing = guessing_new(g->ts, g->env->budget, &g->effort->factors, most, 1);
  for (size_t i = 0; i < g->features.count; i++) VECTOR_PUSH(*guessing_features(g->guessing, 0), g->features.at[i]);
  for (size_t i = 0; i < g->left.count; i++) {
    size_t kind = guessing_add_kind(g->guessing, 0, 0);
    for (size_t j = 0; j < model_steps_found(g->steps); j++)
      if (g->left.at[i].transition == model_steps_transition(g->steps, j) &&
          model_steps_satisfies(g->steps, j, g->left.at[i].when))
        add_example(g, kind, j);
  }
}

/* ---- kinds of steps ---- */

/* Of these kinds with a further condition those are left that have steps by which the measure, if there is one, does not fall. */
static void leave_done(measuring *g, term condition, const term *measure) {
  transition_cases before = g->left;
  g->left = (transition_cases){0};
  for (size_t i = 0; i < before.count && !g->trouble; i++) {
    transition_case c = before.at[i];
    c.when = term_and(g->ts, c.when, condition);
    term stays = measure ? term_not(falls_by(g, c.transition, *measure)) : TERM_TRUE;
    answer some = model_steps_ask(g->steps, c.transition, term_and(g->ts, c.when, stays), true);
    if (answer_is_unsure(some)) g->trouble = some.reason;
    if (answer_is_yes(some)) VECTOR_PUSH(g->left, c);
  }
  VECTOR_FREE(before);
}

/* Each transition in each combination of cases. A kind without a step needs no measure. */
static void find_kinds(measuring *g, const term_vector *cases, bool is_careful) {
  for (uint32_t i = 0; i < g->model->transitions.count; i++) {
    if (is_careful && overflow_leads_to_error(g->model, &g->model->transitions.at[i])) continue;
    for (unsigned bits = 0; bits < 1u << cases->count; bits++) {
      term when = TERM_TRUE;
      for (size_t j = 0; j < cases->count; j++)
        when = term_and(g->ts, when, bits >> j & 1 ? cases->at[j] : term_not(cases->at[j]));
      VECTOR_PUSH(g->left, (transition_case){i, when});
    }
  }
  leave_done(g, TERM_TRUE, NULL);
}

measuring *measuring_new(engine_environment *env, term open, const measuring_effort *effort, bool is_careful) {
  measuring *g = MEMORY_NEW(measuring);
  *g = (measuring){.env = env, .model = env->model, .ts = env->model->terms, .effort = effort};
  term_vector cases = {0};
  if (effort->level >= FEATURES_BY_CASE) features_cases(g->model, open, &cases);
  features_of(g->model, effort->level, &cases, &g->features);
  g->steps = model_steps_new(env, open, is_careful);
  find_kinds(g, &cases, is_careful);
  if (!g->trouble) begin_guesses(g);
  if (!is_careful) help_find_candidates(g->model, effort->helps, &g->candidates);
  VECTOR_FREE(cases);
  return g;
}

void measuring_free(measuring *g) {
  if (!g) return;
  helping_free(g->helping);
  guessing_free(g->guessing);
  model_steps_free(g->steps);
  VECTOR_FREE(g->features);
  VECTOR_FREE(g->left);
  VECTOR_FREE(g->measures);
  VECTOR_FREE(g->helps);
  VECTOR_FREE(g->candidates);
  memory_free(g);
}

/* ---- help by fairness ---- */

static bool covers_found(const measuring *g, term covers) {
  for (size_t i = 0; i < model_steps_found(g->steps); i++) {
    if (!model_steps_satisfies(g->steps, i, covers)) continue;
    for (size_t j = 0; j < g->left.count; j++)
      if (g->left.at[j].transition == model_steps_transition(g->steps, i) &&
          model_steps_satisfies(g->steps, i, g->left.at[j].when))
        return true;
  }
  return false;
}

/* Some step that is left would be covered. */
static bool is_of_use(measuring *g, const help_candidate *c) {
  term covers = help_covers(g->model, c);
  if (covers_found(g, covers)) return true;
  for (size_t i = 0; i < g->left.count; i++) {
    term both = term_and(g->ts, g->left.at[i].when, covers);
    if (!answer_is_no(model_steps_ask(g->steps, g->left.at[i].transition, both, false))) return true;
  }
  return false;
}

/* None if there is no other candidate. */
static measuring_end try_next(measuring *g) {
  if (g->helping) g->questions += helping_questions(g->helping);
  helping_free(g->helping);
  g->helping = NULL;
  while (g->candidate < g->candidates.count) {
    const help_candidate *c = &g->candidates.at[g->candidate++];
    if (!is_of_use(g, c)) continue;
    g->helping = helping_new(g->model, g->env->budget, g->steps, &g->left, &g->features, &g->effort->factors, c);
    return MEASURING_GOES_ON;
  }
  return MEASURING_NONE;
}

/* The candidate has a measure. */
static measuring_end take_help(measuring *g, term measure) {
  const help_candidate *c = &g->candidates.at[g->candidate - 1];
  VECTOR_PUSH(g->helps, (ranking_help){(uint32_t)g->measures.count, c->fairness, c->helpful});
  VECTOR_PUSH(g->measures, measure);
  g->questions += helping_questions(g->helping);
  helping_free(g->helping);
  g->helping = NULL;
  g->candidate = 0;
  leave_done(g, term_not(help_covers(g->model, c)), &measure);
  if (g->trouble) return MEASURING_UNSURE;
  begin_guesses(g);
  return MEASURING_GOES_ON;
}

static measuring_end step_help(measuring *g) {
  term measure;
  switch (helping_step(g->helping, &measure)) {
    case MEASURING_GOES_ON: return MEASURING_GOES_ON;
    case MEASURING_DONE: return take_help(g, measure);
    default: return try_next(g);
  }
}

/* ---- steps of the search ---- */

/* A measure was found, or none will be. */
static void take_found(measuring *g) {
  const term_vector *found = guessing_measures(g->guessing);
  for (; g->taken < found->count; g->taken++) VECTOR_PUSH(g->measures, found->at[g->taken]);
}

/* The kinds by which a measure of the guesses falls are done with. */
static void leave_guessed(measuring *g) {
  transition_cases still = {0};
  for (size_t i = 0; i < g->left.count; i++)
    if (guessing_is_left(g->guessing, i)) VECTOR_PUSH(still, g->left.at[i]);
  VECTOR_FREE(g->left);
  g->left = still;
  forget_guesses(g);
}

measuring_end measuring_step(measuring *g) {
  if (g->trouble) return MEASURING_UNSURE;
  if (g->helping) return step_help(g);
  measuring_end end = guessing_step(g->guessing, &(guess_oracle){is_against, g, .asks_others = true});
  take_found(g);
  if (end == MEASURING_UNSURE) g->trouble = guessing_trouble(g->guessing);
  if (end != MEASURING_NONE || !g->candidates.count) return end;
  leave_guessed(g);
  return try_next(g);
}

void measuring_write(const measuring *g, evidence *e) {
  for (size_t i = 0; i < g->measures.count; i++) VECTOR_PUSH(e->measures, g->measures.at[i]);
  for (size_t i = 0; i < g->helps.count; i++) VECTOR_PUSH(e->helps, g->helps.at[i]);
}

size_t measuring_count(const measuring *g) { return g->measures.count; }

uint64_t measuring_questions(const measuring *g) {
  uint64_t of_guesses = g->guessing ? guessing_questions(g->guessing) : 0;
  return g->questions + of_guesses + model_steps_questions(g->steps);
}

const char *measuring_trouble(const measuring *g) { return g->trouble; }
