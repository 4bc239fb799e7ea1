/* Guesses and examples (guessing.h). */
#include "engine/rank/guessing.h"

/* Two to this power: from where on constants are as good as any. */
enum { MOST_POWER = 40 };

/* Steps from a place to a place. */
typedef struct step_kind {
  size_t from, to;
  bool is_left;     /* no measure so far falls by it */
  bool is_demanded; /* the next measure must fall by it */
} step_kind;

/* A step: what the features are before and after it. */
typedef struct example {
  size_t kind;
  number_vector before, after;
} example;

/* Of a place. */
typedef struct place_features {
  term_vector terms;
  variable_vector unknowns; /* factors, in `numbers` */
} place_features;

struct guessing {
  terms *ts;
  budget *budget;
  const factor_limits *limits;
  size_t most_guesses; /* with the same wishes */
  size_t places;
  place_features *features; /* by place */
  VECTOR(step_kind) kinds;
  VECTOR(example) examples;
  terms *numbers;        /* of factors and examples: no variables of the model, and reals */
  variable_vector falls; /* by kind: it makes the measure fall */
  solver *choice;        /* of factors; NULL if it is to be made */
  bool has_demands;      /* which kinds the measure must fall by is given */
  bool wants_all;        /* all kinds that are left shall make it fall, not only one */
  size_t guesses;        /* for this measure */
  term_vector measures;
  const char *trouble;
  uint64_t questions;
};

guessing *guessing_new(terms *ts, budget *b, const factor_limits *limits, size_t most_guesses, size_t places) {
  guessing *g = MEMORY_NEW(guessing);
  *g = (guessing){
      .ts = ts, .budget = b, .limits = limits, .most_guesses = most_guesses, .places = places, .wants_all = true};
  g->features = MEMORY_ARRAY(place_features, places + 1);
  g->numbers = terms_new();
  return g;
}

void guessing_free(guessing *g) {
  if (!g) return;
  for (size_t i = 0; i < g->places; i++) {
    VECTOR_FREE(g->features[i].terms);
    VECTOR_FREE(g->features[i].unknowns);
  }
  for (size_t i = 0; i < g->examples.count; i++) {
    VECTOR_FREE(g->examples.at[i].before);
    VECTOR_FREE(g->examples.at[i].after);
  }
  memory_free(g->features);
  VECTOR_FREE(g->examples);
  VECTOR_FREE(g->kinds);
  VECTOR_FREE(g->falls);
  VECTOR_FREE(g->measures);
  solver_free(g->choice);
  terms_free(g->numbers);
  memory_free(g);
}

term_vector *guessing_features(guessing *g, size_t place) { return &g->features[place].terms; }
const term_vector *guessing_measures(const guessing *g) { return &g->measures; }
const char *guessing_trouble(const guessing *g) { return g->trouble; }
uint64_t guessing_questions(const guessing *g) { return g->questions; }

size_t guessing_add_kind(guessing *g, size_t from, size_t to) {
  VECTOR_PUSH(g->kinds, (step_kind){from, to, true, false});
  return g->kinds.count - 1;
}

bool guessing_is_left(const guessing *g, size_t kind) { return g->kinds.at[kind].is_left; }

void guessing_demand(guessing *g, size_t kind) { g->kinds.at[kind].is_demanded = true; }
void guessing_ask_only_demanded(guessing *g) { g->has_demands = true; }

void guessing_add_example(guessing *g, size_t kind, number_vector before, number_vector after) {
  VECTOR_PUSH(g->examples, (example){kind, before, after});
}

static bool is_done(const guessing *g) {
  for (size_t i = 0; i < g->kinds.count; i++)
    if (g->kinds.at[i].is_left) return false;
  return true;
}

/* ---- factors ---- */

static term sum_of(const guessing *g, size_t place, const number_vector *of) {
  terms *ts = g->numbers;
  const variable_vector *unknowns = &g->features[place].unknowns;
  term sum = term_int(ts, 0);
  for (size_t i = 0; i < unknowns->count; i++)
    sum = term_add(ts, sum, term_scale(ts, of->at[i], term_of_variable(ts, unknowns->at[i])));
  return sum;
}

