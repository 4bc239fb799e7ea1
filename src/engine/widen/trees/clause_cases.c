/* A frame for each clause, with the equations between arguments and their dimensions; then cases of the constraint. */
#include "engine/widen/trees/clause_cases.h"

enum { MOST_LOCALS = 12, FIRST_CASES = 32, MOST_CASES = 1000 };

static void frame_open(clause_system *s, case_frame *f) {
  *f = (case_frame){.model = s->env->model, .space = s->space};
}

static bool has(const dimension_vector *block, size_t dimension) {
  for (size_t i = 0; i < block->count; i++)
    if (block->at[i] == dimension) return true;
  return false;
}

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE);
}

/* The dimension of an argument: of the variable that it is, or of a new one, which `equations` then says to be equal to it. */
static size_t dimension_of(clause_system *s, case_frame *f, const dimension_vector *block, variable parameter,
                           term argument, term_vector *equations) {
  const type *wanted = variable_type(s->ts, parameter);
  if (is_variable(s->ts, argument) && term_sort(s->ts, argument) == wanted->sort) {
    variable v = term_variable(s->ts, argument);
    if (frame_dimension(f, v) == NO_DIMENSION) frame_add(f, v);
    if (!has(block, frame_dimension(f, v))) return frame_dimension(f, v);
  }
  type of = *wanted;
  variable made = variable_fresh(s->ts, "argument", &of);
  frame_add(f, made);
  VECTOR_PUSH(*equations, term_eq(s->ts, term_of_variable(s->ts, made), argument));
  return frame_dimension(f, made);
}

static void add_block(clause_system *s, clause_steps *out, uint32_t predicate, const term_vector *arguments,
                      term_vector *equations) {
  dimension_vector block = {0};
  for (size_t i = 0; i < arguments->count; i++) {
    variable parameter = s->arguments.at[predicate].dimensions.at[i];
    size_t d = dimension_of(s, &out->frame, &block, parameter, arguments->at[i], equations);
    VECTOR_PUSH(block, d);
  }
  VECTOR_PUSH(out->blocks, block);
}

/* A quotient says which integers are meant: it stays a dimension. */
static bool has_division(const terms *ts, term t) {
  index_vector all = {0};
  bool found = false;
  terms_cone(ts, 1, &t, &all);
  for (size_t i = 0; i < all.count && !found; i++) {
    term_kind kind = term_kind_of(ts, (term){2 * all.at[i]});
    found = kind == TERM_DIV || kind == TERM_MOD;
  }
  VECTOR_FREE(all);
  return found;
}

static void add_case(clause_system *s, clause_steps *out, const row_vector *types, const linear_case *c,
                     bool keeps_locals) {
  polyhedron *p = polyhedron_universe(s->space, out->frame.dimensions.count + c->locals);
  for (size_t i = 0; i < types->count; i++) polyhedron_add(p, &types->at[i]);
  for (size_t i = 0; i < c->rows.count; i++) polyhedron_add(p, &c->rows.at[i]);
  if (!keeps_locals && c->locals <= MOST_LOCALS) polyhedron_project(p, out->frame.dimensions.count);
  VECTOR_PUSH(out->cases, p);
}

static const char *add_cases_of(clause_system *s, clause_steps *out, term part) {
  case_vector cases = {0};
  row_vector types = {0};
  const char *why = cases_of(&out->frame, part, 0, NULL, &cases);
  frame_types(&out->frame, &types);
  for (size_t i = 0; i < cases.count && !why; i++) add_case(s, out, &types, &cases.at[i], out->keeps_locals);
  rows_clear(&types);
  cases_clear(&cases);
  return why ? why : polyhedra_failure(s->space);
}

const char *clause_add_cases(clause_system *s, uint32_t clause, term among, size_t most, size_t *added) {
  clause_steps *steps = &s->steps.at[clause];
  const char *why = NULL;
  for (*added = 0; *added < most && steps->split && !why; ++*added) {
    term part;
    answer a = clause_split_next(steps->split, among, &part);
    if (answer_is_no(a) && term_is_true(among)) {
      clause_split_free(steps->split);
      steps->split = NULL;
    }
    if (answer_is_no(a)) return NULL;
    why = answer_is_unsure(a) ? a.reason : add_cases_of(s, steps, part);
    if (!why && steps->cases.count > MOST_CASES) why = "too many cases in a clause";
  }
  return why;
}

