/* Steps of a program with procedures, for guesses (call_measure.h).
 *
 * The first measure is how many predicates a run can come to from there: it never grows, and falls by each step that does not come back. All
 * others are about steps that do. */
#include "engine/rank/calls/call_measure.h"

#include "proof/call_ranking.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* Guesses with the same wishes, at most; atoms a predicate's cases are made of. */
enum { MOST_GUESSES = 60, MOST_CASES = 4 };
struct call_measuring {
  engine_environment *env;
  const clauses *all;
  terms *ts;
  call_steps *steps;
  const call_effort *effort;
  guessing *guessing;   /* its places are predicates */
  index_vector clauses; /* by kind: one that leads from a place to one from which that place can be reached again */
  term_vector first;    /* the first measure, by predicate */
};

size_t call_measuring_count(const call_measuring *g) {
  return 1 + guessing_measures(g->guessing)->count / g->all->predicates.count;
}

const char *call_measuring_trouble(const call_measuring *g) { return guessing_trouble(g->guessing); }

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
    VECTOR_PUSH(g->first, term_int(g->ts, size));
  }
  for (uint32_t i = 0; i < g->all->clauses.count; i++) {
    const clause *c = &g->all->clauses.at[i];
    if (!call_ranking_is_step(g->all, c) || !reached[c->head][start_of(c)]) continue;
    guessing_add_kind(g->guessing, start_of(c), c->head);
    VECTOR_PUSH(g->clauses, i);
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
  for (size_t i = 0; i < g->clauses.count; i++) {
    const clause *c = &g->all->clauses.at[g->clauses.at[i]];
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
    term_vector *out = guessing_features(g->guessing, i);
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

static void add_example(const call_measuring *g, size_t kind, const number_vector *values) {
  const clause *c = &g->all->clauses.at[g->clauses.at[kind]];
  number_vector now = {0}, earlier = {0}, later = {0};
  term_vector before = {0}, after = {0};
  const term_vector *first = guessing_features(g->guessing, start_of(c)),
                    *last = guessing_features(g->guessing, c->head);
  for (size_t i = 0; i < first->count; i++) VECTOR_PUSH(before, value_before(g, c, first->at[i]));
  for (size_t i = 0; i < last->count; i++) VECTOR_PUSH(after, value_after(g, c, last->at[i]));
  for (size_t i = 0; i < variable_count(g->ts); i++) VECTOR_PUSH(now, number_of(0));
  for (size_t i = 0; i < c->variables.count; i++) now.at[c->variables.at[i].x] = values->at[i];
  for (size_t i = 0; i < before.count; i++) VECTOR_PUSH(earlier, term_evaluate(g->ts, before.at[i], now.at));
  for (size_t i = 0; i < after.count; i++) VECTOR_PUSH(later, term_evaluate(g->ts, after.at[i], now.at));
  guessing_add_example(g->guessing, kind, earlier, later);
  VECTOR_FREE(now);
  VECTOR_FREE(before);
  VECTOR_FREE(after);
}

static answer is_against(void *context, size_t kind, const term_vector *guess, bool claimed, bool keep) {
  const call_measuring *g = context;
  uint32_t number = g->clauses.at[kind];
  number_vector values = {0};
  answer a = call_steps_ask(g->steps, number, against(g, &g->all->clauses.at[number], guess, claimed),
                            g->effort->asks_rules, &values);
  if (answer_is_yes(a) && keep) add_example(g, kind, &values);
  VECTOR_FREE(values);
  return a;
}

/* ---- all of it ---- */

call_measuring *call_measuring_new(engine_environment *env, call_steps *steps, const call_effort *effort) {
  call_measuring *g = MEMORY_NEW(call_measuring);
  *g = (call_measuring){
      .env = env, .all = env->model->clauses, .ts = env->model->terms, .steps = steps, .effort = effort};
  g->guessing = guessing_new(g->ts, env->budget, &effort->factors, MOST_GUESSES, g->all->predicates.count);
  add_first_measure(g);
  find_features(g);
  return g;
}

void call_measuring_free(call_measuring *g) {
  if (!g) return;
  guessing_free(g->guessing);
  VECTOR_FREE(g->clauses);
  VECTOR_FREE(g->first);
  memory_free(g);
}

void call_measuring_claim(const call_measuring *g, term_vector *out) {
  const term_vector *others = guessing_measures(g->guessing);
  size_t predicates = g->all->predicates.count, count = call_measuring_count(g);
  for (size_t i = 0; i < predicates; i++) {
    VECTOR_PUSH(*out, g->first.at[i]);
    for (size_t j = 0; j + 1 < count; j++) VECTOR_PUSH(*out, others->at[j * predicates + i]);
  }
}

measuring_end call_measuring_step(call_measuring *g) {
  return guessing_step(g->guessing, &(guess_oracle){is_against, g, .asks_others = false});
}
