/* Equations of a clause's constraint are solved for variables, one after the other: what translators of programs write
 * is mostly such, and arrays can be seen to be what they are only then. */
#include "engine/cells/cells.h"
#include "term/substitute.h"

typedef struct solution {
  variable var;
  term by;
} solution;

static bool is_variable(const terms *ts, term t, term_kind kind) {
  return term_kind_of(ts, t) == kind && !term_is_negated(t);
}

/* One side is a variable that is not in the other. */
static bool solve_sides(const terms *ts, term left, term right, term_kind kind, solution *out) {
  for (int i = 0; i < 2; i++) {
    term side = i ? right : left, other = i ? left : right;
    if (!is_variable(ts, side, kind) || term_mentions(ts, other, term_variable(ts, side))) continue;
    *out = (solution){term_variable(ts, side), other};
    return true;
  }
  return false;
}

static bool is_alone(const terms *ts, const linear *l, size_t at, variable v) {
  for (size_t i = 0; i < l->count; i++)
    if (i != at && term_mentions(ts, l->leaves[i], v)) return false;
  return true;
}

/* A variable of the sum with a coefficient by which its value can be had: of integers 1 or -1. */
static bool solve_sum(terms *ts, term sum, solution *out) {
  linear l = term_linear(ts, sum);
  bool is_real = term_sort(ts, sum) == SORT_REAL;
  for (size_t i = 0; i < l.count; i++) {
    number k = l.coefficients[i];
    if (!is_variable(ts, l.leaves[i], is_real ? TERM_REAL_VARIABLE : TERM_INT_VARIABLE)) continue;
    variable v = term_variable(ts, l.leaves[i]);
    if (variable_type(ts, v)->names || (!is_real && !number_is(number_abs(k), 1)) || !is_alone(ts, &l, i, v)) continue;
    term scaled = term_scale(ts, number_quotient(number_of(-1), k), sum);
    *out = (solution){v, term_add(ts, scaled, term_of_variable(ts, v))};
    return true;
  }
  return false;
}

static bool solve_literal(terms *ts, term literal, solution *out) {
  switch (term_kind_of(ts, literal)) {
    case TERM_BOOL_VARIABLE:
      *out = (solution){term_variable(ts, literal), term_of_bool(!term_is_negated(literal))};
      return true;
    case TERM_IFF: {
      term right = term_argument(ts, literal, 1);
      return solve_sides(ts, term_argument(ts, literal, 0), right, TERM_BOOL_VARIABLE, out) &&
             (!term_is_negated(literal) || (out->by = term_not(out->by), true));
    }
    case TERM_ARRAY_SAME:
      return !term_is_negated(literal) &&
             solve_sides(ts, term_argument(ts, literal, 0), term_argument(ts, literal, 1), TERM_ARRAY_VARIABLE, out);
    case TERM_EQ: return !term_is_negated(literal) && solve_sum(ts, term_argument(ts, literal, 0), out);
    default: return false;
  }
}

static void replace_all(substitution *s, term_vector *all) {
  for (size_t i = 0; i < all->count; i++) all->at[i] = substitution_apply(s, all->at[i]);
}

void clause_replace(terms *ts, clause *c, variable v, term by) {
  substitution *s = substitution_new(ts);
  substitution_set(s, v, by);
  c->constraint = substitution_apply(s, c->constraint);
  for (size_t i = 0; i < c->body.count; i++) replace_all(s, &c->body.at[i].arguments);
  replace_all(s, &c->head_arguments);
  substitution_free(s);
}

static bool solve_one(terms *ts, clause *c) {
  term_vector parts = {0};
  solution found;
  bool is_solved = false;
  term_conjuncts(ts, c->constraint, &parts);
  for (size_t i = 0; i < parts.count && !is_solved; i++) {
    is_solved = solve_literal(ts, parts.at[i], &found);
    if (is_solved) parts.at[i] = TERM_TRUE;
  }
  if (is_solved) {
    c->constraint = term_and_all(ts, parts.count, parts.at);
    clause_replace(ts, c, found.var, found.by);
  }
  VECTOR_FREE(parts);
  return is_solved;
}

void clause_solve_equations(terms *ts, clause *c, budget *b) {
  while (!budget_spent(b) && solve_one(ts, c)) {
  }
}
