/* Guesses and examples (call_measure.h).
 *
 * The first measure is how many predicates a run can come to from there: it never grows, and falls by each step that does not come back. All
 * others are about steps that do. */
#include "engine/rank/call_measure.h"

#include "proof/call_ranking.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* Guesses with the same wishes, at most; atoms a predicate's cases are made of. */
enum { MOST_GUESSES = 60, MOST_CASES = 4 };
/* Two to this power: from where on constants are as good as any. */
enum { MOST_POWER = 40 };

/* A clause that leads from a place to one from which that place can be reached again. */
typedef struct call_kind {
  uint32_t clause;
  bool is_left; /* no measure so far falls by it */
} call_kind;

/* A step: what the features are before and after it. */
typedef struct call_example {
  size_t kind;
  number_vector before, after;
} call_example;

/* Of a predicate. */
typedef struct call_features {
  term_vector terms;        /* over its parameters */
  variable_vector unknowns; /* factors, in `numbers` */
} call_features;

struct call_measuring {
  engine_environment *env;
  const clauses *all;
  terms *ts;
  call_steps *steps;
  const call_effort *effort;
  call_features *features; /* by predicate */
  VECTOR(call_kind) kinds;
  VECTOR(call_example) examples;
  term_vector measures;  /* the first for all predicates, the second for all, .. */
  terms *numbers;        /* of factors and examples: no variables of the model, and reals */
  variable_vector falls; /* by kind, in `numbers` */
  solver *choice;        /* of factors; NULL if it is to be made */
  bool wants_all;        /* all kinds that are left shall make it fall, not only one */
  size_t guesses;        /* for this measure */
  const char *trouble;
};

size_t call_measuring_count(const call_measuring *g) { return g->measures.count / g->all->predicates.count; }
const char *call_measuring_trouble(const call_measuring *g) { return g->trouble; }

/* ---- which places lead where ---- */

static uint32_t start_of(const clause *c) { return c->body.at[clause_place_atom(c)].predicate; }

/* Which predicates a run can come to from this one, itself included. */
static void find_reached(const clauses *all, uint32_t from, bool *reached) {
  index_vector waiting = {0};
  VECTOR_PUSH(waiting, from);
  reached[from] = true;
  while (waiting.count) {
    uint32_t at = VECTOR_POP(waiting);
    for (size_t i = 0; i < all->clauses.count; i++) {
      const clause *c = &all->clauses.at[i];
      if (!call_ranking_is_step(all, c) || start_of(c) != at || reached[c->head]) continue;
      reached[c->head] = true;
      VECTOR_PUSH(waiting, c->head);
    }
  }
  VECTOR_FREE(waiting);
}

static void add_first_measure(call_measuring *g) {
  size_t count = g->all->predicates.count;
  bool **reached = MEMORY_ARRAY(bool *, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    int64_t size = 0;
    reached[i] = MEMORY_ARRAY(bool, count + 1);
    find_reached(g->all, i, reached[i]);
    for (size_t j = 0; j < count; j++) size += reached[i][j];
    VECTOR_PUSH(g->measures, term_int(g->ts, size));
  }
  for (uint32_t i = 0; i < g->all->clauses.count; i++) {
    const clause *c = &g->all->clauses.at[i];
    if (call_ranking_is_step(g->all, c) && reached[c->head][start_of(c)]) VECTOR_PUSH(g->kinds, (call_kind){i, true});
  }
  for (size_t i = 0; i < count; i++) memory_free(reached[i]);
  memory_free(reached);
}

/* ---- features ---- */

static term if_holds(terms *ts, term condition, term value) { return term_ite(ts, condition, value, term_int(ts, 0)); }

static bool is_plain_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE);
}

/* The atom said of the parameters of the place that the clause begins at; false if it speaks of anything else. */
static bool of_parameters(const call_measuring *g, const clause *c, term atom, term *out) {
  const clause_atom *from = &c->body.at[clause_place_atom(c)];
  const variable_vector *parameters = &g->all->predicates.at[from->predicate].parameters;
  substitution *s = substitution_new(g->ts);
  variable_vector inside = {0};
  bool found = true;
  for (size_t i = 0; i < from->arguments.count; i++)
    if (is_plain_variable(g->ts, from->arguments.at[i]))
      substitution_set(s, term_variable(g->ts, from->arguments.at[i]), term_of_variable(g->ts, parameters->at[i]));
  *out = term_positive(substitution_apply(s, atom));
  term_variables(g->ts, 1, out, &inside);
  for (size_t i = 0; i < inside.count && found; i++) {
    found = false;
    for (size_t j = 0; j < parameters->count; j++) found |= variable_same(parameters->at[j], inside.at[i]);
  }
  found = found && inside.count;
  VECTOR_FREE(inside);
  substitution_free(s);
  return found;
}

