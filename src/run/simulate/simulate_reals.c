/* Each step shuffles the transitions and takes the first that can be taken. Values that are free (at first, and of
 * inputs, as how long time passes) are asked of a solver: near zero, or at a bound of the condition or in the
 * middle between two, if that is possible. */
#include "run/simulate/simulate_reals.h"

#include "base/random.h"
#include "model/trace.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "term/substitute.h"

enum { WISHES = 4, WIDEST_WISH = 10, MOST_VARIABLES_WISHED = 64 };

typedef struct real_simulation {
  model *model;
  solver *solver;
  random_source random;
  number_vector state, inputs, assignment;
} real_simulation;

/* ---- values ---- */

/* The value at which the conjunct `t`, if it speaks of `v` alone, becomes true or false. */
static bool bound_of(const terms *ts, term t, variable v, number *out) {
  term_kind kind = term_kind_of(ts, t);
  if (kind != TERM_LE && kind != TERM_EQ) return false;
  linear sum = term_linear(ts, term_argument(ts, t, 0));
  if (sum.count != 1 || !term_mentions(ts, sum.leaves[0], v)) return false;
  term_kind leaf = term_kind_of(ts, sum.leaves[0]);
  if (leaf != TERM_REAL_VARIABLE && leaf != TERM_INT_VARIABLE) return false;
  *out = number_quotient(number_negate(sum.constant), sum.coefficients[0]);
  return leaf == TERM_REAL_VARIABLE || number_is_integer(*out);
}

static void find_bounds(const terms *ts, term condition, variable v, number_vector *out) {
  term_vector parts = {0};
  number bound;
  term_conjuncts(ts, condition, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (bound_of(ts, parts.at[i], v, &bound)) VECTOR_PUSH(*out, bound);
  VECTOR_FREE(parts);
}

/* A bound, or the middle between two. */
static number number_at_bounds(real_simulation *s, const number_vector *bounds) {
  number one = bounds->at[random_below(&s->random, bounds->count)],
         other = bounds->at[random_below(&s->random, bounds->count)];
  return number_quotient(number_add(one, other), number_of(2));
}

static number random_number(real_simulation *s, const type *of, const number_vector *bounds) {
  if (of->sort == SORT_BOOL) return number_of((int64_t)random_below(&s->random, 2));
  number near = number_of(random_between(&s->random, -WIDEST_WISH, WIDEST_WISH));
  if (bounds->count && random_below(&s->random, 2)) near = number_at_bounds(s, bounds);
  if (of->sort == SORT_INT) return number_floor(near);
  return number_is_integer(near) && random_below(&s->random, 2) ? number_quotient(near, number_of(2)) : near;
}

/* Fixes `v` to a random value if the solver finds that possible. True if it is fixed. */
static bool wish(real_simulation *s, term condition, variable v, number *out) {
  terms *ts = s->model->terms;
  number_vector bounds = {0};
  bool is_fixed = false;
  find_bounds(ts, condition, v, &bounds);
  for (int i = 0; i < WISHES && !is_fixed; i++) {
    *out = random_number(s, variable_type(ts, v), &bounds);
    solver_push(s->solver);
    solver_assert(s->solver, fixed_term(ts, v, *out));
    is_fixed = answer_is_yes(solver_check(s->solver, 0));
    if (!is_fixed) solver_pop(s->solver);
  }
  VECTOR_FREE(bounds);
  return is_fixed;
}

/* Values of `variables` that satisfy `condition`. NULL if they were found, else why not. */
static const char *choose(real_simulation *s, term condition, size_t count, const variable *variables, number *out,
                          bool *impossible) {
  size_t depth = 1;
  solver_push(s->solver);
  solver_assert(s->solver, condition);
  answer a = solver_check(s->solver, 0);
  *impossible = answer_is_no(a);
  bool *fixed = MEMORY_ARRAY(bool, count + 1);
  for (size_t i = 0; i < count && i < MOST_VARIABLES_WISHED && answer_is_yes(a); i++)
    depth += fixed[i] = wish(s, condition, variables[i], &out[i]);
  if (answer_is_yes(a)) a = solver_check(s->solver, 0);
  for (size_t i = 0; i < count && answer_is_yes(a); i++)
    if (!fixed[i]) out[i] = solver_value(s->solver, variables[i]);
  while (depth--) solver_pop(s->solver);
  memory_free(fixed);
  if (answer_is_yes(a)) return NULL;
  return answer_is_no(a) ? "nothing satisfies it" : a.reason;
}

/* ---- steps ---- */

static void add_step(const real_simulation *s, evidence *out, uint32_t transition_index, size_t input_count) {
  trace_step made = {.transition = transition_index};
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(made.inputs, s->inputs.at[i]);
  for (size_t i = 0; i < s->model->variables.count; i++) VECTOR_PUSH(made.values, s->state.at[i]);
  VECTOR_PUSH(out->steps, made);
}

static char *start(real_simulation *s, evidence *out) {
  const model *m = s->model;
  variable_vector all = {0};
  bool impossible;
  for (size_t i = 0; i < m->variables.count; i++) {
    VECTOR_PUSH(all, m->variables.at[i].var);
    VECTOR_PUSH(s->state, number_of(0));
  }
  const char *problem = choose(s, m->init, all.count, all.at, s->state.at, &impossible);
  VECTOR_FREE(all);
  if (problem && impossible) return memory_copy_string("there is no initial state");
  if (problem) return text_format("no initial state was found: %s", problem);
  add_step(s, out, 0, 0);
  return NULL;
}

static term in_state(real_simulation *s, term t) {
  terms *ts = s->model->terms;
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < s->model->variables.count; i++) {
    variable v = s->model->variables.at[i].var;
    bool is_bool = variable_type(ts, v)->sort == SORT_BOOL;
    number n = s->state.at[i];
    substitution_set(by, v, is_bool ? term_of_bool(!number_is(n, 0)) : term_number(ts, n));
  }
  term here = substitution_apply(by, t);
  substitution_free(by);
  return here;
}