/* The guess is right about the example. */
static void assert_example(guessing *g, const example *x) {
  terms *ts = g->numbers;
  const step_kind *k = &g->kinds.at[x->kind];
  term before = sum_of(g, k->from, &x->before), after = sum_of(g, k->to, &x->after);
  term falls = term_of_variable(ts, g->falls.at[x->kind]), one_less = term_add(ts, after, term_int(ts, 1));
  solver_assert(g->choice, term_le(ts, after, before));
  solver_assert(g->choice, term_implies(ts, falls, term_le(ts, one_less, before)));
  solver_assert(g->choice, term_implies(ts, falls, term_le(ts, term_int(ts, 0), before)));
}

static void make_unknowns(guessing *g) {
  terms *ts = g->numbers;
  term most = term_int(ts, g->limits->largest);
  type factor = {.sort = g->limits->has_fractions ? SORT_REAL : SORT_INT}, truth = {.sort = SORT_BOOL};
  while (g->falls.count < g->kinds.count) VECTOR_PUSH(g->falls, variable_fresh(ts, "falls", &truth));
  for (size_t i = 0; i < g->places; i++) {
    place_features *f = &g->features[i];
    while (f->unknowns.count < f->terms.count) VECTOR_PUSH(f->unknowns, variable_fresh(ts, "factor", &factor));
    for (size_t j = g->limits->any_constant; j < f->unknowns.count; j++) { /* the first is that of 1 */
      term unknown = term_of_variable(ts, f->unknowns.at[j]);
      solver_assert(g->choice, term_le(ts, unknown, most));
      solver_assert(g->choice, term_le(ts, term_negate(ts, most), unknown));
    }
  }
}

/* By which kinds the measure shall fall. */
static term wished_falls(const guessing *g) {
  terms *ts = g->numbers;
  term_vector some = {0};
  for (size_t i = 0; i < g->kinds.count; i++) {
    term falls = term_of_variable(ts, g->falls.at[i]);
    bool is_unwanted = g->has_demands && !g->kinds.at[i].is_demanded;
    if (g->kinds.at[i].is_left) VECTOR_PUSH(some, is_unwanted ? term_not(falls) : falls);
  }
  bool is_all = g->wants_all || g->has_demands;
  term result = is_all ? term_and_all(ts, some.count, some.at) : term_or_all(ts, some.count, some.at);
  VECTOR_FREE(some);
  return result;
}

static void make_choice(guessing *g) {
  g->choice = solver_new(g->numbers, g->budget);
  make_unknowns(g);
  solver_assert(g->choice, wished_falls(g));
  for (size_t i = 0; i < g->examples.count; i++)
    if (g->kinds.at[g->examples.at[i].kind].is_left) assert_example(g, &g->examples.at[i]);
}

static void forget_choice(guessing *g) {
  solver_free(g->choice);
  g->choice = NULL;
}

/* Factors that are right about the examples. If constants may be any number they are better large, and larger with each wrong guess: else
 * they would grow by as little as the last example asks for. What is asserted for that is above a push, which stays. */
static answer choose(guessing *g) {
  terms *ts = g->numbers;
  unsigned power = g->guesses < MOST_POWER ? (unsigned)g->guesses : MOST_POWER;
  g->questions++;
  if (!g->limits->any_constant) return solver_check(g->choice, 0);
  solver_push(g->choice);
  for (size_t i = 0; i < g->places; i++)
    solver_assert(g->choice,
                  term_le(ts, term_int(ts, INT64_C(1) << power), term_of_variable(ts, g->features[i].unknowns.at[0])));
  answer large = solver_check(g->choice, 0);
  if (!answer_is_no(large)) return large;
  solver_pop(g->choice);
  solver_push(g->choice);
  return solver_check(g->choice, 0);
}

