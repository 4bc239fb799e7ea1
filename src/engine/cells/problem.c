/* Relations about cells, and the clauses of a property as rules about them. */
#include "engine/cells/cells.h"
#include "term/substitute.h"

size_t cells_depth(const terms *ts, const clauses *all) {
  size_t depth = 1;
  for (size_t i = 0; i < all->predicates.count; i++)
    for (size_t j = 0; j < all->predicates.at[i].parameters.count; j++) {
      const type *of = variable_type(ts, all->predicates.at[i].parameters.at[j]);
      if (of->sort == SORT_ARRAY && of->nesting + 1u > depth) depth = of->nesting + 1u;
    }
  return depth;
}

static void add_places(const cell_problem *c, const clause_predicate *p, cell_predicate *to) {
  for (size_t i = 0; i < to->arrays.count; i++) {
    uint32_t count = 1u + variable_type(c->ts, p->parameters.at[to->arrays.at[i]])->nesting;
    for (uint32_t first = 0; first + count <= c->depth; first++)
      VECTOR_PUSH(to->places, ((cell_place){to->arrays.at[i], first, count}));
  }
}

static void add_relation(cell_problem *c, const clause_predicate *p, uint32_t number) {
  horn_relation made = {0};
  cell_predicate *to = &c->predicates.at[number];
  for (uint32_t i = 0; i < p->parameters.count; i++) {
    bool is_array = variable_type(c->ts, p->parameters.at[i])->sort == SORT_ARRAY;
    if (is_array)
      VECTOR_PUSH(to->arrays, i);
    else
      VECTOR_PUSH(to->scalars, i);
    if (!is_array) VECTOR_PUSH(made.parameters, p->parameters.at[i]);
  }
  add_places(c, p, to);
  for (size_t i = 0; i < c->count && to->arrays.count; i++) {
    for (size_t j = 0; j < c->depth; j++) VECTOR_PUSH(made.parameters, c->indices.at[i * c->depth + j]);
    for (size_t j = 0; j < to->places.count; j++) {
      type element = {.sort = variable_type(c->ts, p->parameters.at[to->places.at[j].parameter])->element};
      VECTOR_PUSH(to->values, variable_fresh(c->ts, "element!", &element));
      VECTOR_PUSH(made.parameters, VECTOR_LAST(to->values));
    }
  }
  VECTOR_PUSH(c->problem.relations, made);
}

clause clause_copy(const clause *from) {
  clause copy = {.head = from->head, .constraint = from->constraint};
  for (size_t i = 0; i < from->body.count; i++)
    clause_add_body(&copy, from->body.at[i].predicate, from->body.at[i].arguments.count, from->body.at[i].arguments.at);
  for (size_t i = 0; i < from->head_arguments.count; i++) VECTOR_PUSH(copy.head_arguments, from->head_arguments.at[i]);
  return copy;
}

static void add_rule(cell_problem *c, const clause *from, uint32_t number) {
  clause copy = clause_copy(from);
  clause_solve_equations(c->ts, &copy, c->env->budget);
  if (!term_is_false(copy.constraint)) {
    horn_rule made = clause_without_arrays(c, &copy, number);
    VECTOR_PUSH(c->problem.rules, made);
  }
  clause_clear(&copy);
}

bool cells_make_problem(cell_problem *c) {
  const clauses *all = c->env->model->clauses;
  type integer = {.sort = SORT_INT};
  c->depth = cells_depth(c->ts, all);
  while (c->indices.count < c->count * c->depth) {
    VECTOR_PUSH(c->indices, variable_fresh(c->ts, "index", &integer));
    VECTOR_PUSH(c->sought, variable_fresh(c->ts, "sought!", &integer));
  }
  for (uint32_t i = 0; i < all->predicates.count; i++) {
    VECTOR_PUSH(c->predicates, (cell_predicate){0});
    add_relation(c, &all->predicates.at[i], i);
  }
  c->problem.query = (uint32_t)all->predicates.count;
  VECTOR_PUSH(c->problem.relations, (horn_relation){0});
  for (uint32_t i = 0; i < all->clauses.count && !budget_spent(c->env->budget); i++)
    if (all->clauses.at[i].head != NO_PREDICATE || all->clauses.at[i].property == c->env->property)
      add_rule(c, &all->clauses.at[i], i);
  return !budget_spent(c->env->budget);
}

void cells_clear_problem(cell_problem *c) {
  horn_problem_clear(&c->problem);
  c->problem = (horn_problem){0};
  for (size_t i = 0; i < c->predicates.count; i++) {
    VECTOR_FREE(c->predicates.at[i].scalars);
    VECTOR_FREE(c->predicates.at[i].arrays);
    VECTOR_FREE(c->predicates.at[i].places);
    VECTOR_FREE(c->predicates.at[i].values);
  }
  VECTOR_CLEAR(c->predicates);
}

term cells_formula(const cell_problem *c, uint32_t predicate, term of_relation) {
  const variable_vector *parameters = &c->env->model->clauses->predicates.at[predicate].parameters;
  const cell_predicate *p = &c->predicates.at[predicate];
  substitution *s = substitution_new(c->ts);
  for (size_t i = 0; i < p->values.count; i++) {
    cell_place at = p->places.at[i % p->places.count];
    term element = term_of_variable(c->ts, parameters->at[at.parameter]);
    const variable *indices = c->indices.at + i / p->places.count * c->depth + at.first;
    for (size_t j = 0; j < at.count; j++) element = term_select(c->ts, element, term_of_variable(c->ts, indices[j]));
    substitution_set(s, p->values.at[i], element);
  }
  term made = substitution_apply(s, of_relation);
  substitution_free(s);
  return made;
}
