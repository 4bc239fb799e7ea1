/* Tried are: that a number is not negative, not positive or positive, how two numbers compare, and the atoms of constraints. */
#include "engine/rank/calls/call_facts.h"

#include "base/work.h"
#include "proof/call_ranking.h"
#include "term/evaluate.h"
#include "term/fold.h"
#include "term/substitute.h"

/* Facts of one predicate that are tried, and numbers of it that are compared. */
enum { MOST_FACTS = 80, MOST_COMPARED = 5, WORK_OF_QUESTION = 20 };

typedef struct fact_search {
  engine_environment *env;
  const clauses *all;
  terms *ts;
  term_vector *facts; /* by predicate, over its parameters */
  evidence *known;    /* their conjunctions */
  solver *solver;
} fact_search;

/* ---- what is tried ---- */

static void add_fact(fact_search *f, uint32_t predicate, term fact) {
  term_vector *out = &f->facts[predicate];
  if (term_is_true(fact) || term_is_false(fact) || out->count >= MOST_FACTS) return;
  for (size_t i = 0; i < out->count; i++)
    if (term_same(out->at[i], fact)) return;
  VECTOR_PUSH(*out, fact);
}

static void add_about_numbers(fact_search *f, uint32_t predicate) {
  terms *ts = f->ts;
  term_vector numbers = {0};
  const variable_vector *parameters = &f->all->predicates.at[predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    if (variable_type(ts, parameters->at[i])->sort == SORT_INT)
      VECTOR_PUSH(numbers, term_of_variable(ts, parameters->at[i]));
  for (size_t i = 0; i < numbers.count; i++) {
    add_fact(f, predicate, term_le(ts, term_int(ts, 0), numbers.at[i]));
    add_fact(f, predicate, term_le(ts, numbers.at[i], term_int(ts, 0)));
    add_fact(f, predicate, term_lt(ts, term_int(ts, 0), numbers.at[i]));
    for (size_t j = 0; j < i && numbers.count <= MOST_COMPARED; j++) {
      add_fact(f, predicate, term_le(ts, numbers.at[i], numbers.at[j]));
      add_fact(f, predicate, term_le(ts, numbers.at[j], numbers.at[i]));
      add_fact(f, predicate, term_lt(ts, numbers.at[i], numbers.at[j]));
      add_fact(f, predicate, term_lt(ts, numbers.at[j], numbers.at[i]));
    }
  }
  VECTOR_FREE(numbers);
}

static bool is_plain_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE);
}

/* Atoms of the constraint said of the parameters, if these arguments are all that they speak of. */
static void add_atoms(fact_search *f, const clause *c, uint32_t predicate, const term_vector *arguments) {
  const variable_vector *parameters = &f->all->predicates.at[predicate].parameters;
  substitution *s = substitution_new(f->ts);
  term_vector atoms = {0};
  for (size_t i = 0; i < arguments->count; i++)
    if (is_plain_variable(f->ts, arguments->at[i]))
      substitution_set(s, term_variable(f->ts, arguments->at[i]), term_of_variable(f->ts, parameters->at[i]));
  term_atoms(f->ts, c->constraint, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    variable_vector inside = {0};
    term fact = substitution_apply(s, atoms.at[i]);
    term_variables(f->ts, 1, &fact, &inside);
    bool is_closed = true;
    for (size_t j = 0; j < inside.count && is_closed; j++) {
      is_closed = false;
      for (size_t k = 0; k < parameters->count; k++) is_closed |= variable_same(parameters->at[k], inside.at[j]);
    }
    if (is_closed) add_fact(f, predicate, fact);
    if (is_closed) add_fact(f, predicate, term_not(fact));
    VECTOR_FREE(inside);
  }
  VECTOR_FREE(atoms);
  substitution_free(s);
}

static void add_all(fact_search *f) {
  for (uint32_t i = 0; i < f->all->predicates.count; i++) add_about_numbers(f, i);
  for (size_t i = 0; i < f->all->clauses.count; i++) {
    const clause *c = &f->all->clauses.at[i];
    for (size_t j = 0; j < c->body.count; j++) add_atoms(f, c, c->body.at[j].predicate, &c->body.at[j].arguments);
    if (c->head != NO_PREDICATE) add_atoms(f, c, c->head, &c->head_arguments);
  }
}

/* ---- what is kept ---- */

static void say_known(fact_search *f, uint32_t predicate) {
  f->known->interpretation.at[predicate] = term_and_all(f->ts, f->facts[predicate].count, f->facts[predicate].at);
}

/* Leaves out the facts of the head that do not hold under the solver's values. */
static void leave_out_broken(fact_search *f, const clause *c) {
  term_vector *facts = &f->facts[c->head];
  number_vector now = {0};
  term_vector said = {0};
  evidence one = {0};
  for (size_t i = 0; i < f->all->predicates.count; i++) VECTOR_PUSH(one.interpretation, TERM_TRUE);
  for (size_t i = 0; i < facts->count; i++) {
    one.interpretation.at[c->head] = facts->at[i];
    VECTOR_PUSH(said, call_ranking_head(f->env->model, &one, c));
  }
  for (size_t i = 0; i < variable_count(f->ts); i++) VECTOR_PUSH(now, number_of(0));
  for (size_t i = 0; i < c->variables.count; i++)
    now.at[c->variables.at[i].x] = solver_value(f->solver, c->variables.at[i]);
  size_t kept = 0;
  for (size_t i = 0; i < said.count; i++)
    if (number_is(term_evaluate(f->ts, said.at[i], now.at), 1)) facts->at[kept++] = facts->at[i];
  if (kept == facts->count) kept = 0; /* cannot be; all of them are left out rather than asked about for ever */
  facts->count = kept;
  VECTOR_FREE(said);
  VECTOR_FREE(now);
  VECTOR_FREE(one.interpretation);
}

/* True if facts of its head were left out. */
static bool make_valid(fact_search *f, const clause *c) {
  bool changed = false;
  while (f->facts[c->head].count) {
    const model *m = f->env->model;
    solver_push(f->solver);
    solver_assert(f->solver, call_ranking_body(m, f->known, c));
    solver_assert(f->solver, term_not(call_ranking_head(m, f->known, c)));
    answer a = solver_check(f->solver, 0);
    work_add(WORK_OF_QUESTION);
    if (answer_is_yes(a)) leave_out_broken(f, c);
    if (answer_is_unsure(a)) f->facts[c->head].count = 0;
    solver_pop(f->solver);
    if (answer_is_no(a)) break;
    changed = true;
    say_known(f, c->head);
  }
  return changed;
}

void call_facts_find(engine_environment *env, evidence *out) {
  const clauses *all = env->model->clauses;
  fact_search f = {.env = env, .all = all, .ts = env->model->terms, .known = out};
  f.facts = MEMORY_ARRAY(term_vector, all->predicates.count + 1);
  f.solver = solver_new(f.ts, env->budget);
  add_all(&f);
  for (uint32_t i = 0; i < all->predicates.count; i++) {
    VECTOR_PUSH(out->interpretation, TERM_TRUE);
    say_known(&f, i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < all->clauses.count; i++)
      if (all->clauses.at[i].head != NO_PREDICATE) changed |= make_valid(&f, &all->clauses.at[i]);
  }
  for (uint32_t i = 0; i < all->predicates.count; i++) VECTOR_FREE(f.facts[i]);
  memory_free(f.facts);
  solver_free(f.solver);
}