/* No guess is right about all examples, or too many were wrong: less is wanted. */
static measuring_end want_less(guessing *g) {
  forget_choice(g);
  g->guesses = 0;
  if (!g->wants_all || g->has_demands) return MEASURING_NONE;
  g->wants_all = false;
  return MEASURING_GOES_ON;
}

/* ---- a guess ---- */

/* What makes all factors integers. */
static number common_denominator(guessing *g) {
  number common = number_of(1);
  for (size_t i = 0; i < g->places; i++)
    for (size_t j = 0; j < g->features[i].unknowns.count; j++) {
      number above = number_mul(solver_value(g->choice, g->features[i].unknowns.at[j]), common);
      if (!number_is_integer(above)) common = number_mul(common, number_denominator(above));
    }
  return common;
}

/* A sum for each place, and which kinds it is claimed to fall by. */
static void read_guess(guessing *g, term_vector *out, bool *claimed) {
  number common = common_denominator(g);
  for (size_t i = 0; i < g->places; i++) {
    term sum = term_int(g->ts, 0);
    for (size_t j = 0; j < g->features[i].unknowns.count; j++) {
      number factor = number_mul(solver_value(g->choice, g->features[i].unknowns.at[j]), common);
      sum = term_add(g->ts, sum, term_scale(g->ts, factor, g->features[i].terms.at[j]));
    }
    VECTOR_PUSH(*out, sum);
  }
  for (size_t i = 0; i < g->kinds.count; i++)
    claimed[i] = g->kinds.at[i].is_left && number_is(solver_value(g->choice, g->falls.at[i]), 1);
}

/* Yes: a step is against it. */
static answer ask(guessing *g, const guess_oracle *o, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  answer a = o->is_against(o->context, kind, guess, claimed, keep);
  if (answer_is_unsure(a)) g->trouble = a.reason;
  return a;
}

/* No step of what is left is against it; else there are more examples, one of each kind that is, or trouble. */
static bool is_right(guessing *g, const guess_oracle *o, const term_vector *guess, const bool *claimed) {
  bool right = true;
  for (size_t i = 0; i < g->kinds.count && !g->trouble; i++)
    if (g->kinds.at[i].is_left) right &= answer_is_no(ask(g, o, i, guess, claimed[i], true));
  return right && !g->trouble;
}

static void take_measure(guessing *g, const guess_oracle *o, const term_vector *guess, const bool *claimed) {
  for (size_t i = 0; i < guess->count; i++) VECTOR_PUSH(g->measures, guess->at[i]);
  for (size_t i = 0; i < g->kinds.count; i++) {
    if (!g->kinds.at[i].is_left) continue;
    g->kinds.at[i].is_left = !claimed[i] && !(o->asks_others && answer_is_no(ask(g, o, i, guess, true, false)));
  }
  g->wants_all = true;
  g->guesses = 0;
  forget_choice(g);
}

measuring_end guessing_step(guessing *g, const guess_oracle *o) {
  if (g->trouble) return MEASURING_UNSURE;
  if (is_done(g)) return MEASURING_DONE;
  if (g->guesses++ > g->most_guesses) return want_less(g);
  if (!g->choice) make_choice(g);
  answer a = choose(g);
  if (answer_is_unsure(a)) g->trouble = a.reason;
  if (answer_is_no(a)) return want_less(g);
  if (!answer_is_yes(a)) return MEASURING_UNSURE;
  bool *claimed = MEMORY_ARRAY(bool, g->kinds.count + 1);
  size_t known = g->examples.count;
  term_vector guess = {0};
  read_guess(g, &guess, claimed);
  if (g->limits->any_constant) solver_pop(g->choice);
  if (is_right(g, o, &guess, claimed))
    take_measure(g, o, &guess, claimed);
  else
    for (size_t i = known; i < g->examples.count; i++) assert_example(g, &g->examples.at[i]);
  memory_free(claimed);
  VECTOR_FREE(guess);
  return MEASURING_GOES_ON;
}
