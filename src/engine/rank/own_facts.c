/* What is tried, and what steps break (own_facts.h). */
#include "engine/rank/own_facts.h"

#include "model/transform.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "term/fold.h"

/* Formulas that are tried at each place, and places. */
enum { MOST_FORMULAS = 30, MOST_PLACES = 40 };

/* A formula, at a place or everywhere. */
typedef struct candidate {
  term says;
  uint32_t formula;
  bool is_everywhere;
} candidate;

typedef struct fact_search {
  engine_environment *env;
  const model *model;
  terms *ts;
  term_vector formulas;
  VECTOR(candidate) kept;
  solver *solver;
} fact_search;

/* ---- what is tried ---- */

static void add_formula(fact_search *f, term t) {
  variable_vector inside = {0};
  term_variables(f->ts, 1, &t, &inside);
  bool fits = inside.count > 0 && f->formulas.count < MOST_FORMULAS;
  for (size_t i = 0; i < inside.count && fits; i++) {
    fits = model_is_state_variable(f->model, inside.at[i]);
    for (size_t j = 0; j < f->model->variables.count && fits; j++)
      fits = !variable_same(f->model->variables.at[j].var, inside.at[i]) ||
             f->model->variables.at[j].role != ROLE_LOCATION;
  }
  for (size_t i = 0; i < f->formulas.count && fits; i++) fits = !term_same(f->formulas.at[i], t);
  if (fits) VECTOR_PUSH(f->formulas, t);
  VECTOR_FREE(inside);
}

static void add_atoms(fact_search *f, term of) {
  term_vector atoms = {0};
  term_atoms(f->ts, of, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    add_formula(f, atoms.at[i]);
    add_formula(f, term_not(atoms.at[i]));
  }
  VECTOR_FREE(atoms);
}

static void find_formulas(fact_search *f) {
  const model *m = f->model;
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    const type *of = variable_type(f->ts, v);
    if (of->sort != SORT_INT || of->name_count) continue;
    term now = term_of_variable(f->ts, v), zero = term_int(f->ts, 0);
    add_formula(f, term_le(f->ts, zero, now));
    add_formula(f, term_le(f->ts, now, zero));
  }
  add_atoms(f, m->init);
  for (size_t i = 0; i < m->transitions.count; i++) add_atoms(f, m->transitions.at[i].guard);
}

/* The one place, if there is one that has few values. */
static bool find_place(const fact_search *f, variable *place, int64_t *low, int64_t *high) {
  size_t places = 0;
  for (size_t i = 0; i < f->model->variables.count; i++)
    if (f->model->variables.at[i].role == ROLE_LOCATION) *place = f->model->variables.at[i].var, places++;
  if (places != 1) return false;
  const type *of = variable_type(f->ts, *place);
  return of->has_low && of->has_high && number_to_int64(of->low, low) && number_to_int64(of->high, high) &&
         *high - *low < MOST_PLACES;
}

static void find_candidates(fact_search *f) {
  variable place = {0};
  int64_t low = 0, high = 0;
  bool has_place = find_place(f, &place, &low, &high);
  find_formulas(f);
  for (uint32_t i = 0; i < f->formulas.count; i++) {
    VECTOR_PUSH(f->kept, (candidate){f->formulas.at[i], i, true});
    for (int64_t at = low; at <= high && has_place; at++) {
      term here = term_eq(f->ts, term_of_variable(f->ts, place), term_int(f->ts, at));
      VECTOR_PUSH(f->kept, (candidate){term_implies(f->ts, here, f->formulas.at[i]), i, false});
    }
  }
}

/* ---- what is kept ---- */

/* A candidate initially, or after the transition. */
static term said(const fact_search *f, const transition *t, term candidate) {
  return t ? transform_after(f->model, t, candidate) : candidate;
}

static void leave_out_broken(fact_search *f, const transition *t) {
  number_vector values = {0};
  size_t kept = 0;
  for (size_t i = 0; i < variable_count(f->ts); i++) VECTOR_PUSH(values, number_of(0));
  for (size_t i = 0; i < f->model->variables.count; i++) {
    variable v = f->model->variables.at[i].var;
    values.at[v.x] = solver_value(f->solver, v);
  }
  for (size_t i = 0; t && i < t->inputs.count; i++)
    values.at[t->inputs.at[i].x] = solver_value(f->solver, t->inputs.at[i]);
  for (size_t i = 0; i < f->kept.count; i++)
    if (number_is(term_evaluate(f->ts, said(f, t, f->kept.at[i].says), values.at), 1))
      f->kept.at[kept++] = f->kept.at[i];
  f->kept.count = kept == f->kept.count ? 0 : kept; /* that none is broken cannot be: not to ask for ever */
  VECTOR_FREE(values);
}

/* Of the initial states, or of the transition from states in which all hold. */
static answer some_is_broken(fact_search *f, const transition *t) {
  term_vector ways = {0}, all = {0};
  for (size_t i = 0; i < f->kept.count; i++) {
    VECTOR_PUSH(all, f->kept.at[i].says);
    VECTOR_PUSH(ways, term_not(said(f, t, f->kept.at[i].says)));
  }
  solver_push(f->solver);
  solver_assert(f->solver, term_or_all(f->ts, ways.count, ways.at));
  solver_assert(f->solver, t ? transition_enabled(f->model, t) : f->model->init);
  if (t) solver_assert(f->solver, term_and_all(f->ts, all.count, all.at));
  answer a = solver_check(f->solver, 0);
  if (answer_is_yes(a)) leave_out_broken(f, t);
  if (answer_is_unsure(a)) f->kept.count = 0;
  solver_pop(f->solver);
  VECTOR_FREE(ways);
  VECTOR_FREE(all);
  return a;
}

static bool keep_valid(fact_search *f, const transition *t) {
  bool changed = false;
  while (f->kept.count && !answer_is_no(some_is_broken(f, t))) changed = true;
  return changed;
}

/* The same is kept for all places. */
static bool is_needless(const fact_search *f, const candidate *c) {
  for (size_t i = 0; i < f->kept.count && !c->is_everywhere; i++)
    if (f->kept.at[i].is_everywhere && f->kept.at[i].formula == c->formula) return true;
  return false;
}

void own_facts_find(engine_environment *env, term_vector *out) {
  fact_search f = {.env = env, .model = env->model, .ts = env->model->terms};
  f.solver = solver_new(f.ts, env->budget);
  for (size_t i = 0; i < env->facts.count; i++) solver_assert(f.solver, env->facts.at[i]);
  find_candidates(&f);
  keep_valid(&f, NULL);
  for (bool changed = true; changed && f.kept.count;) {
    changed = false;
    for (size_t i = 0; i < f.model->transitions.count; i++) changed |= keep_valid(&f, &f.model->transitions.at[i]);
  }
  for (size_t i = 0; i < f.kept.count; i++)
    if (!is_needless(&f, &f.kept.at[i])) VECTOR_PUSH(*out, f.kept.at[i].says);
  solver_free(f.solver);
  VECTOR_FREE(f.formulas);
  VECTOR_FREE(f.kept);
}
