/* Clauses as guarded commands.
 *
 * A clause is first written over the parameters of its body and, for its head, their values after the step. Equalities
 * are solved for everything that is no parameter. Where that comes to a halt, a disjunction, an equivalence or an
 * if-then-else that speaks of what is still unknown is split, and solving goes on in each case. What then remains
 * unknown is a free choice. */
#include "input/chc/lower.h"

/* Of one clause, and of all. Beyond that a clause keeps what is left of its disjunctions in its guard, and has inputs.
 */
enum { CASES_OF_CLAUSE = 128, CASES_IN_ALL = 20000 };

typedef struct open_case {
  term guard;
  term_vector values;
} open_case;

typedef struct splitting {
  chc_lowering *l;
  VECTOR(open_case) pending, done;
} splitting;

static bool mentions_free(const chc_lowering *l, term t) {
  variable_vector inside = {0};
  term_variables(l->ts, 1, &t, &inside);
  bool found = false;
  for (size_t i = 0; i < inside.count && !found; i++) found = lower_is_free(l, inside.at[i]);
  VECTOR_FREE(inside);
  return found;
}

/* An if-then-else among the leaves of an atom: one alternative with each of its branches. */
static void alternatives_of_atom(terms *ts, term atom, term_vector *out) {
  term sum = term_argument(ts, atom, 0), leaf = TERM_TRUE;
  linear l = term_linear(ts, sum);
  number c = number_of(0);
  for (size_t i = 0; i < l.count && number_is(c, 0); i++)
    if (term_kind_of(ts, l.leaves[i]) == TERM_INT_ITE) leaf = l.leaves[i], c = l.coefficients[i];
  if (number_is(c, 0)) return;
  term rest = term_sub(ts, sum, term_scale(ts, c, leaf)), condition = term_argument(ts, leaf, 0);
  for (size_t i = 1; i <= 2; i++) {
    term with = term_add(ts, rest, term_scale(ts, c, term_argument(ts, leaf, i))), zero = term_int(ts, 0);
    term made = term_kind_of(ts, atom) == TERM_EQ ? term_eq(ts, with, zero) : term_le(ts, with, zero);
    if (term_is_negated(atom)) made = term_not(made);
    VECTOR_PUSH(*out, term_and(ts, i == 1 ? condition : term_not(condition), made));
  }
}

/* The alternatives that a conjunct offers; none where it is a literal. */
static void alternatives(terms *ts, term conjunct, term_vector *out) {
  bool is_negated = term_is_negated(conjunct);
  term_kind kind = term_kind_of(ts, conjunct);
  if (kind == TERM_AND && is_negated) {
    term_disjuncts(ts, conjunct, out);
  } else if (kind == TERM_IFF) {
    term a = term_argument(ts, conjunct, 0), b = term_argument(ts, conjunct, 1);
    if (is_negated) b = term_not(b);
    VECTOR_PUSH(*out, term_and(ts, a, b));
    VECTOR_PUSH(*out, term_and(ts, term_not(a), term_not(b)));
  } else if (kind == TERM_BOOL_ITE) {
    term c = term_argument(ts, conjunct, 0), a = term_argument(ts, conjunct, 1), b = term_argument(ts, conjunct, 2);
    VECTOR_PUSH(*out, term_and(ts, c, is_negated ? term_not(a) : a));
    VECTOR_PUSH(*out, term_and(ts, term_not(c), is_negated ? term_not(b) : b));
  } else if (kind == TERM_EQ || kind == TERM_LE) {
    alternatives_of_atom(ts, conjunct, out);
  }
}

/* The conjunct with the fewest alternatives among those that speak of something unknown. */
static bool choose_split(const chc_lowering *l, const term_vector *conjuncts, size_t *which, term_vector *best) {
  bool found = false;
  for (size_t i = 0; i < conjuncts->count && !(found && best->count <= 2); i++) {
    term_vector offered = {0};
    if (mentions_free(l, conjuncts->at[i])) alternatives(l->ts, conjuncts->at[i], &offered);
    if (offered.count > 1 && (!found || offered.count < best->count)) {
      VECTOR_FREE(*best);
      *best = offered;
      *which = i;
      found = true;
    } else {
      VECTOR_FREE(offered);
    }
  }
  return found;
}

static void push_alternative(splitting *s, const open_case *from, const term_vector *conjuncts, size_t which, term by) {
  term_vector parts = {0};
  open_case made = {0};
  for (size_t i = 0; i < conjuncts->count; i++) VECTOR_PUSH(parts, i == which ? by : conjuncts->at[i]);
  made.guard = term_and_all(s->l->ts, parts.count, parts.at);
  for (size_t i = 0; i < from->values.count; i++) VECTOR_PUSH(made.values, from->values.at[i]);
  VECTOR_PUSH(s->pending, made);
  VECTOR_FREE(parts);
}

