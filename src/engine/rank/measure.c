/* Steps of a transition system, for guesses (measure.h). */
#include "engine/rank/measure.h"

#include "engine/rank/overflow.h"
#include "model/transform.h"
#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"

/* Guesses with the same wishes, at most. */
enum { MOST_GUESSES = 100 };

/* Steps of a transition, if the condition holds before them. */
typedef struct transition_case {
  uint32_t transition;
  term when;
} transition_case;

struct measuring {
  engine_environment *env;
  const model *model;
  terms *ts;
  term open;
  bool is_careful;               /* what speaks of the bounds of types is not used */
  guessing *guessing;            /* of one place */
  VECTOR(transition_case) cases; /* by kind */
  solver *steps;                 /* of the model */
  const char *trouble;
  uint64_t questions;
};

/* ---- steps of the model ---- */

static const transition *transition_of(const measuring *g, size_t kind) {
  return &g->model->transitions.at[g->cases.at[kind].transition];
}

static void read_example(measuring *g, size_t kind) {
  const transition *t = transition_of(g, kind);
  const term_vector *features = guessing_features(g->guessing, 0);
  number_vector now = {0}, before = {0}, later = {0};
  term_vector after = {0};
  for (size_t i = 0; i < features->count; i++)
    VECTOR_PUSH(after, transform_after(g->model, t, features->at[i])); /* makes terms, but no variables */
  for (size_t i = 0; i < variable_count(g->ts); i++) VECTOR_PUSH(now, number_of(0));
  for (size_t i = 0; i < g->model->variables.count; i++) {
    variable v = g->model->variables.at[i].var;
    now.at[v.x] = solver_value(g->steps, v);
  }
  for (size_t i = 0; i < t->inputs.count; i++) now.at[t->inputs.at[i].x] = solver_value(g->steps, t->inputs.at[i]);
  for (size_t i = 0; i < features->count; i++) {
    VECTOR_PUSH(before, term_evaluate(g->ts, features->at[i], now.at));
    VECTOR_PUSH(later, term_evaluate(g->ts, after.at[i], now.at));
  }
  guessing_add_example(g->guessing, kind, before, later);
  VECTOR_FREE(now);
  VECTOR_FREE(after);
}

/* Is there a step of this kind, with `also`, over states and inputs? If so it is an example, unless that is not wanted. */
static answer ask_step(measuring *g, size_t kind, term also, bool keep) {
  const transition *t = transition_of(g, kind);
  solver_push(g->steps);
  solver_assert(g->steps, g->cases.at[kind].when);
  if (g->is_careful) solver_assert(g->steps, overflow_leave_out_bounds(g->ts, transition_enabled(g->model, t)));
  if (!g->is_careful) solver_assert(g->steps, transition_enabled(g->model, t));
  if (!g->is_careful) solver_assert(g->steps, transform_after(g->model, t, g->open));
  solver_assert(g->steps, also);
  answer a = solver_check(g->steps, 0);
  g->questions++;
  if (answer_is_yes(a) && keep) read_example(g, kind);
  solver_pop(g->steps);
  return a;
}

/* Each transition in each combination of cases. A kind without a step needs no measure. */
static void find_kinds(measuring *g, const term_vector *cases) {
  for (uint32_t i = 0; i < g->model->transitions.count; i++) {
    if (g->is_careful && overflow_leads_to_error(g->model, &g->model->transitions.at[i])) continue;
    for (unsigned bits = 0; bits < 1u << cases->count; bits++) {
      term when = TERM_TRUE;
      for (size_t j = 0; j < cases->count; j++)
        when = term_and(g->ts, when, bits >> j & 1 ? cases->at[j] : term_not(cases->at[j]));
      VECTOR_PUSH(g->cases, (transition_case){i, when});
      size_t kind = guessing_add_kind(g->guessing, 0, 0);
      if (g->trouble) continue;
      answer some = ask_step(g, kind, TERM_TRUE, true);
      if (answer_is_no(some)) guessing_leave_kind(g->guessing, kind);
      if (answer_is_unsure(some)) g->trouble = some.reason;
    }
  }
}

/* ---- guesses ---- */

static answer is_against(void *context, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  measuring *g = context;
  terms *ts = g->ts;
  term before = guess->at[0], after = transform_after(g->model, transition_of(g, kind), before);
  term falls = term_and(ts, term_lt(ts, after, before), term_le(ts, term_int(ts, 0), before));
  return ask_step(g, kind, claimed ? term_not(falls) : term_lt(ts, before, after), keep);
}

measuring *measuring_new(engine_environment *env, term open, const measuring_effort *effort, bool is_careful) {
  measuring *g = MEMORY_NEW(measuring);
  *g = (measuring){.env = env, .model = env->model, .ts = env->model->terms, .open = open, .is_careful = is_careful};
  term_vector cases = {0};
  g->guessing = guessing_new(g->ts, env->budget, &effort->factors, MOST_GUESSES, 1);
  if (effort->level >= FEATURES_BY_CASE) features_cases(g->model, open, &cases);
  features_of(g->model, effort->level, &cases, guessing_features(g->guessing, 0));
  g->steps = solver_new(g->ts, env->budget);
  if (is_careful) solver_assume_types(g->steps, false);
  for (size_t i = 0; i < env->facts.count; i++)
    solver_assert(g->steps, is_careful ? overflow_leave_out_bounds(g->ts, env->facts.at[i]) : env->facts.at[i]);
  if (!is_careful) solver_assert(g->steps, open);
  find_kinds(g, &cases);
  VECTOR_FREE(cases);
  return g;
}

void measuring_free(measuring *g) {
  if (!g) return;
  guessing_free(g->guessing);
  VECTOR_FREE(g->cases);
  solver_free(g->steps);
  memory_free(g);
}

measuring_end measuring_step(measuring *g) {
  if (g->trouble) return MEASURING_UNSURE;
  return guessing_step(g->guessing, &(guess_oracle){is_against, g, .asks_others = true});
}

const term_vector *measuring_measures(const measuring *g) { return guessing_measures(g->guessing); }
uint64_t measuring_questions(const measuring *g) { return g->questions + guessing_questions(g->guessing); }

const char *measuring_trouble(const measuring *g) { return g->trouble ? g->trouble : guessing_trouble(g->guessing); }