static bool holds(const real_simulation *s, term t) {
  return number_is(term_evaluate(s->model->terms, t, s->assignment.at), 1);
}

/* Inputs with which the guard holds; false if there are none. */
static bool choose_inputs(real_simulation *s, const transition *t, const char **problem) {
  bool impossible = false;
  VECTOR_CLEAR(s->inputs);
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(s->inputs, number_of(0));
  if (t->inputs.count) {
    term guard = in_state(s, t->guard);
    if (term_is_false(guard)) return false;
    for (size_t i = 0; i < t->inputs.count; i++)
      guard = term_and(s->model->terms, guard, variable_in_type(s->model->terms, t->inputs.at[i]));
    const char *why = choose(s, guard, t->inputs.count, t->inputs.at, s->inputs.at, &impossible);
    if (why && !impossible) *problem = why;
    if (why) return false;
  }
  trace_assignment(s->model, s->state.at, t, s->inputs.at, &s->assignment);
  return true;
}

/* The fault that holds with the inputs that were chosen; or the number of faults. */
static size_t find_fault(const real_simulation *s, const transition *t) {
  size_t i = 0;
  while (i < t->faults.count && !holds(s, t->faults.at[i].when)) i++;
  return i;
}

static void take(real_simulation *s, const transition *t) {
  const model *m = s->model;
  number_vector next = {0};
  for (size_t i = 0; i < m->variables.count; i++)
    VECTOR_PUSH(next, term_evaluate(m->terms, transition_value_after(m, t, m->variables.at[i].var), s->assignment.at));
  VECTOR_FREE(s->state);
  s->state = next;
}

static void shuffle(real_simulation *s, size_t count, size_t *order) {
  for (size_t i = count; i > 1; i--) {
    size_t j = random_below(&s->random, i), swapped = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swapped;
  }
}

static GIVE char *report_fault(const real_simulation *s, uint32_t index, size_t fault, evidence *out) {
  const transition *t = &s->model->transitions.at[index];
  out->fault_transition = index;
  out->fault = (uint32_t)fault;
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(out->fault_inputs, s->inputs.at[i]);
  return text_format("run-time error in %s: %s", t->name, t->faults.at[fault].what);
}

/* NULL after a step, else why there was none. */
static char *step(real_simulation *s, evidence *out, size_t *order) {
  const char *problem = NULL;
  shuffle(s, s->model->transitions.count, order);
  for (size_t i = 0; i < s->model->transitions.count; i++) {
    const transition *t = &s->model->transitions.at[order[i]];
    if (!choose_inputs(s, t, &problem)) continue;
    size_t fault = find_fault(s, t);
    if (fault < t->faults.count) return report_fault(s, (uint32_t)order[i], fault, out);
    if (!holds(s, t->guard)) continue;
    take(s, t);
    add_step(s, out, (uint32_t)order[i], t->inputs.count);
    return NULL;
  }
  return problem ? text_format("no step was found: %s", problem)
                 : memory_copy_string("deadlock: no action can be taken");
}

char *simulate_reals(model *m, const options *o, budget *b, evidence *out) {
  real_simulation s = {.model = m, .solver = solver_new(m->terms, b), .random = {o->seed}};
  size_t *order = MEMORY_ARRAY(size_t, m->transitions.count + 1);
  *out = (evidence){.kind = EVIDENCE_TRACE};
  for (size_t i = 0; i < m->transitions.count; i++) order[i] = i;
  char *ending = start(&s, out);
  for (uint64_t i = 0; i < o->steps && !ending; i++) {
    const char *spent = budget_spent(b);
    ending = spent ? memory_copy_string(spent) : step(&s, out, order);
  }
  memory_free(order);
  VECTOR_FREE(s.state);
  VECTOR_FREE(s.inputs);
  VECTOR_FREE(s.assignment);
  solver_free(s.solver);
  return ending;
}
