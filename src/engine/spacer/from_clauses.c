/* Clauses as rules: as read or, if there are such, those that they were rewritten to. */
#include "engine/spacer/spacer.h"

static void add_atom(horn_atom *to, uint32_t relation, const term_vector *arguments) {
  to->relation = relation;
  for (size_t i = 0; i < arguments->count; i++) VECTOR_PUSH(to->arguments, arguments->at[i]);
}

static void add_clause(spacer *s, const clause *c, uint32_t index) {
  horn_rule r = {.constraint = c->constraint, .origin = index};
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(r.variables, c->variables.at[i]);
  for (size_t i = 0; i < c->body.count; i++) {
    horn_atom body = {0};
    add_atom(&body, c->body.at[i].predicate, &c->body.at[i].arguments);
    VECTOR_PUSH(r.body, body);
  }
  add_atom(&r.head, c->head == NO_PREDICATE ? s->problem.query : c->head, &c->head_arguments);
  VECTOR_PUSH(s->problem.rules, r);
}

void problem_of_clauses(spacer *s) {
  const clauses *all = s->is_as_read ? s->env->model->clauses : clauses_lowered(s->env->model->clauses);
  for (size_t i = 0; i < all->predicates.count; i++) {
    horn_relation made = {0};
    const variable_vector *parameters = &all->predicates.at[i].parameters;
    for (size_t j = 0; j < parameters->count; j++) VECTOR_PUSH(made.parameters, parameters->at[j]);
    VECTOR_PUSH(s->problem.relations, made);
  }
  s->problem.query = (uint32_t)all->predicates.count;
  VECTOR_PUSH(s->problem.relations, (horn_relation){0});
  for (uint32_t i = 0; i < all->clauses.count; i++)
    if (all->clauses.at[i].head != NO_PREDICATE || all->clauses.at[i].property == s->env->property)
      add_clause(s, &all->clauses.at[i], i);
}
