/* One solver with the step: before it no set found so far, after it the set at hand, as an assumption. */
#include "engine/kind/backward.h"

#include "engine/bounded.h"
#include "engine/project.h"
#include "term/substitute.h"

/* An invariant with more parts than that is of no use to anybody. */
enum { MOST_SETS = 2000 };

struct backward {
  engine_environment *env;
  const model *model;
  terms *ts;
  unrolling *u;
  solver *solver;
  term_vector sets; /* the first are the bad states */
  size_t current;   /* the set that is asked about */
  term asks;        /* stands for: the state after the step is in it */
  substitution *after;
  variable_vector read; /* state variables and inputs */
  number_vector values;
  const char *trouble;
};

/* ---- beginning ---- */

static void add_set(backward *b, term set) {
  VECTOR_PUSH(b->sets, set);
  solver_assert(b->solver, term_not(set));
}

static void ask_about(backward *b, size_t set) {
  type truth = {.sort = SORT_BOOL};
  b->current = set;
  b->asks = term_of_variable(b->ts, variable_fresh(b->ts, "after", &truth));
  solver_assert(b->solver, term_implies(b->ts, b->asks, unrolling_at(b->u, b->sets.at[set], 1)));
}

backward *backward_new(engine_environment *env, unrolling *u, term bad) {
  backward *b = MEMORY_NEW(backward);
  const model *m = env->model;
  *b = (backward){.env = env, .model = m, .ts = m->terms, .u = u};
  b->solver = solver_new_for_assumptions(b->ts, env->budget);
  b->after = substitution_new(b->ts);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(b->read, m->variables.at[i].var);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++)
      VECTOR_PUSH(b->read, m->transitions.at[i].inputs.at[j]);
  solver_assert(b->solver, unrolling_step(u, 0));
  add_set(b, bad);
  ask_about(b, 0);
  return b;
}

void backward_free(backward *b) {
  if (!b) return;
  solver_free(b->solver);
  substitution_free(b->after);
  VECTOR_FREE(b->sets);
  VECTOR_FREE(b->read);
  VECTOR_FREE(b->values);
  memory_free(b);
}

void backward_assume(backward *b, term fact) {
  solver_assert(b->solver, fact);
  solver_assert(b->solver, unrolling_at(b->u, fact, 1));
}

/* ---- one set more ---- */

static backward_end trouble(backward *b, const char *why) {
  b->trouble = why ? why : "a question could not be decided";
  return BACKWARD_TROUBLE;
}

/* The values of the step found, indexed by variable, and its transition. */
static bool read_step(backward *b, uint32_t *transition) {
  number *found = MEMORY_ARRAY(number, b->read.count + 1);
  bool fine = solver_values(b->solver, b->read.count, b->read.at, found) &&
              unrolling_read_choice(b->u, b->solver, 0, transition);
  VECTOR_CLEAR(b->values);
  for (size_t i = 0; i < variable_count(b->ts); i++) VECTOR_PUSH(b->values, number_of(0));
  for (size_t i = 0; i < b->read.count; i++) b->values.at[b->read.at[i].x] = found[i];
  memory_free(found);
  return fine;
}

/* States that can take this transition into the current set, with inputs. */
static term before(backward *b, uint32_t transition) {
  const struct transition *t = &b->model->transitions.at[transition];
  substitution_clear(b->after);
  for (size_t i = 0; i < t->updates.count; i++)
    substitution_set(b->after, t->updates.at[i].var, t->updates.at[i].value);
  return term_and(b->ts, transition_enabled(b->model, t), substitution_apply(b->after, b->sets.at[b->current]));
}

static void inputs_of(const backward *b, term f, variable_vector *out) {
  variable_vector all = {0};
  term_variables(b->ts, 1, &f, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!model_is_state_variable(b->model, all.at[i])) VECTOR_PUSH(*out, all.at[i]);
  VECTOR_FREE(all);
}

static backward_end add_predecessors(backward *b) {
  uint32_t transition = 0;
  variable_vector inputs = {0};
  term_vector literals = {0};
  if (b->sets.count >= MOST_SETS) return trouble(b, "too many sets of states lead to a bad one");
  if (!read_step(b, &transition)) return trouble(b, "a step cannot be read");
  term f = before(b, transition);
  inputs_of(b, f, &inputs);
  bool fine = project(b->ts, f, inputs.count, inputs.at, b->values.at, &literals);
  if (fine) add_set(b, term_and_all(b->ts, literals.count, literals.at));
  VECTOR_FREE(inputs);
  VECTOR_FREE(literals);
  return fine ? BACKWARD_GOES_ON : trouble(b, "a state that the solver found is not what was asked for");
}

backward_end backward_step(backward *b) {
  answer a = solver_check_assuming(b->solver, 1, &b->asks, 0);
  if (answer_is_unsure(a)) return trouble(b, a.reason);
  if (answer_is_yes(a)) return add_predecessors(b);
  if (b->current + 1 == b->sets.count) return BACKWARD_DONE;
  ask_about(b, b->current + 1);
  return BACKWARD_GOES_ON;
}

term backward_rest(const backward *b) {
  term_vector parts = {0};
  for (size_t i = 0; i < b->sets.count; i++) VECTOR_PUSH(parts, term_not(b->sets.at[i]));
  term rest = term_and_all(b->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return rest;
}

size_t backward_sets(const backward *b) { return b->sets.count; }
const char *backward_trouble(const backward *b) { return b->trouble; }
const solver_statistics *backward_statistics(const backward *b) { return solver_statistics_of(b->solver); }