static const char *make_steps(clause_system *s, uint32_t number) {
  const clause *c = &s->all->clauses.at[number];
  clause_steps *out = &s->steps.at[number];
  size_t added;
  term_vector parts = {0};
  frame_open(s, &out->frame);
  VECTOR_PUSH(parts, c->constraint);
  add_block(s, out, clause_head_of(s, c), &c->head_arguments, &parts);
  for (size_t i = 0; i < c->body.count; i++)
    add_block(s, out, c->body.at[i].predicate, &c->body.at[i].arguments, &parts);
  term condition = term_and_all(s->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  out->keeps_locals = has_division(s->ts, condition);
  if (!clause_split_is_needed(s->ts, condition)) return add_cases_of(s, out, condition);
  out->split = clause_split_new(s->ts, s->env->budget, condition, &out->frame.dimensions);
  return clause_add_cases(s, number, TERM_TRUE, FIRST_CASES, &added);
}

/* ---- what matters ---- */

static bool derives_what_matters(const clause_system *s, const clause *c) {
  if (c->head == NO_PREDICATE) return c->property == s->env->property;
  return s->matters.at[c->head];
}

static void find_what_matters(clause_system *s) {
  for (size_t i = 0; i <= s->all->predicates.count; i++) VECTOR_PUSH(s->matters, i == s->all->predicates.count);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->all->clauses.count; i++) {
      const clause *c = &s->all->clauses.at[i];
      if (!derives_what_matters(s, c)) continue;
      for (size_t j = 0; j < c->body.count; j++) {
        more |= !s->matters.at[c->body.at[j].predicate];
        s->matters.at[c->body.at[j].predicate] = true;
      }
    }
  }
}

const char *clause_system_open(clause_system *s, engine_environment *env, const clauses *all, polyhedra *space) {
  *s = (clause_system){.env = env, .ts = env->model->terms, .all = all, .space = space};
  const char *why = NULL;
  find_what_matters(s);
  for (size_t i = 0; i <= all->predicates.count; i++) {
    case_frame f;
    frame_open(s, &f);
    for (size_t j = 0; i < all->predicates.count && j < all->predicates.at[i].parameters.count; j++)
      frame_add(&f, all->predicates.at[i].parameters.at[j]);
    VECTOR_PUSH(s->arguments, f);
  }
  for (size_t i = 0; i < all->clauses.count; i++) {
    VECTOR_PUSH(s->steps, (clause_steps){0});
    if (!why && derives_what_matters(s, &all->clauses.at[i])) why = make_steps(s, (uint32_t)i);
    if (!why) why = budget_spent(env->budget);
  }
  return why;
}

void clause_system_close(clause_system *s) {
  for (size_t i = 0; i < s->steps.count; i++) {
    clause_steps *c = &s->steps.at[i];
    for (size_t j = 0; j < c->blocks.count; j++) VECTOR_FREE(c->blocks.at[j]);
    for (size_t j = 0; j < c->cases.count; j++) polyhedron_free(c->cases.at[j]);
    VECTOR_FREE(c->blocks);
    VECTOR_FREE(c->cases);
    clause_split_free(c->split);
    frame_clear(&c->frame);
  }
  for (size_t i = 0; i < s->arguments.count; i++) frame_clear(&s->arguments.at[i]);
  VECTOR_FREE(s->steps);
  VECTOR_FREE(s->arguments);
  VECTOR_FREE(s->matters);
}

void clause_restrict(polyhedron *whole, const dimension_vector *block, const polyhedron *part) {
  row_vector rows = {0};
  polyhedron_rows(part, &rows);
  for (size_t i = 0; i < rows.count; i++) {
    linear_row r = row_new(polyhedron_dimension(whole));
    r.equality = rows.at[i].equality;
    r.strict = rows.at[i].strict;
    r.at[0] = rows.at[i].at[0];
    for (size_t j = 0; j < block->count; j++) r.at[1 + block->at[j]] = rows.at[i].at[1 + j];
    polyhedron_add(whole, &r);
    row_clear(&r);
  }
  rows_clear(&rows);
}
