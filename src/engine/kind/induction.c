/* One solver; the formula grows by a step at a time, and the bad state at its end is an assumption. That states differ
 * is said of two of them only if the solver has found a run in which they are equal. */
#include "engine/kind/induction.h"

/* Longer paths have too many pairs of states, and deeper inductions are rare. */
enum { MOST_DIFFERENCES = 400 };

struct induction {
  engine_environment *env;
  const model *model;
  terms *ts;
  unrolling *u;
  solver *solver;
  term bad;
  size_t depth;
  term_vector facts;
  term asks; /* stands for: the last state is bad */
  size_t differences;
  number *values; /* of all states of a run: depth + 1 rows */
};

static void enter_time(induction *x) {
  type truth = {.sort = SORT_BOOL};
  for (size_t i = 0; i < x->facts.count; i++) solver_assert(x->solver, unrolling_at(x->u, x->facts.at[i], x->depth));
  x->asks = term_of_variable(x->ts, variable_fresh(x->ts, "bad", &truth));
  solver_assert(x->solver, term_implies(x->ts, x->asks, unrolling_at(x->u, x->bad, x->depth)));
}

/* One step more, from a state that is not bad. */
static void deepen(induction *x) {
  solver_assert(x->solver, term_not(x->asks));
  solver_assert(x->solver, term_not(unrolling_at(x->u, x->bad, x->depth)));
  solver_assert(x->solver, unrolling_step(x->u, x->depth));
  x->depth++;
  enter_time(x);
}

induction *induction_new(engine_environment *env, unrolling *u, term bad) {
  induction *x = MEMORY_NEW(induction);
  x->env = env;
  x->model = env->model;
  x->ts = env->model->terms;
  x->u = u;
  x->bad = bad;
  x->solver = solver_new_for_assumptions(x->ts, env->budget);
  enter_time(x);
  deepen(x);
  return x;
}

void induction_free(induction *x) {
  if (!x) return;
  solver_free(x->solver);
  VECTOR_FREE(x->facts);
  memory_free(x->values);
  memory_free(x);
}

size_t induction_depth(const induction *x) { return x->depth; }
bool induction_needs_distinct_states(const induction *x) { return x->differences > 0; }
const solver_statistics *induction_statistics(const induction *x) { return solver_statistics_of(x->solver); }

void induction_assume(induction *x, term fact) {
  VECTOR_PUSH(x->facts, fact);
  for (size_t i = 0; i <= x->depth; i++) solver_assert(x->solver, unrolling_at(x->u, fact, i));
}

/* The states of the run that the solver found. */
static bool read_states(induction *x) {
  size_t width = x->model->variables.count;
  variable_vector copies = {0};
  for (size_t i = 0; i <= x->depth; i++)
    for (size_t j = 0; j < width; j++) VECTOR_PUSH(copies, unrolling_variable(x->u, x->model->variables.at[j].var, i));
  x->values = memory_realloc(x->values, (copies.count + 1) * sizeof(number));
  bool read = solver_values(x->solver, copies.count, copies.at, x->values);
  VECTOR_FREE(copies);
  return read;
}

static bool same_state(const induction *x, size_t a, size_t b) {
  size_t width = x->model->variables.count;
  for (size_t i = 0; i < width; i++)
    if (!number_equal(x->values[a * width + i], x->values[b * width + i])) return false;
  return true;
}

/* Says of two states that are equal in the run found that they differ; false if there are none. If the passes have
 * taken variables away, states of the model as read may differ in these alone: nothing is said then. */
static bool forbid_cycle(induction *x) {
  if (!x->env->is_whole || x->differences >= MOST_DIFFERENCES || !read_states(x)) return false;
  for (size_t i = 0; i < x->depth; i++)
    for (size_t j = i + 1; j < x->depth; j++) /* the last state is bad, and no other */
      if (same_state(x, i, j)) {
        solver_assert(x->solver, unrolling_differ(x->u, i, j));
        x->differences++;
        return true;
      }
  return false;
}

answer induction_ask(induction *x) {
  for (;;) {
    answer a = solver_check_assuming(x->solver, 1, &x->asks, 0);
    if (!answer_is_yes(a)) return a;
    if (forbid_cycle(x)) continue;
    deepen(x);
    return a;
  }
}
