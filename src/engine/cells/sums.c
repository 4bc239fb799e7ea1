/* Of each predicate the smallest affine space is kept that has all atoms seen: a first point and directions. While some rule
 * leads from atoms in these spaces to one outside, the solver finds such an atom, and its space grows by a dimension (M. Karr:
 * Affine Relationships Among Variables of a Program, 1976; by points: T. Reps, M. Sagiv, G. Yorsh, VMCAI 2004). What is
 * left is closed under the rules, so every atom that can be derived is in its space. */
#include "engine/cells/sums.h"

#include "base/work.h"
#include "engine/cells/cells.h"
#include "term/evaluate.h"

/* Work after which nothing is reduced. */
enum { MOST_WORK = 300 * 1000 };

/* One of a basis: it is 1 at its pivot, and the others are 0 there, and it is 0 before. */
typedef struct direction {
  size_t pivot;
  number_vector row; /* by column */
} direction;

/* Columns are parameters that are plain integers. */
typedef struct affine_space {
  index_vector columns; /* the parameter of each */
  index_vector places;  /* of each, among the scalars of the relation */
  number_vector first;  /* a point; empty if there is none */
  VECTOR(direction) basis;
} affine_space;

typedef struct search {
  engine_environment *env;
  terms *ts;
  cell_problem cells;
  solver *solver;
  affine_space *of;     /* by predicate */
  VECTOR(bool) is_open; /* by rule */
  uint64_t ends_at;
  bool is_unsure;
} search;

/* ---- spaces ---- */

static void subtract(number_vector *from, number factor, const number_vector *row) {
  for (size_t i = 0; i < from->count; i++) from->at[i] = number_sub(from->at[i], number_mul(factor, row->at[i]));
}

static void space_clear(affine_space *s) {
  VECTOR_FREE(s->columns);
  VECTOR_FREE(s->places);
  VECTOR_FREE(s->first);
  for (size_t i = 0; i < s->basis.count; i++) VECTOR_FREE(s->basis.at[i].row);
  VECTOR_FREE(s->basis);
}

/* A direction that is none of those that the basis has, or zero. */
static void add_direction(affine_space *s, TAKE number_vector row) {
  direction made = {.row = row};
  for (size_t i = 0; i < s->basis.count; i++)
    subtract(&made.row, made.row.at[s->basis.at[i].pivot], &s->basis.at[i].row);
  while (made.pivot < made.row.count && number_is(made.row.at[made.pivot], 0)) made.pivot++;
  if (made.pivot == made.row.count) {
    VECTOR_FREE(made.row);
    return;
  }
  number scale = made.row.at[made.pivot];
  for (size_t i = 0; i < made.row.count; i++) made.row.at[i] = number_quotient(made.row.at[i], scale);
  for (size_t i = 0; i < s->basis.count; i++)
    subtract(&s->basis.at[i].row, s->basis.at[i].row.at[made.pivot], &made.row);
  VECTOR_PUSH(s->basis, made);
}

static void space_add(affine_space *s, const number_vector *point) {
  if (s->first.count < point->count) {
    VECTOR_COPY(s->first, *point);
    return;
  }
  number_vector row = {0};
  for (size_t i = 0; i < point->count; i++) VECTOR_PUSH(row, number_sub(point->at[i], s->first.at[i]));
  add_direction(s, row);
}

static bool is_pivot(const affine_space *s, size_t column) {
  for (size_t i = 0; i < s->basis.count; i++)
    if (s->basis.at[i].pivot == column) return true;
  return false;
}

/* The value of a column that is no pivot, by those that are, and the number by which it is multiplied to make all of it
 * integers. Values of columns are given as terms. */
static term sum_of_pivots(terms *ts, const affine_space *s, size_t column, const term *values, number *scale) {
  number constant = s->first.at[column];
  *scale = number_of(1);
  for (size_t i = 0; i < s->basis.count; i++) {
    number factor = s->basis.at[i].row.at[column], d = number_denominator(factor);
    constant = number_sub(constant, number_mul(factor, s->first.at[s->basis.at[i].pivot]));
    *scale = number_quotient(number_mul(*scale, d), number_gcd(*scale, d));
  }
  term sum = term_number(ts, number_mul(constant, *scale));
  for (size_t i = 0; i < s->basis.count; i++)
    sum = term_add(ts, sum,
                   term_scale(ts, number_mul(s->basis.at[i].row.at[column], *scale), values[s->basis.at[i].pivot]));
  return sum;
}