static void find_cases(const call_measuring *g, uint32_t predicate, term_vector *out) {
  term_vector atoms = {0};
  for (size_t i = 0; i < g->kinds.count; i++) {
    const clause *c = &g->all->clauses.at[g->kinds.at[i].clause];
    if (start_of(c) != predicate) continue;
    VECTOR_CLEAR(atoms);
    term_atoms(g->ts, c->constraint, &atoms);
    for (size_t j = 0; j < atoms.count && out->count < MOST_CASES; j++) {
      term made;
      bool is_new = of_parameters(g, c, atoms.at[j], &made);
      for (size_t k = 0; k < out->count; k++) is_new = is_new && !term_same(out->at[k], made);
      if (is_new) VECTOR_PUSH(*out, made);
    }
  }
  VECTOR_FREE(atoms);
}

static void add_cases(const call_measuring *g, uint32_t predicate, term_vector *out) {
  term_vector cases = {0};
  size_t plain = out->count;
  find_cases(g, predicate, &cases);
  for (size_t i = 0; i < cases.count; i++)
    for (size_t j = 0; j < plain; j++) VECTOR_PUSH(*out, if_holds(g->ts, cases.at[i], out->at[j]));
  VECTOR_FREE(cases);
}

static void find_features(call_measuring *g) {
  for (uint32_t i = 0; i < g->all->predicates.count; i++) {
    term_vector *out = &g->features[i].terms;
    const variable_vector *parameters = &g->all->predicates.at[i].parameters;
    VECTOR_PUSH(*out, term_int(g->ts, 1));
    for (size_t j = 0; j < parameters->count; j++) {
      const type *of = variable_type(g->ts, parameters->at[j]);
      term t = term_of_variable(g->ts, parameters->at[j]);
      if (of->sort == SORT_BOOL) VECTOR_PUSH(*out, if_holds(g->ts, t, term_int(g->ts, 1)));
      if (of->sort == SORT_INT && !of->name_count) VECTOR_PUSH(*out, t);
    }
    if (g->effort->by_case) add_cases(g, i, out);
  }
}

/* ---- beginning and end ---- */

call_measuring *call_measuring_new(engine_environment *env, call_steps *steps, const call_effort *effort) {
  call_measuring *g = MEMORY_NEW(call_measuring);
  *g = (call_measuring){.env = env,
                        .all = env->model->clauses,
                        .ts = env->model->terms,
                        .steps = steps,
                        .effort = effort,
                        .wants_all = true};
  g->features = MEMORY_ARRAY(call_features, g->all->predicates.count + 1);
  g->numbers = terms_new();
  add_first_measure(g);
  find_features(g);
  return g;
}

