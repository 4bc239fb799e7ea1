/* The combinations of truth values that can be derived: a model of a rule whose head is none of those found so far gives the next one. */
#include "engine/cells/pairs/pairs.h"

#include "base/work.h"
#include "engine/cells/pairs/scans.h"
#include "term/evaluate.h"
#include "term/substitute.h"

enum { CELLS = 2, MOST_COMBINATIONS = 1500 };

typedef struct pair_relation {
  term_vector atoms, found; /* the second: combinations, as formulas over the parameters */
} pair_relation;

struct pair_run {
  terms *ts;
  scans scans;
  model model; /* the same with clauses without scans */
  engine_environment env;
  const clauses *as_read;
  cell_problem cells;
  solver *solver;
  substitution *substitution;
  VECTOR(pair_relation) relations;
  VECTOR(bool) is_open; /* by rule: it may derive more */
  uint64_t ends_at;
  size_t combinations;
  bool is_broken; /* nothing can be proved */
  term_vector interpretation;
};

static void find_rules(pair_run *r) {
  term_classes *k = term_classes_new(r->ts, r->as_read, r->env.property);
  for (uint32_t i = 0; i < r->as_read->predicates.count; i++) {
    pair_relation made = {0};
    pair_atoms(&r->cells, k, i, &made.atoms);
    VECTOR_PUSH(r->relations, made);
  }
  VECTOR_PUSH(r->relations, (pair_relation){0});
  for (size_t i = 0; i < r->cells.problem.rules.count; i++) VECTOR_PUSH(r->is_open, true);
  term_classes_free(k);
}

pair_run *pair_run_new(engine_environment *env) {
  const clauses *all = env->model->clauses;
  terms *ts = env->model->terms;
  if (cells_depth(ts, all) > 1) return NULL;
  pair_run *r = MEMORY_NEW(pair_run);
  *r = (pair_run){.ts = ts, .model = *env->model, .env = *env, .as_read = all};
  r->env.model = &r->model;
  r->cells = (cell_problem){.env = &r->env, .ts = ts, .count = CELLS};
  for (size_t i = 0; i < CELLS; i++) {
    VECTOR_PUSH(r->cells.indices, variable_fresh(ts, "index", &(type){.sort = SORT_INT}));
    VECTOR_PUSH(r->cells.sought, variable_fresh(ts, "sought!", &(type){.sort = SORT_INT}));
  }
  scans_find(&r->scans, ts, all, env->property);
  r->model.clauses = scans_clauses(&r->scans, ts, all, &r->cells.sought);
  r->is_broken = !cells_make_problem(&r->cells);
  r->solver = solver_new(ts, env->budget);
  r->substitution = substitution_new(ts);
  find_rules(r);
  return r;
}

void pair_run_free(pair_run *r) {
  if (!r) return;
  for (size_t i = 0; i < r->relations.count; i++) {
    VECTOR_FREE(r->relations.at[i].atoms);
    VECTOR_FREE(r->relations.at[i].found);
  }
  VECTOR_FREE(r->relations);
  VECTOR_FREE(r->is_open);
  VECTOR_FREE(r->interpretation);
  cells_clear_problem(&r->cells);
  VECTOR_FREE(r->cells.predicates);
  VECTOR_FREE(r->cells.indices);
  VECTOR_FREE(r->cells.sought);
  solver_free(r->solver);
  substitution_free(r->substitution);
  horn_clauses_free(r->model.clauses);
  scans_clear(&r->scans);
  memory_free(r);
}

const term_vector *pair_run_interpretation(const pair_run *r, const variable **indices, size_t *count) {
  *indices = r->cells.indices.at;
  *count = CELLS;
  return &r->interpretation;
}

pair_counts pair_run_counts(const pair_run *r) {
  pair_counts made = {.combinations = r->combinations, .scans = r->scans.all.count};
  for (size_t i = 0; i < r->relations.count; i++) made.atoms += r->relations.at[i].atoms.count;
  return made;
}

/* ---- combinations ---- */

static term formula_of(pair_run *r, uint32_t relation) {
  const term_vector *found = &r->relations.at[relation].found;
  return term_or_all(r->ts, found->count, found->at);
}

static term formula_at(pair_run *r, const horn_atom *a) {
  const variable_vector *parameters = &r->cells.problem.relations.at[a->relation].parameters;
  substitution_clear(r->substitution);
  for (size_t i = 0; i < parameters->count; i++)
    substitution_set(r->substitution, parameters->at[i], a->arguments.at[i]);
  return substitution_apply(r->substitution, formula_of(r, a->relation));
}

