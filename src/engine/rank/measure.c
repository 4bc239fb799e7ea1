/* Guesses and examples (measure.h). */
#include "engine/rank/measure.h"

#include "engine/rank/overflow.h"
#include "model/transform.h"
#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"

/* Guesses with the same wishes, at most. */
enum { MOST_GUESSES = 100 };
/* Two to this power: from where on constants are as good as any. */
enum { MOST_POWER = 40 };

/* Steps of a transition, if the condition holds before them. */
typedef struct step_kind {
  uint32_t transition;
  term when;
  bool is_left; /* no measure so far falls by it */
} step_kind;

/* A step: what the features are before and after it. */
typedef struct example {
  size_t kind;
  number_vector before, after;
} example;

struct measuring {
  engine_environment *env;
  const model *model;
  terms *ts;
  term open;
  const measuring_effort *effort;
  bool is_careful; /* what speaks of the bounds of types is not used */
  term_vector features;
  VECTOR(step_kind) kinds;
  VECTOR(example) examples;
  terms *numbers;                  /* of factors and examples: no variables of the model, and reals */
  solver *steps;                   /* of the model */
  solver *choice;                  /* of factors; NULL if it is to be made */
  bool wants_all;                  /* all kinds of steps that are left shall make it fall, not only one */
  size_t guesses;                  /* for this measure */
  variable_vector unknowns, falls; /* factors by feature; by kind of step: it makes the measure fall */
  term_vector measures;
  const char *trouble;
  uint64_t questions;
};

/* ---- beginning ---- */

static void find_kinds(measuring *g, const term_vector *cases);

measuring *measuring_new(engine_environment *env, term open, const measuring_effort *effort, bool is_careful) {
  measuring *g = MEMORY_NEW(measuring);
  *g = (measuring){.env = env,
                   .model = env->model,
                   .ts = env->model->terms,
                   .open = open,
                   .effort = effort,
                   .is_careful = is_careful,
                   .wants_all = true};
  term_vector cases = {0};
  if (effort->level >= FEATURES_BY_CASE) features_cases(g->model, open, &cases);
  features_of(g->model, effort->level, &cases, &g->features);
  g->numbers = terms_new();
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
  for (size_t i = 0; i < g->examples.count; i++) {
    VECTOR_FREE(g->examples.at[i].before);
    VECTOR_FREE(g->examples.at[i].after);
  }
  VECTOR_FREE(g->examples);
  VECTOR_FREE(g->features);
  VECTOR_FREE(g->kinds);
  VECTOR_FREE(g->unknowns);
  VECTOR_FREE(g->falls);
  VECTOR_FREE(g->measures);
  solver_free(g->steps);
  solver_free(g->choice);
  terms_free(g->numbers);
  memory_free(g);
}

const term_vector *measuring_measures(const measuring *g) { return &g->measures; }
const char *measuring_trouble(const measuring *g) { return g->trouble; }
uint64_t measuring_questions(const measuring *g) { return g->questions; }

/* ---- steps of the model ---- */

static const transition *transition_of(const measuring *g, size_t kind) {
  return &g->model->transitions.at[g->kinds.at[kind].transition];
}

static void read_example(measuring *g, size_t kind) {
  const transition *t = transition_of(g, kind);
  number_vector now = {0};
  example made = {.kind = kind};
  term_vector after = {0};
  for (size_t i = 0; i < g->features.count; i++)
    VECTOR_PUSH(after, transform_after(g->model, t, g->features.at[i])); /* makes terms, but no variables */
  for (size_t i = 0; i < variable_count(g->ts); i++) VECTOR_PUSH(now, number_of(0));
  for (size_t i = 0; i < g->model->variables.count; i++) {
    variable v = g->model->variables.at[i].var;
    now.at[v.x] = solver_value(g->steps, v);
  }
  for (size_t i = 0; i < t->inputs.count; i++) now.at[t->inputs.at[i].x] = solver_value(g->steps, t->inputs.at[i]);
  for (size_t i = 0; i < g->features.count; i++) {
    VECTOR_PUSH(made.before, term_evaluate(g->ts, g->features.at[i], now.at));
    VECTOR_PUSH(made.after, term_evaluate(g->ts, after.at[i], now.at));
  }
  VECTOR_PUSH(g->examples, made);
  VECTOR_FREE(now);
  VECTOR_FREE(after);
}