void call_measuring_free(call_measuring *g) {
  if (!g) return;
  for (size_t i = 0; i < g->all->predicates.count; i++) {
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
  VECTOR_FREE(g->measures);
  VECTOR_FREE(g->falls);
  solver_free(g->choice);
  terms_free(g->numbers);
  memory_free(g);
}

void call_measuring_claim(const call_measuring *g, term_vector *out) {
  size_t predicates = g->all->predicates.count, count = call_measuring_count(g);
  for (size_t i = 0; i < predicates; i++)
    for (size_t j = 0; j < count; j++) VECTOR_PUSH(*out, g->measures.at[j * predicates + i]);
}

/* ---- guesses ---- */

static term sum_of(const call_measuring *g, uint32_t predicate, const number_vector *of) {
  terms *ts = g->numbers;
  const variable_vector *unknowns = &g->features[predicate].unknowns;
  term sum = term_int(ts, 0);
  for (size_t i = 0; i < unknowns->count; i++)
    sum = term_add(ts, sum, term_scale(ts, of->at[i], term_of_variable(ts, unknowns->at[i])));
  return sum;
}

/* The guess is right about the example. */
static void assert_example(call_measuring *g, const call_example *x) {
  terms *ts = g->numbers;
  const clause *c = &g->all->clauses.at[g->kinds.at[x->kind].clause];
  term before = sum_of(g, start_of(c), &x->before), after = sum_of(g, c->head, &x->after);
  term falls = term_of_variable(ts, g->falls.at[x->kind]), one_less = term_add(ts, after, term_int(ts, 1));
  solver_assert(g->choice, term_le(ts, after, before));
  solver_assert(g->choice, term_implies(ts, falls, term_le(ts, one_less, before)));
  solver_assert(g->choice, term_implies(ts, falls, term_le(ts, term_int(ts, 0), before)));
}

static void make_unknowns(call_measuring *g) {
  terms *ts = g->numbers;
  term most = term_int(ts, g->effort->largest);
  type factor = {.sort = g->effort->has_fractions ? SORT_REAL : SORT_INT}, truth = {.sort = SORT_BOOL};
  while (g->falls.count < g->kinds.count) VECTOR_PUSH(g->falls, variable_fresh(ts, "falls", &truth));
  for (size_t i = 0; i < g->all->predicates.count; i++) {
    call_features *f = &g->features[i];
    while (f->unknowns.count < f->terms.count) VECTOR_PUSH(f->unknowns, variable_fresh(ts, "factor", &factor));
    /* The first is that of 1. */
    for (size_t j = g->effort->any_constant; j < f->unknowns.count; j++) {
      term unknown = term_of_variable(ts, f->unknowns.at[j]);
      solver_assert(g->choice, term_le(ts, unknown, most));
      solver_assert(g->choice, term_le(ts, term_negate(ts, most), unknown));
    }
  }
}

static void make_choice(call_measuring *g) {
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

static void forget_choice(call_measuring *g) {
  solver_free(g->choice);
  g->choice = NULL;
}

/* What makes all factors integers. */
static number common_denominator(call_measuring *g) {
  number common = number_of(1);
  for (size_t i = 0; i < g->all->predicates.count; i++)
    for (size_t j = 0; j < g->features[i].unknowns.count; j++) {
      number above = number_mul(solver_value(g->choice, g->features[i].unknowns.at[j]), common);
      if (!number_is_integer(above)) common = number_mul(common, number_denominator(above));
    }
  return common;
}

/* A sum for each predicate. */
static void read_guess(call_measuring *g, term_vector *out) {
  number common = common_denominator(g);
  for (size_t i = 0; i < g->all->predicates.count; i++) {
    term sum = term_int(g->ts, 0);
    for (size_t j = 0; j < g->features[i].unknowns.count; j++) {
      number factor = number_mul(solver_value(g->choice, g->features[i].unknowns.at[j]), common);
      sum = term_add(g->ts, sum, term_scale(g->ts, factor, g->features[i].terms.at[j]));
    }
    VECTOR_PUSH(*out, sum);
  }
}

/* No guess is right about all examples, or too many were wrong: less is wanted. */
static measuring_end want_less(call_measuring *g) {
  forget_choice(g);
  g->guesses = 0;
  if (!g->wants_all) return MEASURING_NONE;
  g->wants_all = false;
  return MEASURING_GOES_ON;
}

/* As in measure.c: constants that may be any number are better large. What is asserted for that is above a push, which stays. */
static answer choose(call_measuring *g) {
  terms *ts = g->numbers;
  unsigned power = g->guesses < MOST_POWER ? (unsigned)g->guesses : MOST_POWER;
  if (!g->effort->any_constant) return solver_check(g->choice, 0);
  solver_push(g->choice);
  for (size_t i = 0; i < g->all->predicates.count; i++)
    solver_assert(g->choice,
                  term_le(ts, term_int(ts, INT64_C(1) << power), term_of_variable(ts, g->features[i].unknowns.at[0])));
  answer large = solver_check(g->choice, 0);
  if (!answer_is_no(large)) return large;
  solver_pop(g->choice);
  solver_push(g->choice);
  return solver_check(g->choice, 0);
}

/* ---- guesses against steps ---- */

static term of_atom(const call_measuring *g, uint32_t predicate, const term_vector *arguments, term what) {
  substitution *s = substitution_new(g->ts);
  const variable_vector *parameters = &g->all->predicates.at[predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++) substitution_set(s, parameters->at[i], arguments->at[i]);
  term result = substitution_apply(s, what);
  substitution_free(s);
  return result;
}

static term value_before(const call_measuring *g, const clause *c, term what) {
  return of_atom(g, start_of(c), &c->body.at[clause_place_atom(c)].arguments, what);
}

static term value_after(const call_measuring *g, const clause *c, term what) {
  return of_atom(g, c->head, &c->head_arguments, what);
}

/* That it grows; if it is claimed to fall, that it does not. */
static term against(const call_measuring *g, const clause *c, const term_vector *guess, bool claimed) {
  terms *ts = g->ts;
  term before = value_before(g, c, guess->at[start_of(c)]), after = value_after(g, c, guess->at[c->head]);
  if (!claimed) return term_lt(ts, before, after);
  return term_not(term_and(ts, term_lt(ts, after, before), term_le(ts, term_int(ts, 0), before)));
}

static void add_example(call_measuring *g, size_t kind, const number_vector *values) {
  const clause *c = &g->all->clauses.at[g->kinds.at[kind].clause];
  number_vector now = {0};
  call_example made = {.kind = kind};
  term_vector before = {0}, after = {0};
  const term_vector *first = &g->features[start_of(c)].terms, *last = &g->features[c->head].terms;
  for (size_t i = 0; i < first->count; i++) VECTOR_PUSH(before, value_before(g, c, first->at[i]));
  for (size_t i = 0; i < last->count; i++) VECTOR_PUSH(after, value_after(g, c, last->at[i]));
  for (size_t i = 0; i < variable_count(g->ts); i++) VECTOR_PUSH(now, number_of(0));
  for (size_t i = 0; i < c->variables.count; i++) now.at[c->variables.at[i].x] = values->at[i];
  for (size_t i = 0; i < before.count; i++) VECTOR_PUSH(made.before, term_evaluate(g->ts, before.at[i], now.at));
  for (size_t i = 0; i < after.count; i++) VECTOR_PUSH(made.after, term_evaluate(g->ts, after.at[i], now.at));
  VECTOR_PUSH(g->examples, made);
  VECTOR_FREE(now);
  VECTOR_FREE(before);
  VECTOR_FREE(after);
}

/* True if no step of this kind is against it; else there is one more example, if that is wanted, or trouble. */
static bool is_right_about(call_measuring *g, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  uint32_t number = g->kinds.at[kind].clause;
  number_vector values = {0};
  answer a = call_steps_ask(g->steps, number, against(g, &g->all->clauses.at[number], guess, claimed),
                            g->effort->asks_rules, &values);
  if (answer_is_yes(a) && keep) add_example(g, kind, &values);
  if (answer_is_unsure(a)) g->trouble = a.reason;
  VECTOR_FREE(values);
  return answer_is_no(a);
}

static bool is_right(call_measuring *g, const term_vector *guess, const bool *claimed) {
  bool right = true;
  for (size_t i = 0; i < g->kinds.count && !g->trouble; i++)
    if (g->kinds.at[i].is_left) right &= is_right_about(g, i, guess, claimed[i], true);
  return right && !g->trouble;
}

static void take_measure(call_measuring *g, const term_vector *guess, const bool *claimed) {
  for (size_t i = 0; i < guess->count; i++) VECTOR_PUSH(g->measures, guess->at[i]);
  for (size_t i = 0; i < g->kinds.count; i++)
    if (g->kinds.at[i].is_left) g->kinds.at[i].is_left = !claimed[i];
  g->wants_all = true;
  g->guesses = 0;
  forget_choice(g);
}

static bool is_done(const call_measuring *g) {
  for (size_t i = 0; i < g->kinds.count; i++)
    if (g->kinds.at[i].is_left) return false;
  return true;
}

measuring_end call_measuring_step(call_measuring *g) {
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
  term_vector guess = {0};
  read_guess(g, &guess);
  for (size_t i = 0; i < g->kinds.count; i++)
    claimed[i] = g->kinds.at[i].is_left && number_is(solver_value(g->choice, g->falls.at[i]), 1);
  if (g->effort->any_constant) solver_pop(g->choice);
  if (is_right(g, &guess, claimed))
    take_measure(g, &guess, claimed);
  else
    for (size_t i = known; i < g->examples.count; i++) assert_example(g, &g->examples.at[i]);
  memory_free(claimed);
  VECTOR_FREE(guess);
  return MEASURING_GOES_ON;
}