/* The combination at a point. */
static void add_combination(pair_run *r, uint32_t relation, const number_vector *point) {
  pair_relation *p = &r->relations.at[relation];
  const variable_vector *parameters = &r->cells.problem.relations.at[relation].parameters;
  number *assignment = MEMORY_ARRAY(number, variable_count(r->ts) + 1);
  term_vector literals = {0};
  for (size_t i = 0; i < parameters->count; i++) assignment[parameters->at[i].x] = point->at[i];
  for (size_t i = 0; i < p->atoms.count; i++) {
    bool holds = number_sign(term_evaluate(r->ts, p->atoms.at[i], assignment));
    VECTOR_PUSH(literals, holds ? p->atoms.at[i] : term_not(p->atoms.at[i]));
  }
  term made = term_and_all(r->ts, literals.count, literals.at);
  bool is_known = false;
  for (size_t i = 0; i < p->found.count && !is_known; i++) is_known = term_same(p->found.at[i], made);
  if (!is_known) VECTOR_PUSH(p->found, made);
  r->combinations += !is_known;
  VECTOR_FREE(literals);
  memory_free(assignment);
}

/* The same with the two cells exchanged: what holds of any two cells holds of them in either order. */
static void exchange_cells(const pair_run *r, uint32_t relation, number_vector *point) {
  const cell_predicate *p = &r->cells.predicates.at[relation];
  size_t first = p->scalars.count, size = 1 + p->places.count;
  for (size_t i = 0; i < size && p->arrays.count; i++) {
    number kept = point->at[first + i];
    point->at[first + i] = point->at[first + size + i];
    point->at[first + size + i] = kept;
  }
}

static void take_point(pair_run *r, const horn_rule *rule) {
  number *assignment = MEMORY_ARRAY(number, variable_count(r->ts) + 1);
  number_vector point = {0};
  for (size_t i = 0; i < rule->variables.count; i++)
    assignment[rule->variables.at[i].x] = solver_value(r->solver, rule->variables.at[i]);
  for (size_t i = 0; i < rule->head.arguments.count; i++)
    VECTOR_PUSH(point, term_evaluate(r->ts, rule->head.arguments.at[i], assignment));
  add_combination(r, rule->head.relation, &point);
  exchange_cells(r, rule->head.relation, &point);
  add_combination(r, rule->head.relation, &point);
  VECTOR_FREE(point);
  memory_free(assignment);
}

/* ---- rules ---- */

static void open_rules_from(pair_run *r, uint32_t relation) {
  for (size_t i = 0; i < r->is_open.count; i++) {
    const horn_rule *rule = &r->cells.problem.rules.at[i];
    for (size_t j = 0; j < rule->body.count; j++)
      if (rule->body.at[j].relation == relation) r->is_open.at[i] = true;
  }
}

static bool goes_on(const pair_run *r) { return !r->is_broken && work_done() < r->ends_at; }

/* Adds all that the rule derives from what was found so far. */
static void ask_rule(pair_run *r, size_t number) {
  const horn_rule *rule = &r->cells.problem.rules.at[number];
  bool is_query = rule->head.relation == r->cells.problem.query, changed = false, more = true;
  term_vector body = {0};
  VECTOR_PUSH(body, rule->constraint);
  for (size_t i = 0; i < rule->body.count; i++) VECTOR_PUSH(body, formula_at(r, &rule->body.at[i]));
  solver_push(r->solver);
  solver_assert(r->solver, term_and_all(r->ts, body.count, body.at));
  while (more && goes_on(r)) {
    solver_push(r->solver);
    if (!is_query) solver_assert(r->solver, term_not(formula_at(r, &rule->head)));
    answer a = solver_check(r->solver, 0);
    more = answer_is_yes(a);
    r->is_broken |= answer_is_unsure(a) || (more && is_query) || r->combinations > MOST_COMBINATIONS;
    if (more && !r->is_broken) take_point(r, rule), changed = true;
    solver_pop(r->solver);
  }
  solver_pop(r->solver);
  VECTOR_FREE(body);
  r->is_open.at[number] = more;
  if (changed) open_rules_from(r, rule->head.relation);
}

static void interpret(pair_run *r) {
  for (uint32_t i = 0; i < r->as_read->predicates.count; i++)
    VECTOR_PUSH(r->interpretation, cells_formula(&r->cells, i, formula_of(r, i)));
  scans_interpret(&r->scans, r->ts, r->as_read, r->cells.indices.at[0], &r->interpretation);
}

pair_end pair_run_go_on(pair_run *r, uint64_t work) {
  bool any = true;
  r->ends_at = work_done() + work;
  while (any && goes_on(r)) {
    any = false;
    for (size_t i = 0; i < r->is_open.count && goes_on(r); i++) {
      r->is_broken = r->is_broken || budget_spent(r->env.budget);
      if (!r->is_open.at[i] || r->is_broken) continue;
      any = true;
      ask_rule(r, i);
    }
  }
  if (r->is_broken) return PAIRS_NONE;
  if (any) return PAIRS_PAUSED;
  interpret(r);
  return PAIRS_PROVED;
}
