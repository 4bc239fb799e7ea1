/* A step that must not be is a query of Horn rules: if it cannot be derived, the interpretation that shows so is kept. */
#include "engine/rank/calls/call_steps.h"

#include "engine/rank/calls/call_facts.h"
#include "proof/call_ranking.h"
#include "solver/fixedpoint.h"
#include "term/substitute.h"

/* How many predecessors Spacer computes for one question. */
enum { MOST_PREDECESSORS = 200 };

struct call_steps {
  engine_environment *env;
  const model *model;
  terms *ts;
  evidence known; /* the interpretation alone */
  solver *solver;
  horn_problem problem; /* the clauses with heads; the last relation is the query, and has no rule */
  fixedpoint *fixedpoint;
  uint64_t questions;
};

static horn_atom atom_of(uint32_t relation, const term_vector *arguments) {
  horn_atom made = {.relation = relation};
  for (size_t i = 0; i < arguments->count; i++) VECTOR_PUSH(made.arguments, arguments->at[i]);
  return made;
}

static horn_rule rule_of(const clause *c, uint32_t number) {
  horn_rule made = {.constraint = c->constraint, .origin = number};
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(made.variables, c->variables.at[i]);
  for (size_t i = 0; i < c->body.count; i++)
    VECTOR_PUSH(made.body, atom_of(c->body.at[i].predicate, &c->body.at[i].arguments));
  return made;
}

call_steps *call_steps_new(engine_environment *env) {
  call_steps *s = MEMORY_NEW(call_steps);
  const clauses *all = env->model->clauses;
  *s = (call_steps){.env = env, .model = env->model, .ts = env->model->terms};
  s->solver = solver_new(s->ts, env->budget);
  call_facts_find(env, &s->known);
  for (size_t i = 0; i < all->predicates.count; i++) {
    horn_relation made = {0};
    VECTOR_COPY(made.parameters, all->predicates.at[i].parameters);
    VECTOR_PUSH(s->problem.relations, made);
  }
  s->problem.query = (uint32_t)all->predicates.count;
  VECTOR_PUSH(s->problem.relations, (horn_relation){0});
  for (uint32_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (c->head == NO_PREDICATE) continue;
    horn_rule made = rule_of(c, i);
    made.head = atom_of(c->head, &c->head_arguments);
    VECTOR_PUSH(s->problem.rules, made);
  }
  return s;
}

void call_steps_free(call_steps *s) {
  if (!s) return;
  fixedpoint_free(s->fixedpoint);
  solver_free(s->solver);
  horn_problem_clear(&s->problem);
  evidence_clear(&s->known);
  memory_free(s);
}

const term_vector *call_steps_known(const call_steps *s) { return &s->known.interpretation; }
uint64_t call_steps_questions(const call_steps *s) { return s->questions; }

/* ---- one step ---- */

/* Values of the clause's variables under which the formula holds. */
static answer find_values(call_steps *s, const clause *c, term formula, number_vector *values) {
  solver_push(s->solver);
  solver_assert(s->solver, formula);
  answer a = solver_check(s->solver, 0);
  s->questions++;
  VECTOR_CLEAR(*values);
  for (size_t i = 0; i < c->variables.count && answer_is_yes(a); i++)
    VECTOR_PUSH(*values, solver_value(s->solver, c->variables.at[i]));
  solver_pop(s->solver);
  return a;
}

/* ---- steps of runs ---- */

static bool is_long(void *context) {
  call_steps *s = context;
  return fixedpoint_counts_of(s->fixedpoint).predecessors > MOST_PREDECESSORS;
}

static void keep_interpretation(call_steps *s) {
  term_vector formulas = {0};
  variable_vector indices = {0};
  const char *reason = NULL;
  if (fixedpoint_interpretation(s->fixedpoint, &formulas, &indices, &reason) && !indices.count)
    for (size_t i = 0; i < s->known.interpretation.count; i++)
      s->known.interpretation.at[i] = term_and(s->ts, s->known.interpretation.at[i], formulas.at[i]);
  VECTOR_FREE(formulas);
  VECTOR_FREE(indices);
}

/* The atoms of the clause's body are those that the last node of the derivation has as premises. */
static term body_as_derived(call_steps *s, const clause *c) {
  horn_derivation d = {0};
  const char *reason = NULL;
  term_vector parts = {0};
  if (fixedpoint_derivation(s->fixedpoint, &d, &reason) && d.count && VECTOR_LAST(d).premises.count == c->body.count)
    for (size_t i = 0; i < c->body.count; i++) {
      const horn_node *n = &d.at[VECTOR_LAST(d).premises.at[i]];
      const clause_atom *a = &c->body.at[i];
      for (size_t j = 0; n->relation == a->predicate && !n->lacks_values && j < n->values.count; j++) {
        bool is_bool = term_sort(s->ts, a->arguments.at[j]) == SORT_BOOL;
        term value = is_bool ? term_of_bool(!number_is(n->values.at[j], 0)) : term_number(s->ts, n->values.at[j]);
        VECTOR_PUSH(parts, term_eq(s->ts, a->arguments.at[j], value));
      }
    }
  term all = term_and_all(s->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  horn_derivation_clear(&d);
  return all;
}

/* No: what shows so is known from now on. Yes: `formula` says which atoms were derived. */
static answer ask_rules(call_steps *s, const clause *c, uint32_t number, term *formula) {
  horn_rule query = rule_of(c, number);
  query.constraint = *formula;
  query.head = (horn_atom){.relation = s->problem.query};
  VECTOR_PUSH(s->problem.rules, query);
  fixedpoint_free(s->fixedpoint);
  s->fixedpoint = fixedpoint_new(s->ts, &s->problem, s->env->budget);
  for (uint32_t i = 0; i < s->known.interpretation.count; i++) {
    horn_cover known = {i, HORN_ALWAYS, s->known.interpretation.at[i]};
    if (!term_is_true(known.formula)) fixedpoint_add_cover(s->fixedpoint, &known);
  }
  answer a = fixedpoint_query(s->fixedpoint, is_long, s);
  s->questions++;
  if (answer_is_no(a)) keep_interpretation(s);
  if (answer_is_yes(a)) *formula = term_and(s->ts, *formula, body_as_derived(s, c));
  horn_rule last = VECTOR_POP(s->problem.rules);
  horn_rule_clear(&last);
  return a;
}

answer call_steps_ask(call_steps *s, uint32_t clause_number, term also, bool asks_rules, number_vector *values) {
  const clause *c = &s->model->clauses->clauses.at[clause_number];
  term step = term_and(s->ts, call_ranking_body(s->model, &s->known, c), also);
  answer a = find_values(s, c, step, values);
  if (!answer_is_yes(a) || !asks_rules) return a;
  term formula = term_and(s->ts, c->constraint, also);
  answer derived = ask_rules(s, c, clause_number, &formula);
  if (answer_is_no(derived)) {
    step = term_and(s->ts, call_ranking_body(s->model, &s->known, c), also);
    number_vector others = {0};
    a = find_values(s, c, step, &others); /* no, if the interpretation could be read */
    VECTOR_FREE(others);
    return a;
  }
  if (!answer_is_yes(derived)) return a;
  number_vector real = {0};
  if (answer_is_yes(find_values(s, c, formula, &real))) {
    VECTOR_CLEAR(*values);
    for (size_t i = 0; i < real.count; i++) VECTOR_PUSH(*values, real.at[i]);
  }
  VECTOR_FREE(real);
  return a;
}
