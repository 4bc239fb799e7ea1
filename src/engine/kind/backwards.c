/* Backwards from the bad states, a step at a time. A step without inputs is a substitution. For one with inputs a solver
 * finds a state and inputs; those are put in as they are, or as what equations say that they are in terms of the state,
 * which gives more states; and so on until there is no other. */
#include "engine/kind/backwards.h"

#include "term/evaluate.h"
#include "term/substitute.h"

/* More pieces, or larger formulas, are not worth it: an invariant of that size is hardly checked. */
enum { MOST_PIECES = 40, MOST_TERMS = 200000 };

typedef struct backwards {
  engine_environment *env;
  const model *model;
  terms *ts;
  solver *solver;
  term known; /* bad states, and those from which one is reached in the steps so far */
  size_t pieces;
  number_vector values; /* by variable */
} backwards;

static void inputs_of(const backwards *b, term f, variable_vector *out) {
  variable_vector inside = {0};
  term_variables(b->ts, 1, &f, &inside);
  for (size_t i = 0; i < inside.count; i++)
    if (!model_is_state_variable(b->model, inside.at[i])) VECTOR_PUSH(*out, inside.at[i]);
  VECTOR_FREE(inside);
}

static void read_values(backwards *b, term f) {
  variable_vector inside = {0};
  while (b->values.count < variable_count(b->ts)) VECTOR_PUSH(b->values, number_of(0));
  term_variables(b->ts, 1, &f, &inside);
  for (size_t i = 0; i < inside.count; i++) b->values.at[inside.at[i].x] = solver_value(b->solver, inside.at[i]);
  VECTOR_FREE(inside);
}

static bool is_true(const backwards *b, term t) { return number_is(term_evaluate(b->ts, t, b->values.at), 1); }

static bool has_input(const backwards *b, term t) {
  variable_vector inputs = {0};
  inputs_of(b, t, &inputs);
  bool found = inputs.count > 0;
  VECTOR_FREE(inputs);
  return found;
}

/* The equations of the formula that hold under the values. */
static void true_equations(const backwards *b, term f, term_vector *out) {
  term_vector atoms = {0};
  term_atoms(b->ts, f, &atoms);
  for (size_t i = 0; i < atoms.count; i++)
    if (term_kind_of(b->ts, atoms.at[i]) == TERM_EQ && is_true(b, atoms.at[i])) VECTOR_PUSH(*out, atoms.at[i]);
  VECTOR_FREE(atoms);
}

/* The equation gives the input in terms of the state. */
static bool solved_by(const backwards *b, term atom, variable v, term *out) {
  terms *ts = b->ts;
  term self = term_of_variable(ts, v);
  linear l = term_linear(ts, term_argument(ts, atom, 0));
  for (size_t i = 0; i < l.count; i++) {
    if (!term_same(l.leaves[i], self)) continue;
    number c = l.coefficients[i];
    *out = term_add(ts, self, term_scale(ts, number_quotient(number_of(-1), c), term_argument(ts, atom, 0)));
    return sort_fits(term_sort(ts, *out), variable_type(ts, v)->sort) && !has_input(b, *out);
  }
  return false;
}

/* What the input is in the states around the one found: what an equation says or, else, its value. */
static term choice_for(const backwards *b, const term_vector *equations, variable v) {
  term value;
  for (size_t i = 0; i < equations->count; i++)
    if (solved_by(b, equations->at[i], v, &value)) return value;
  number n = b->values.at[v.x];
  return variable_type(b->ts, v)->sort == SORT_BOOL ? term_of_bool(!number_is(n, 0)) : term_number(b->ts, n);
}

/* The states from which `f` holds for inputs that are chosen as in the one that the solver has found. */
static term piece_of(backwards *b, term f, const variable_vector *inputs) {
  term_vector equations = {0};
  read_values(b, f);
  true_equations(b, f, &equations);
  substitution *chosen = substitution_new(b->ts);
  for (size_t i = 0; i < inputs->count; i++)
    substitution_set(chosen, inputs->at[i], choice_for(b, &equations, inputs->at[i]));
  term piece = substitution_apply(chosen, f);
  substitution_free(chosen);
  VECTOR_FREE(equations);
  return piece;
}

/* `*found` or those states from which `f` holds for some inputs. */
static bool eliminate(backwards *b, term f, const variable_vector *inputs, term *found) {
  bool fine = true, more = true;
  for (size_t i = 0; i < inputs->count; i++) f = term_and(b->ts, f, variable_in_type(b->ts, inputs->at[i]));
  solver_push(b->solver);
  solver_assert(b->solver, term_and(b->ts, f, term_not(term_or(b->ts, b->known, *found))));
  while (fine && more) {
    answer a = solver_check(b->solver, 0);
    more = answer_is_yes(a);
    fine = !answer_is_unsure(a) && !budget_spent(b->env->budget);
    if (!fine || !more) break;
    term piece = piece_of(b, f, inputs);
    fine = is_true(b, piece) && ++b->pieces <= MOST_PIECES;
    *found = term_or(b->ts, *found, piece);
    solver_assert(b->solver, term_not(piece));
  }
  solver_pop(b->solver);
  return fine;
}

/* The states from which one of `target` is reached by the transition. */
static bool step_back(backwards *b, const transition *t, term target, term *found) {
  substitution *after = substitution_new(b->ts);
  variable_vector inputs = {0};
  for (size_t i = 0; i < t->updates.count; i++) substitution_set(after, t->updates.at[i].var, t->updates.at[i].value);
  term f = term_and(b->ts, transition_enabled(b->model, t), substitution_apply(after, target));
  substitution_free(after);
  inputs_of(b, f, &inputs);
  bool fine = true;
  if (inputs.count)
    fine = eliminate(b, f, &inputs, found);
  else
    *found = term_or(b->ts, *found, f);
  VECTOR_FREE(inputs);
  return fine;
}

bool backwards_invariant(engine_environment *env, term bad, size_t k, term *out) {
  backwards b = {.env = env, .model = env->model, .ts = env->model->terms, .known = bad};
  b.solver = solver_new(b.ts, env->budget);
  term target = bad;
  bool fine = true;
  for (size_t i = 1; i < k && fine; i++) {
    term found = TERM_FALSE;
    size_t before = terms_count(b.ts);
    for (size_t j = 0; j < b.model->transitions.count && fine; j++) {
      fine = step_back(&b, &b.model->transitions.at[j], target, &found);
      fine = fine && terms_count(b.ts) - before < MOST_TERMS;
    }
    b.known = term_or(b.ts, b.known, found);
    target = found;
  }
  *out = term_not(b.known);
  solver_free(b.solver);
  VECTOR_FREE(b.values);
  return fine;
}
