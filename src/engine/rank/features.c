/* Numbers, values of finite types, and numbers by place and by case. */
#include "engine/rank/features.h"

#include "term/fold.h"

/* More would make every question slow. */
enum { MOST_VALUES = 64, FEW_VALUES = 8, MOST_CASES = 3, MOST_FEATURES = 200 };

static term if_holds(terms *ts, term condition, term value) { return term_ite(ts, condition, value, term_int(ts, 0)); }

static bool is_place(const model *m, const state_variable *v) {
  const type *of = variable_type(m->terms, v->var);
  return v->role == ROLE_LOCATION || (of->sort == SORT_INT && of->name_count > 0);
}

static void add_values(const model *m, variable v, term_vector *out) {
  terms *ts = m->terms;
  type of = *variable_type(ts, v);
  int64_t low, high;
  if (!number_to_int64(of.low, &low) || !number_to_int64(of.high, &high)) return;
  for (int64_t i = low; i <= high; i++)
    VECTOR_PUSH(*out, if_holds(ts, term_eq(ts, term_of_variable(ts, v), term_int(ts, i)), term_int(ts, 1)));
}

static void add_plain(const model *m, term_vector *out) {
  terms *ts = m->terms;
  VECTOR_PUSH(*out, term_int(ts, 1));
  for (size_t i = 0; i < m->variables.count; i++) {
    const state_variable *v = &m->variables.at[i];
    const type *of = variable_type(ts, v->var);
    if (of->sort == SORT_BOOL)
      VECTOR_PUSH(*out, if_holds(ts, term_of_variable(ts, v->var), term_int(ts, 1)));
    else if (of->sort == SORT_INT && !is_place(m, v))
      VECTOR_PUSH(*out, term_of_variable(ts, v->var));
    if (of->sort == SORT_INT && type_is_finite(of) &&
        type_size(of, MOST_VALUES + 1) <= (is_place(m, v) ? MOST_VALUES : FEW_VALUES))
      add_values(m, v->var, out);
  }
}

static void numbers_of(const model *m, term_vector *out) {
  for (size_t i = 0; i < m->variables.count; i++) {
    const state_variable *v = &m->variables.at[i];
    if (variable_type(m->terms, v->var)->sort == SORT_INT && !is_place(m, v))
      VECTOR_PUSH(*out, term_of_variable(m->terms, v->var));
  }
}

/* Each number where each condition holds. */
static void add_by_condition(const model *m, const term_vector *conditions, term_vector *out) {
  term_vector numbers = {0};
  numbers_of(m, &numbers);
  if (numbers.count * conditions->count + out->count <= MOST_FEATURES)
    for (size_t i = 0; i < conditions->count; i++)
      for (size_t j = 0; j < numbers.count; j++)
        VECTOR_PUSH(*out, if_holds(m->terms, conditions->at[i], numbers.at[j]));
  VECTOR_FREE(numbers);
}

static void add_tests(terms *ts, variable v, term_vector *out) {
  type of = *variable_type(ts, v);
  int64_t low, high;
  if (!of.has_low || !of.has_high || !number_to_int64(of.low, &low) || !number_to_int64(of.high, &high)) return;
  for (int64_t i = low; i <= high && i - low < MOST_VALUES; i++)
    VECTOR_PUSH(*out, term_eq(ts, term_of_variable(ts, v), term_int(ts, i)));
}

void features_places(const model *m, term_vector *out) {
  for (size_t i = 0; i < m->variables.count; i++)
    if (is_place(m, &m->variables.at[i])) add_tests(m->terms, m->variables.at[i].var, out);
}

/* The tests for the values of the one place that there is; none if there are several. */
static void place_values(const model *m, term_vector *out) {
  size_t places = 0;
  for (size_t i = 0; i < m->variables.count; i++) places += is_place(m, &m->variables.at[i]);
  if (places == 1) features_places(m, out);
}

/* ---- cases ---- */

/* About numbers that are no places, and no inputs. */
static bool is_case(const model *m, term atom) {
  variable_vector inside = {0};
  term_variables(m->terms, 1, &atom, &inside);
  bool fits = inside.count > 0;
  for (size_t i = 0; i < inside.count && fits; i++) {
    fits = model_is_state_variable(m, inside.at[i]) && variable_type(m->terms, inside.at[i])->sort == SORT_INT;
    for (size_t j = 0; j < m->variables.count && fits; j++)
      if (variable_same(m->variables.at[j].var, inside.at[i])) fits = !is_place(m, &m->variables.at[j]);
  }
  VECTOR_FREE(inside);
  return fits;
}

static void add_case(const model *m, term atom, term_vector *out) {
  atom = term_positive(atom);
  bool is_new = out->count < MOST_CASES && !term_is_true(atom) && is_case(m, atom);
  for (size_t i = 0; i < out->count && is_new; i++) is_new = out->at[i].x != atom.x;
  if (is_new) VECTOR_PUSH(*out, atom);
}

void features_cases(const model *m, term open, term_vector *out) {
  terms *ts = m->terms;
  term_vector atoms = {0};
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++) {
      update u = m->transitions.at[i].updates.at[j];
      if (variable_type(ts, u.var)->sort != SORT_INT || term_sort(ts, u.value) != SORT_INT) continue;
      term added = term_sub(ts, u.value, term_of_variable(ts, u.var));
      if (!term_is_number(ts, added, NULL)) add_case(m, term_lt(ts, added, term_int(ts, 0)), out);
    }
  for (size_t i = 0; i < m->transitions.count; i++) term_atoms(ts, m->transitions.at[i].guard, &atoms);
  term_atoms(ts, open, &atoms);
  for (size_t i = 0; i < atoms.count; i++) add_case(m, atoms.at[i], out);
  VECTOR_FREE(atoms);
}

static void add_by_case(const model *m, const term_vector *cases, term_vector *out) {
  terms *ts = m->terms;
  term_vector values = {0}, both = {0};
  place_values(m, &values);
  for (size_t i = 0; i < cases->count; i++) {
    term sides[2] = {cases->at[i], term_not(cases->at[i])};
    for (size_t k = 0; k < 2; k++) {
      VECTOR_PUSH(both, sides[k]);
      VECTOR_PUSH(*out, if_holds(ts, sides[k], term_int(ts, 1)));
      for (size_t j = 0; j < values.count && out->count < MOST_FEATURES; j++)
        VECTOR_PUSH(*out, if_holds(ts, term_and(ts, sides[k], values.at[j]), term_int(ts, 1)));
    }
  }
  add_by_condition(m, &both, out);
  VECTOR_FREE(values);
  VECTOR_FREE(both);
}

void features_of(const model *m, feature_level level, const term_vector *cases, term_vector *out) {
  term_vector values = {0};
  add_plain(m, out);
  place_values(m, &values);
  if (level >= FEATURES_BY_PLACE) add_by_condition(m, &values, out);
  if (level >= FEATURES_BY_CASE) add_by_case(m, cases, out);
  VECTOR_FREE(values);
}
