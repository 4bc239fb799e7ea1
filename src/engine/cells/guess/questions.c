/* Whether guesses are inductive: as long as a rule leads from points at which all hold to one at which one does not, that
 * point is added, and the guess goes or becomes weaker. */
#include "base/work.h"
#include "engine/cells/guess/inside.h"

static void set_atom(guess_run *r, const horn_atom *a) {
  const variable_vector *parameters = &r->cells->problem.relations.at[a->relation].parameters;
  substitution_clear(r->substitution);
  for (size_t i = 0; i < parameters->count; i++)
    substitution_set(r->substitution, parameters->at[i], a->arguments.at[i]);
}

/* What was proved about one cell, of each cell of the atom. */
void guess_lemma_instances(guess_run *r, const horn_atom *a, term_vector *out) {
  const cell_predicate *p = &r->cells->predicates.at[a->relation];
  const variable_vector *own = &r->own.at[a->relation];
  size_t at = p->scalars.count;
  set_atom(r, a);
  size_t depth = r->cells->depth;
  for (size_t cell = 0; cell < r->cells->count; cell++, at += depth + p->places.count) {
    for (size_t i = 0; i < depth; i++)
      substitution_set(r->substitution, r->cells->indices.at[i], a->arguments.at[at + i]);
    for (size_t i = 0; i < own->count; i++)
      substitution_set(r->substitution, own->at[i], a->arguments.at[at + depth + i]);
    for (size_t i = 0; i < r->lemmas.at[a->relation].count; i++)
      VECTOR_PUSH(*out, substitution_apply(r->substitution, r->lemmas.at[a->relation].at[i]));
  }
}

void guess_instances(guess_run *r, const horn_atom *a, term_vector *out) {
  const guesses *g = &r->of[a->relation];
  set_atom(r, a);
  for (size_t i = 0; i < g->list.count; i++)
    VECTOR_PUSH(*out, substitution_apply(r->substitution, g->list.at[i].formula));
}

static void assert_body(guess_run *r, const horn_rule *rule) {
  term_vector parts = {0};
  VECTOR_PUSH(parts, rule->constraint);
  for (size_t i = 0; i < rule->body.count; i++) {
    guess_instances(r, &rule->body.at[i], &parts);
    if (r->lemmas.at[rule->body.at[i].relation].count) guess_lemma_instances(r, &rule->body.at[i], &parts);
  }
  solver_assert(r->solver, term_and_all(r->ts, parts.count, parts.at));
  VECTOR_FREE(parts);
}

bool guess_is_query(const guess_run *r, const horn_rule *rule) {
  return rule->head.relation == r->cells->problem.query;
}

/* Guesses about the head changed: rules that use them are asked again. */
static void open_rules_from(guess_run *r, uint32_t relation) {
  for (size_t i = 0; i < r->is_open.count; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    for (size_t j = 0; j < rule->body.count; j++)
      if (rule->body.at[j].relation == relation && !guess_is_query(r, rule)) r->is_open.at[i] = true;
  }
}

/* The point that the solver has found the head at. */
static void take_point(guess_run *r, const horn_rule *rule) {
  number *assignment = MEMORY_ARRAY(number, variable_count(r->ts) + 1);
  number_vector values = {0};
  for (size_t i = 0; i < rule->variables.count; i++)
    assignment[rule->variables.at[i].x] = solver_value(r->solver, rule->variables.at[i]);
  for (size_t i = 0; i < rule->head.arguments.count; i++)
    VECTOR_PUSH(values, term_evaluate(r->ts, rule->head.arguments.at[i], assignment));
  if (!guesses_add_point(&r->of[rule->head.relation], values.at)) r->unsure = "a point that refutes nothing";
  r->counts.refuted++;
  VECTOR_FREE(values);
  memory_free(assignment);
}

/* Takes away what the rule refutes. */
static void ask_rule(guess_run *r, size_t number) {
  const horn_rule *rule = &r->cells->problem.rules.at[number];
  bool changed = false, goes_on = true;
  solver_push(r->solver);
  assert_body(r, rule);
  while (goes_on && !r->unsure && work_done() < r->ends_at) {
    term_vector head = {0};
    guess_instances(r, &rule->head, &head);
    term all = term_and_all(r->ts, head.count, head.at);
    VECTOR_FREE(head);
    if (term_is_true(all)) break;
    solver_push(r->solver);
    solver_assert(r->solver, term_not(all));
    answer a = solver_check(r->solver, 0);
    goes_on = answer_is_yes(a);
    if (goes_on) take_point(r, rule);
    if (answer_is_unsure(a)) r->unsure = a.reason;
    changed |= goes_on;
    solver_pop(r->solver);
  }
  solver_pop(r->solver);
  r->is_open.at[number] = goes_on && !r->unsure && work_done() >= r->ends_at;
  if (changed) open_rules_from(r, rule->head.relation);
}

void guess_open_rules(guess_run *r) {
  VECTOR_CLEAR(r->is_open);
  for (size_t i = 0; i < r->cells->problem.rules.count; i++)
    VECTOR_PUSH(r->is_open, !guess_is_query(r, &r->cells->problem.rules.at[i]));
}

bool guess_has_open_rules(const guess_run *r) {
  for (size_t i = 0; i < r->is_open.count; i++)
    if (r->is_open.at[i]) return true;
  return false;
}

/* If no rule is open afterwards and the solver was sure, what is left is inductive. */
void guess_make_inductive(guess_run *r) {
  while (guess_has_open_rules(r) && !r->unsure && work_done() < r->ends_at)
    for (size_t i = 0; i < r->is_open.count && !r->unsure && work_done() < r->ends_at; i++) {
      if (budget_spent(r->cells->env->budget)) r->unsure = "the budget is spent";
      if (r->is_open.at[i] && !r->unsure) ask_rule(r, i);
    }
}

bool guess_refutes_queries(guess_run *r) {
  for (size_t i = 0; i < r->cells->problem.rules.count; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    if (!guess_is_query(r, rule)) continue;
    solver_push(r->solver);
    assert_body(r, rule);
    bool refuted = answer_is_no(solver_check(r->solver, 0));
    solver_pop(r->solver);
    if (!refuted) return false;
  }
  return true;
}
