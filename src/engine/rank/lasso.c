/* The states of a word as terms over its first one, and guesses about it (lasso.h). */
#include "engine/rank/lasso.h"

#include "engine/rank/overflow.h"
#include "model/transform.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* Guesses with the same limits, at most. */
enum { MOST_LASSO_GUESSES = 60 };

/* What factors may be, one after the other. */
static const factor_limits limits[] = {{1, false, false}, {1, false, true}, {10, true, true}};

struct lasso {
  engine_environment *env;
  const model *model;
  terms *ts;
  const term_vector *features;
  term_vector last; /* the state variables in the last state, over the first state and inputs */
  solver *solver;   /* has all that a run along the word has */
  variable_vector inputs;
  guessing *guessing; /* NULL before the next limits are tried */
  size_t tried;       /* limits */
  bool was_asked;     /* whether a run takes the word at all */
  const char *trouble;
  uint64_t questions;
};

/* ---- the word ---- */

static term used(const lasso *l, bool is_careful, term t) {
  return is_careful ? overflow_leave_out_bounds(l->ts, t) : t;
}

/* Inputs of the step at this position get names of their own. */
static void rename_inputs(lasso *l, const transition *t, size_t position, substitution *by) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    type of = *variable_type(l->ts, t->inputs.at[i]); /* a copy: making a variable moves the table of types */
    char *name = text_format("%s@lasso%zu", variable_name(l->ts, t->inputs.at[i]), position);
    variable copy = variable_fresh(l->ts, name, &of);
    substitution_set(by, t->inputs.at[i], term_of_variable(l->ts, copy));
    VECTOR_PUSH(l->inputs, copy);
    memory_free(name);
  }
}

static void assert_state(lasso *l, term open, bool is_careful, substitution *by) {
  const engine_environment *env = l->env;
  for (size_t i = 0; i < env->facts.count; i++)
    solver_assert(l->solver, substitution_apply(by, used(l, is_careful, env->facts.at[i])));
  if (!is_careful) solver_assert(l->solver, substitution_apply(by, open));
}

/* `state` has what the state variables are after the steps so far. */
static void take_step(lasso *l, const transition_case *c, size_t position, bool is_careful, term_vector *state) {
  const model *m = l->model;
  const transition *t = &m->transitions.at[c->transition];
  substitution *by = substitution_new(l->ts);
  for (size_t i = 0; i < m->variables.count; i++) substitution_set(by, m->variables.at[i].var, state->at[i]);
  rename_inputs(l, t, position, by);
  solver_assert(l->solver, substitution_apply(by, used(l, is_careful, transition_enabled(m, t))));
  solver_assert(l->solver, substitution_apply(by, c->when));
  for (size_t i = 0; i < m->variables.count; i++)
    state->at[i] = substitution_apply(by, transform_after(m, t, term_of_variable(l->ts, m->variables.at[i].var)));
  substitution_free(by);
}

static void take_word(lasso *l, term open, const transition_cases *word, bool is_careful) {
  const model *m = l->model;
  term_vector state = {0};
  substitution *by = substitution_new(l->ts);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(state, term_of_variable(l->ts, m->variables.at[i].var));
  for (size_t k = 0; k <= word->count && !budget_spent(l->env->budget); k++) {
    substitution_clear(by);
    for (size_t i = 0; i < m->variables.count; i++) substitution_set(by, m->variables.at[i].var, state.at[i]);
    assert_state(l, open, is_careful, by);
    if (k < word->count) take_step(l, &word->at[k], k, is_careful, &state);
  }
  l->last = state;
  substitution_free(by);
}

lasso *lasso_new(engine_environment *env, term open, const transition_cases *word, const term_vector *features,
                 bool is_careful) {
  lasso *l = MEMORY_NEW(lasso);
  *l = (lasso){.env = env, .model = env->model, .ts = env->model->terms, .features = features};
  l->solver = solver_new(l->ts, env->budget);
  if (is_careful) solver_assume_types(l->solver, false);
  take_word(l, open, word, is_careful);
  return l;
}