/* Is there a step of this kind, with `also`, over states and inputs? If so it is an example, unless that is not wanted. */
static answer ask_step(measuring *g, size_t kind, term also, bool keep) {
  const transition *t = transition_of(g, kind);
  solver_push(g->steps);
  solver_assert(g->steps, g->kinds.at[kind].when);
  if (g->is_careful) solver_assert(g->steps, overflow_leave_out_bounds(g->ts, transition_enabled(g->model, t)));
  if (!g->is_careful) solver_assert(g->steps, transition_enabled(g->model, t));
  if (!g->is_careful) solver_assert(g->steps, transform_after(g->model, t, g->open));
  solver_assert(g->steps, also);
  answer a = solver_check(g->steps, 0);
  g->questions++;
  if (answer_is_yes(a) && keep) read_example(g, kind);
  solver_pop(g->steps);
  if (answer_is_unsure(a)) g->trouble = a.reason;
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
      VECTOR_PUSH(g->kinds, (step_kind){i, when, true});
      size_t kind = g->kinds.count - 1;
      g->kinds.at[kind].is_left = g->trouble || !answer_is_no(ask_step(g, kind, TERM_TRUE, true));
    }
  }
}

static bool is_done(const measuring *g) {
  for (size_t i = 0; i < g->kinds.count; i++)
    if (g->kinds.at[i].is_left) return false;
  return true;
}

/* ---- guesses ---- */

static term sum_of(const measuring *g, const number_vector *of) {
  terms *ts = g->numbers;
  term sum = term_int(ts, 0);
  for (size_t i = 0; i < g->unknowns.count; i++)
    sum = term_add(ts, sum, term_scale(ts, of->at[i], term_of_variable(ts, g->unknowns.at[i])));
  return sum;
}

/* The guess is right about the example. */
static void assert_example(measuring *g, const example *x) {
  terms *ts = g->numbers;
  term before = sum_of(g, &x->before), after = sum_of(g, &x->after);
  term falls = term_of_variable(ts, g->falls.at[x->kind]), one_less = term_add(ts, after, term_int(ts, 1));
  solver_assert(g->choice, term_le(ts, after, before));
  solver_assert(g->choice, term_implies(ts, falls, term_le(ts, one_less, before)));
  solver_assert(g->choice, term_implies(ts, falls, term_le(ts, term_int(ts, 0), before)));
}

static void make_unknowns(measuring *g) {
  terms *ts = g->numbers;
  term most = term_int(ts, g->effort->largest);
  type factor = {.sort = g->effort->has_fractions ? SORT_REAL : SORT_INT}, truth = {.sort = SORT_BOOL};
  while (g->unknowns.count < g->features.count) VECTOR_PUSH(g->unknowns, variable_fresh(ts, "factor", &factor));
  while (g->falls.count < g->kinds.count) VECTOR_PUSH(g->falls, variable_fresh(ts, "falls", &truth));
  for (size_t i = g->effort->any_constant; i < g->unknowns.count; i++) { /* the first is that of 1 */
    term unknown = term_of_variable(ts, g->unknowns.at[i]);
    solver_assert(g->choice, term_le(ts, unknown, most));
    solver_assert(g->choice, term_le(ts, term_negate(ts, most), unknown));
  }
}

static void make_choice(measuring *g) {
  terms *ts = g->numbers;
  term_vector some = {0};
  g->choice = solver_new(ts, g->env->budget);
  make_unknowns(g);
  for (size_t i = 0; i < g->kinds.count; i++)
    if (g->kinds.at[i].is_left) VECTOR_PUSH(some, term_of_variable(ts, g->falls.at[i]));
  solver_assert(g->choice, g->wants_all ? term_and_all(ts, some.count, some.at) : term_or_all(ts, some.count, some.at));
  for (size_t i = 0; i < g->examples.count; i++)
    if (g->kinds.at[g->examples.at[i].kind].is_left) assert_example(g, &g->examples.at[i]);
  VECTOR_FREE(some);
}

static void forget_choice(measuring *g) {
  solver_free(g->choice);
  g->choice = NULL;
}