/* The point with these values is in the space; that without columns has its one point. */
static term is_inside(terms *ts, const affine_space *s, const term *values) {
  term_vector parts = {0};
  if (s->first.count < s->columns.count) return TERM_FALSE;
  for (size_t i = 0; i < s->columns.count; i++) {
    number scale;
    if (is_pivot(s, i)) continue;
    term sum = sum_of_pivots(ts, s, i, values, &scale);
    VECTOR_PUSH(parts, term_eq(ts, term_scale(ts, scale, values[i]), sum));
  }
  term all = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

/* The argument can be left out: it is a sum of others, with integers. */
static bool is_sum(terms *ts, const affine_space *s, size_t column, const term *values) {
  number scale;
  if (s->first.count < s->columns.count || is_pivot(s, column)) return false;
  sum_of_pivots(ts, s, column, values, &scale);
  return number_is(scale, 1);
}

/* ---- the search ---- */

static void find_columns(search *s, uint32_t predicate) {
  const cell_predicate *p = &s->cells.predicates.at[predicate];
  const clause_predicate *of = &s->env->model->clauses->predicates.at[predicate];
  for (uint32_t i = 0; i < p->scalars.count; i++) {
    const type *t = variable_type(s->ts, of->parameters.at[p->scalars.at[i]]);
    if (t->sort != SORT_INT || t->names) continue;
    VECTOR_PUSH(s->of[predicate].columns, p->scalars.at[i]);
    VECTOR_PUSH(s->of[predicate].places, i);
  }
}

static term atom_is_inside(search *s, const horn_atom *a) {
  const affine_space *space = &s->of[a->relation];
  term_vector values = {0};
  for (size_t i = 0; i < space->places.count; i++) VECTOR_PUSH(values, a->arguments.at[space->places.at[i]]);
  term made = is_inside(s->ts, space, values.at);
  VECTOR_FREE(values);
  return made;
}

static void take_point(search *s, const horn_rule *rule) {
  affine_space *space = &s->of[rule->head.relation];
  number *assignment = MEMORY_ARRAY(number, variable_count(s->ts) + 1);
  number_vector point = {0};
  for (size_t i = 0; i < rule->variables.count; i++)
    assignment[rule->variables.at[i].x] = solver_value(s->solver, rule->variables.at[i]);
  for (size_t i = 0; i < space->places.count; i++)
    VECTOR_PUSH(point, term_evaluate(s->ts, rule->head.arguments.at[space->places.at[i]], assignment));
  space_add(space, &point);
  VECTOR_FREE(point);
  memory_free(assignment);
}

static void open_rules_from(search *s, uint32_t relation) {
  for (size_t i = 0; i < s->is_open.count; i++) {
    const horn_rule *rule = &s->cells.problem.rules.at[i];
    for (size_t j = 0; j < rule->body.count && rule->head.relation != s->cells.problem.query; j++)
      if (rule->body.at[j].relation == relation) s->is_open.at[i] = true;
  }
}

/* The space of the head has all that the rule leads to afterwards, unless the rule is open still. */
static void ask_rule(search *s, size_t number) {
  const horn_rule *rule = &s->cells.problem.rules.at[number];
  term_vector parts = {0};
  VECTOR_PUSH(parts, rule->constraint);
  for (size_t i = 0; i < rule->body.count; i++) VECTOR_PUSH(parts, atom_is_inside(s, &rule->body.at[i]));
  VECTOR_PUSH(parts, term_not(atom_is_inside(s, &rule->head)));
  solver_push(s->solver);
  solver_assert(s->solver, term_and_all(s->ts, parts.count, parts.at));
  VECTOR_FREE(parts);
  answer a = solver_check(s->solver, 0);
  s->is_unsure |= answer_is_unsure(a);
  s->is_open.at[number] = answer_is_yes(a);
  if (answer_is_yes(a)) {
    take_point(s, rule);
    open_rules_from(s, rule->head.relation);
  }
  solver_pop(s->solver);
}

/* False if it did not end. */
static bool find_spaces(search *s) {
  bool goes_on = true;
  for (size_t i = 0; i < s->cells.problem.rules.count; i++)
    VECTOR_PUSH(s->is_open, s->cells.problem.rules.at[i].head.relation != s->cells.problem.query);
  while (goes_on && !s->is_unsure) {
    goes_on = false;
    for (size_t i = 0; i < s->is_open.count && !s->is_unsure; i++) {
      if (!s->is_open.at[i]) continue;
      goes_on = true;
      if (work_done() >= s->ends_at || budget_spent(s->env->budget)) s->is_unsure = true;
      if (!s->is_unsure) ask_rule(s, i);
    }
  }
  return !s->is_unsure;
}

/* ---- clauses ---- */

static bool is_left_out(const search *s, uint32_t predicate, uint32_t parameter, const term *values) {
  const affine_space *space = &s->of[predicate];
  for (size_t i = 0; i < space->columns.count; i++)
    if (space->columns.at[i] == parameter) return is_sum(s->ts, space, i, values);
  return false;
}

/* The arguments that stay, and what is known of all. */
static term reduce_atom(const search *s, uint32_t predicate, const term_vector *arguments, term_vector *kept) {
  const affine_space *space = &s->of[predicate];
  term_vector values = {0};
  for (size_t i = 0; i < space->columns.count; i++) VECTOR_PUSH(values, arguments->at[space->columns.at[i]]);
  for (uint32_t i = 0; i < arguments->count; i++)
    if (!is_left_out(s, predicate, i, values.at)) VECTOR_PUSH(*kept, arguments->at[i]);
  term known = is_inside(s->ts, space, values.at);
  VECTOR_FREE(values);
  return known;
}

/* Arguments that are left out are sums of the others: so are variables that stand there alone. */
static void put_in_sums(const search *s, uint32_t predicate, size_t atom, clause *c) {
  const affine_space *space = &s->of[predicate];
  for (size_t i = 0; i < space->columns.count; i++) {
    const term_vector *arguments = &c->body.at[atom].arguments;
    term now = arguments->at[space->columns.at[i]];
    term_vector values = {0};
    number scale;
    for (size_t j = 0; j < space->columns.count; j++) VECTOR_PUSH(values, arguments->at[space->columns.at[j]]);
    if (is_sum(s->ts, space, i, values.at) && term_kind_of(s->ts, now) == TERM_INT_VARIABLE) {
      term sum = sum_of_pivots(s->ts, space, i, values.at, &scale);
      variable v = term_variable(s->ts, now);
      if (!term_mentions(s->ts, sum, v)) clause_replace(s->ts, c, v, sum);
    }
    VECTOR_FREE(values);
  }
}

static clause reduced_clause(const search *s, const clause *from) {
  clause full = clause_copy(from);
  for (size_t i = 0; i < full.body.count; i++) put_in_sums(s, full.body.at[i].predicate, i, &full);
  clause made = {.head = from->head,
                 .property = from->property,
                 .has_constants = from->has_constants,
                 .place = from->place,
                 .constraint = full.constraint};
  for (size_t i = 0; i < full.body.count; i++) {
    term_vector kept = {0};
    term known = reduce_atom(s, full.body.at[i].predicate, &full.body.at[i].arguments, &kept);
    made.constraint = term_and(s->ts, made.constraint, known);
    clause_add_body(&made, full.body.at[i].predicate, kept.count, kept.at);
    VECTOR_FREE(kept);
  }
  if (full.head != NO_PREDICATE) reduce_atom(s, full.head, &full.head_arguments, &made.head_arguments);
  clause_clear(&full);
  clause_find_variables(s->ts, &made);
  return made;
}

static clause_predicate reduced_predicate(const search *s, uint32_t number, term_vector *known) {
  const clause_predicate *from = &s->env->model->clauses->predicates.at[number];
  clause_predicate made = {.name = from->name, .place = from->place};
  term_vector all = {0}, kept = {0};
  for (size_t i = 0; i < from->parameters.count; i++) VECTOR_PUSH(all, term_of_variable(s->ts, from->parameters.at[i]));
  VECTOR_PUSH(*known, reduce_atom(s, number, &all, &kept));
  for (size_t i = 0, j = 0; i < all.count && j < kept.count; i++)
    if (term_same(all.at[i], kept.at[j])) {
      VECTOR_PUSH(made.parameters, from->parameters.at[i]);
      j++;
    }
  VECTOR_FREE(all);
  VECTOR_FREE(kept);
  return made;
}

static clauses *reduced_clauses(const search *s, term_vector *known) {
  const clauses *from = s->env->model->clauses;
  clauses *made = horn_clauses_new();
  size_t before = 0, after = 0;
  made->is_horn = made->are_trees = true;
  made->have_arrays = from->have_arrays;
  for (uint32_t i = 0; i < from->predicates.count; i++) {
    clause_predicate p = reduced_predicate(s, i, known);
    VECTOR_PUSH(made->predicates, p);
    before += from->predicates.at[i].parameters.count;
    after += p.parameters.count;
  }
  for (size_t i = 0; i < from->clauses.count && before != after; i++) {
    clause one = reduced_clause(s, &from->clauses.at[i]);
    VECTOR_PUSH(made->clauses, one);
  }
  if (before != after) return made;
  horn_clauses_free(made);
  VECTOR_CLEAR(*known);
  return NULL;
}

static void search_close(search *s) {
  for (size_t i = 0; i < s->cells.predicates.count; i++) space_clear(&s->of[i]);
  memory_free(s->of);
  cells_clear_problem(&s->cells);
  VECTOR_FREE(s->cells.predicates);
  VECTOR_FREE(s->cells.indices);
  VECTOR_FREE(s->cells.sought);
  VECTOR_FREE(s->is_open);
  solver_free(s->solver);
}

clauses *clauses_without_sums(engine_environment *env, term_vector *known) {
  terms *ts = env->model->terms;
  search s = {.env = env, .ts = ts, .cells = {.env = env, .ts = ts, .count = 1}, .ends_at = work_done() + MOST_WORK};
  clauses *made = NULL;
  s.solver = solver_new(ts, env->budget);
  s.of = MEMORY_ARRAY(affine_space, env->model->clauses->predicates.count + 1);
  if (cells_make_problem(&s.cells)) {
    for (uint32_t i = 0; i < s.cells.predicates.count; i++) find_columns(&s, i);
    if (find_spaces(&s)) made = reduced_clauses(&s, known);
  }
  search_close(&s);
  return made;
}