/* True where the case was replaced by others. */
static bool split(splitting *s, const open_case *c) {
  chc_lowering *l = s->l;
  term_vector conjuncts = {0}, offered = {0};
  size_t which = 0;
  term_conjuncts(l->ts, c->guard, &conjuncts);
  bool found = choose_split(l, &conjuncts, &which, &offered);
  bool fits =
      found && s->pending.count + s->done.count + offered.count <= CASES_OF_CLAUSE && l->cases.count < CASES_IN_ALL;
  for (size_t i = 0; i < offered.count && fits; i++) push_alternative(s, c, &conjuncts, which, offered.at[i]);
  VECTOR_FREE(conjuncts);
  VECTOR_FREE(offered);
  return fits;
}

static void finish_splitting(splitting *s) {
  while (s->pending.count) {
    open_case c = VECTOR_POP(s->pending);
    lower_solve(s->l, &c.guard, c.values.count, c.values.at, false);
    bool goes_on = !term_is_false(c.guard) && split(s, &c);
    if (goes_on || term_is_false(c.guard)) {
      VECTOR_FREE(c.values);
      continue;
    }
    lower_solve(s->l, &c.guard, c.values.count, c.values.at, true);
    lower_project(s->l, &c.guard, c.values.count, c.values.at);
    if (term_is_false(c.guard))
      VECTOR_FREE(c.values);
    else
      VECTOR_PUSH(s->done, c);
  }
}

/* ---- from clauses to cases ---- */

static term parameter_term(const chc_lowering *l, uint32_t predicate, size_t i) {
  return term_of_variable(l->ts, l->clauses->predicates.at[predicate].parameters.at[i]);
}

static term parameter_after(const chc_lowering *l, uint32_t predicate, size_t i) {
  return term_of_variable(l->ts, variable_next(l->ts, l->clauses->predicates.at[predicate].parameters.at[i]));
}

static bool is_step(const chc_lowering *l, const clause *c) {
  return c->body != NO_PREDICATE && c->head != NO_PREDICATE && l->fates.at[c->head] == FATE_PLACE;
}

/* The clause over parameters: of the body, and for a step of the head after it; for a fact of the head. */
static open_case open_clause(const chc_lowering *l, const clause *c) {
  terms *ts = l->ts;
  open_case made = {0};
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; i < c->body_arguments.count; i++)
    VECTOR_PUSH(parts, term_eq(ts, parameter_term(l, c->body, i), c->body_arguments.at[i]));
  bool steps = is_step(l, c),
       is_fact = c->body == NO_PREDICATE && c->head != NO_PREDICATE && l->fates.at[c->head] == FATE_PLACE;
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
        value = term_number(ts, number_negate(sum.constant)); /* the coefficient is 1 in an equality with one leaf */
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
  splitting s = {.l = l};
  VECTOR_PUSH(s.pending, open_clause(l, c));
  finish_splitting(&s);
  bool to_place = c->head != NO_PREDICATE && l->fates.at[c->head] == FATE_PLACE;
  for (size_t i = s.done.count; i-- > 0;) { /* the first alternative was taken last */
    open_case *o = &s.done.at[i];
    clause_case made = {.clause = index, .from = c->body, .to = to_place ? c->head : NO_PREDICATE, .guard = o->guard};
    for (size_t j = 0; j < o->values.count; j++) VECTOR_PUSH(made.values, o->values.at[j]);
    find_inputs(l, &made);
    if (made.from == NO_PREDICATE && made.to != NO_PREDICATE) add_fixed_values(l, &made);
    VECTOR_PUSH(l->cases, made);
    VECTOR_FREE(o->values);
  }
  VECTOR_FREE(s.pending);
  VECTOR_FREE(s.done);
}

static bool is_relevant(const chc_lowering *l, const clause *c) {
  bool from_place = c->body == NO_PREDICATE || l->fates.at[c->body] == FATE_PLACE;
  bool to_query = c->head == NO_PREDICATE || l->forbidden.at[c->head];
  return from_place && (to_query || l->fates.at[c->head] == FATE_PLACE);
}

void lower_cases(chc_lowering *l) {
  for (size_t i = 0; i < l->clauses->clauses.count; i++)
    if (is_relevant(l, &l->clauses->clauses.at[i])) lower_clause(l, (uint32_t)i);
}
