/* Clauses as guarded commands.
 *
 * A clause is first written over the parameters of its body and, for its head, their values after the step. Equalities
 * are solved for everything that is no parameter. If that comes to a halt the clause is split into cases (split.c),
 * and if those would be too many, values that depend on conditions become if-then-else (define.c). What then remains
 * unknown is a free choice. */
#include "input/chc/lower.h"

/* Of all clauses. Beyond that they keep their disjunctions. */
enum { CASES_IN_ALL = 20000 };

static void finish_case(chc_lowering *l, open_case *c, open_cases *out) {
  lower_solve(l, &c->guard, c->values.count, c->values.at, true);
  lower_settle(l, c);
  lower_project(l, &c->guard, c->values.count, c->values.at);
  if (term_is_false(c->guard))
    VECTOR_FREE(c->values);
  else
    VECTOR_PUSH(*out, *c);
}

/* The cases of one clause, which is taken. */
static void split_clause(chc_lowering *l, open_case whole, open_cases *out) {
  open_cases split = {0};
  if (l->cases.count < CASES_IN_ALL) {
    lower_split(l, &whole, &split);
    VECTOR_FREE(whole.values);
  } else {
    lower_define(l, &whole);
    VECTOR_PUSH(split, whole);
  }
  for (size_t i = 0; i < split.count; i++) finish_case(l, &split.at[i], out);
  VECTOR_FREE(split);
}

/* ---- from clauses to cases ---- */

static term parameter_term(const chc_lowering *l, uint32_t predicate, size_t i) {
  return term_of_variable(l->ts, l->clauses->predicates.at[predicate].parameters.at[i]);
}

static term parameter_after(const chc_lowering *l, uint32_t predicate, size_t i) {
  return term_of_variable(l->ts, variable_next(l->ts, l->clauses->predicates.at[predicate].parameters.at[i]));
}

static bool is_step(const chc_lowering *l, const clause *c) {
  return c->body.count && c->head != NO_PREDICATE && l->meanings.at[c->head] == MEANING_PLACE;
}

/* The clause over parameters: of the body, and for a step of the head after it; for a fact of the head. */
static open_case open_clause(const chc_lowering *l, const clause *c) {
  terms *ts = l->ts;
  open_case made = {0};
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; c->body.count && i < c->body.at[0].arguments.count; i++)
    VECTOR_PUSH(parts, term_eq(ts, parameter_term(l, lower_body(c), i), c->body.at[0].arguments.at[i]));
  bool steps = is_step(l, c),
       is_fact = !c->body.count && c->head != NO_PREDICATE && l->meanings.at[c->head] == MEANING_PLACE;
  for (size_t i = 0; i < c->head_arguments.count && (steps || is_fact); i++) {
    term after = steps ? parameter_after(l, c->head, i) : parameter_term(l, c->head, i);
    VECTOR_PUSH(parts, term_eq(ts, after, c->head_arguments.at[i]));
    if (steps) VECTOR_PUSH(made.values, after);
  }
  made.guard = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return made;
}

/* The constant that the guard of a fact gives a parameter, or the parameter. */
static void add_fixed_values(const chc_lowering *l, clause_case *c) {
  terms *ts = l->ts;
  const variable_vector *parameters = &l->clauses->predicates.at[c->to].parameters;
  term_vector conjuncts = {0};
  term_conjuncts(ts, c->guard, &conjuncts);
  for (size_t i = 0; i < parameters->count; i++) {
    term value = term_of_variable(ts, parameters->at[i]);
    for (size_t j = 0; j < conjuncts.count; j++) {
      term t = conjuncts.at[j];
      if (term_same(term_positive(t), value)) value = term_of_bool(!term_is_negated(t));
      if (term_kind_of(ts, t) != TERM_EQ || term_is_negated(t)) continue;
      linear sum = term_linear(ts, term_argument(ts, t, 0));
      if (sum.count == 1 && term_same(sum.leaves[0], value)) {
        value = term_number(ts, number_quotient(number_negate(sum.constant), sum.coefficients[0]));
        break;
      }
    }
    VECTOR_PUSH(c->values, value);
  }
  VECTOR_FREE(conjuncts);
}

static void find_inputs(const chc_lowering *l, clause_case *c) {
  term_vector all = {0};
  variable_vector inside = {0};
  VECTOR_PUSH(all, c->guard);
  for (size_t i = 0; i < c->values.count; i++) VECTOR_PUSH(all, c->values.at[i]);
  term_variables(l->ts, all.count, all.at, &inside);
  for (size_t i = 0; i < inside.count; i++)
    if (lower_is_free(l, inside.at[i])) VECTOR_PUSH(c->inputs, inside.at[i]);
  VECTOR_FREE(all);
  VECTOR_FREE(inside);
}

static void lower_clause(chc_lowering *l, uint32_t index) {
  const clause *c = &l->clauses->clauses.at[index];
  open_cases split = {0};
  split_clause(l, open_clause(l, c), &split);
  bool to_place = c->head != NO_PREDICATE && l->meanings.at[c->head] == MEANING_PLACE;
  for (size_t i = 0; i < split.count; i++) {
    open_case *o = &split.at[i];
    clause_case made = {
        .clause = index, .from = lower_body(c), .to = to_place ? c->head : NO_PREDICATE, .guard = o->guard};
    for (size_t j = 0; j < o->values.count; j++) VECTOR_PUSH(made.values, o->values.at[j]);
    find_inputs(l, &made);
    if (made.from == NO_PREDICATE && made.to != NO_PREDICATE) add_fixed_values(l, &made);
    VECTOR_PUSH(l->cases, made);
    VECTOR_FREE(o->values);
  }
  VECTOR_FREE(split);
}

static bool is_relevant(const chc_lowering *l, const clause *c) {
  bool from_place = !c->body.count || l->meanings.at[lower_body(c)] == MEANING_PLACE;
  bool to_query = c->head == NO_PREDICATE || l->forbidden.at[c->head];
  return from_place && (to_query || l->meanings.at[c->head] == MEANING_PLACE);
}

void lower_cases(chc_lowering *l) {
  for (size_t i = 0; i < l->clauses->clauses.count; i++)
    if (is_relevant(l, &l->clauses->clauses.at[i])) lower_clause(l, (uint32_t)i);
}