/* The sum of features, times what makes all factors integers. */
static term read_guess(measuring *g) {
  number_vector factors = {0};
  number common = number_of(1);
  for (size_t i = 0; i < g->features.count; i++) {
    VECTOR_PUSH(factors, solver_value(g->choice, g->unknowns.at[i]));
    number above = number_mul(factors.at[i], common);
    if (!number_is_integer(above)) common = number_mul(common, number_denominator(above));
  }
  term sum = term_int(g->ts, 0);
  for (size_t i = 0; i < g->features.count; i++)
    sum = term_add(g->ts, sum, term_scale(g->ts, number_mul(factors.at[i], common), g->features.at[i]));
  VECTOR_FREE(factors);
  return sum;
}

/* No guess is right about all examples, or too many were wrong: less is wanted. */
static measuring_end want_less(measuring *g) {
  forget_choice(g);
  g->guesses = 0;
  if (!g->wants_all) return MEASURING_NONE;
  g->wants_all = false;
  return MEASURING_GOES_ON;
}

/* Factors that are right about the examples. If the constant may be any number it is better large, and larger with each wrong guess: else
 * it would grow by as little as the last example asks for. What is asserted for that is above a push, which stays. */
static answer choose(measuring *g) {
  terms *ts = g->numbers;
  unsigned power = g->guesses < MOST_POWER ? (unsigned)g->guesses : MOST_POWER;
  g->questions++;
  if (!g->effort->any_constant) return solver_check(g->choice, 0);
  solver_push(g->choice);
  solver_assert(g->choice, term_le(ts, term_int(ts, INT64_C(1) << power), term_of_variable(ts, g->unknowns.at[0])));
  answer large = solver_check(g->choice, 0);
  if (!answer_is_no(large)) return large;
  solver_pop(g->choice);
  solver_push(g->choice);
  return solver_check(g->choice, 0);
}

/* ---- guesses against steps ---- */

static term grows(const measuring *g, const transition *t, term guess) {
  return term_lt(g->ts, guess, transform_after(g->model, t, guess));
}

static term does_not_fall(const measuring *g, const transition *t, term guess) {
  terms *ts = g->ts;
  term falls = term_lt(ts, transform_after(g->model, t, guess), guess);
  return term_not(term_and(ts, falls, term_le(ts, term_int(ts, 0), guess)));
}

/* True if no step of what is left is against it; else there are more examples, one of each kind that is, or trouble. */
static bool is_right(measuring *g, term guess, const bool *claimed) {
  bool right = true;
  for (size_t i = 0; i < g->kinds.count && !g->trouble; i++) {
    const transition *t = transition_of(g, i);
    if (!g->kinds.at[i].is_left) continue;
    term against = claimed[i] ? does_not_fall(g, t, guess) : grows(g, t, guess);
    right &= answer_is_no(ask_step(g, i, against, true));
  }
  return right && !g->trouble;
}

static void take_measure(measuring *g, term guess, const bool *claimed) {
  VECTOR_PUSH(g->measures, guess);
  for (size_t i = 0; i < g->kinds.count; i++) {
    if (!g->kinds.at[i].is_left) continue;
    const transition *t = transition_of(g, i);
    g->kinds.at[i].is_left = !claimed[i] && !answer_is_no(ask_step(g, i, does_not_fall(g, t, guess), false));
  }
  g->wants_all = true;
  g->guesses = 0;
  forget_choice(g);
}

static void read_claims(measuring *g, bool *claimed) {
  for (size_t i = 0; i < g->kinds.count; i++)
    claimed[i] = g->kinds.at[i].is_left && number_is(solver_value(g->choice, g->falls.at[i]), 1);
}

measuring_end measuring_step(measuring *g) {
  if (g->trouble) return MEASURING_UNSURE;
  if (is_done(g)) return MEASURING_DONE;
  if (g->guesses++ > MOST_GUESSES) return want_less(g);
  if (!g->choice) make_choice(g);
  answer a = choose(g);
  if (answer_is_unsure(a)) g->trouble = a.reason;
  if (answer_is_no(a)) return want_less(g);
  if (!answer_is_yes(a)) return MEASURING_UNSURE;
  bool *claimed = MEMORY_ARRAY(bool, g->kinds.count + 1);
  size_t known = g->examples.count;
  term guess = read_guess(g);
  read_claims(g, claimed);
  if (g->effort->any_constant) solver_pop(g->choice);
  if (is_right(g, guess, claimed))
    take_measure(g, guess, claimed);
  else
    for (size_t i = known; i < g->examples.count; i++) assert_example(g, &g->examples.at[i]);
  memory_free(claimed);
  return MEASURING_GOES_ON;
}