void lasso_free(lasso *l) {
  if (!l) return;
  guessing_free(l->guessing);
  solver_free(l->solver);
  VECTOR_FREE(l->last);
  VECTOR_FREE(l->inputs);
  memory_free(l);
}

/* ---- guesses ---- */

/* A term over states, in the last state. */
static term in_last_state(const lasso *l, term t) {
  substitution *by = substitution_new(l->ts);
  for (size_t i = 0; i < l->model->variables.count; i++)
    substitution_set(by, l->model->variables.at[i].var, l->last.at[i]);
  term result = substitution_apply(by, t);
  substitution_free(by);
  return result;
}

static void add_example(lasso *l, size_t kind) {
  number_vector values = {0}, before = {0}, after = {0};
  for (size_t i = 0; i < variable_count(l->ts); i++) VECTOR_PUSH(values, number_of(0));
  for (size_t i = 0; i < l->model->variables.count; i++) {
    variable v = l->model->variables.at[i].var;
    values.at[v.x] = solver_value(l->solver, v);
  }
  for (size_t i = 0; i < l->inputs.count; i++) values.at[l->inputs.at[i].x] = solver_value(l->solver, l->inputs.at[i]);
  for (size_t i = 0; i < l->features->count; i++) {
    VECTOR_PUSH(before, term_evaluate(l->ts, l->features->at[i], values.at));
    VECTOR_PUSH(after, term_evaluate(l->ts, in_last_state(l, l->features->at[i]), values.at));
  }
  guessing_add_example(l->guessing, kind, before, after);
  VECTOR_FREE(values);
}

static answer is_against(void *context, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  lasso *l = context;
  terms *ts = l->ts;
  term before = guess->at[0], after = in_last_state(l, before);
  term falls = term_and(ts, term_lt(ts, after, before), term_le(ts, term_int(ts, 0), before));
  l->questions++;
  solver_push(l->solver);
  solver_assert(l->solver, claimed ? term_not(falls) : term_lt(ts, before, after));
  answer a = solver_check(l->solver, 0);
  if (answer_is_yes(a) && keep) add_example(l, kind);
  solver_pop(l->solver);
  return a;
}

static void begin_guesses(lasso *l) {
  l->guessing = guessing_new(l->ts, l->env->budget, &limits[l->tried++], MOST_LASSO_GUESSES, 1);
  for (size_t i = 0; i < l->features->count; i++) VECTOR_PUSH(*guessing_features(l->guessing, 0), l->features->at[i]);
  guessing_demand(l->guessing, guessing_add_kind(l->guessing, 0, 0));
  guessing_ask_only_demanded(l->guessing);
}

static measuring_end end_guesses(lasso *l) {
  l->questions += guessing_questions(l->guessing);
  guessing_free(l->guessing);
  l->guessing = NULL;
  return l->tried < ARRAY_LENGTH(limits) ? MEASURING_GOES_ON : MEASURING_NONE;
}

/* No run takes the word: then any measure does. */
static bool is_impossible(lasso *l) {
  if (l->was_asked) return false;
  l->was_asked = true;
  answer a = solver_check(l->solver, 0);
  if (answer_is_unsure(a)) l->trouble = a.reason;
  return answer_is_no(a);
}

measuring_end lasso_step(lasso *l, term *measure) {
  *measure = term_int(l->ts, 0);
  if (is_impossible(l)) return MEASURING_DONE;
  if (l->trouble) return MEASURING_UNSURE;
  if (!l->guessing) begin_guesses(l);
  measuring_end end = guessing_step(l->guessing, &(guess_oracle){is_against, l, .asks_others = false});
  const term_vector *found = guessing_measures(l->guessing);
  if (found->count) {
    *measure = found->at[0];
    return MEASURING_DONE;
  }
  if (end == MEASURING_UNSURE) l->trouble = guessing_trouble(l->guessing);
  return end == MEASURING_NONE ? end_guesses(l) : end;
}

const char *lasso_trouble(const lasso *l) { return l->trouble; }
uint64_t lasso_questions(const lasso *l) { return l->questions; }
