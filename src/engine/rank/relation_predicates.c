/* Which predicates there are at first, and those that a lasso brings (relation_predicates.h). */
#include "engine/rank/relation_predicates.h"

#include "engine/rank/features.h"
#include "model/transform.h"
#include "term/substitute.h"

term relation_earlier(const relation_predicates *p, term t) {
  substitution *by = substitution_new(p->ts);
  for (size_t i = 0; i < p->earlier.count; i++)
    substitution_set(by, p->model->variables.at[i].var, term_of_variable(p->ts, p->earlier.at[i]));
  term result = substitution_apply(by, t);
  substitution_free(by);
  return result;
}

term relation_of_two(const relation_predicates *p, term predicate) {
  substitution *by = substitution_new(p->ts);
  for (size_t i = 0; i < p->earlier.count; i++) {
    variable v = p->model->variables.at[i].var;
    substitution_set(by, v, term_of_variable(p->ts, variable_next(p->ts, v)));
    substitution_set(by, p->earlier.at[i], term_of_variable(p->ts, v));
  }
  term result = substitution_apply(by, predicate);
  substitution_free(by);
  return result;
}

bool relation_predicates_add(relation_predicates *p, term predicate) {
  if (term_is_true(predicate) || term_is_false(predicate) || p->at.count >= MOST_RELATION_PREDICATES) return false;
  for (size_t i = 0; i < p->at.count; i++)
    if (term_same(p->at.at[i], predicate)) return false;
  VECTOR_PUSH(p->at, predicate);
  return true;
}

/* ---- measures ---- */

/* NULL if it is new. */
static const relation_measure *find_measure(const relation_predicates *p, term measure) {
  for (size_t i = 0; i < p->measures.count; i++)
    if (term_same(p->measures.at[i].measure, measure)) return &p->measures.at[i];
  return NULL;
}

static bool add_measure(relation_predicates *p, term measure) {
  terms *ts = p->ts;
  term earlier = relation_earlier(p, measure);
  term falls = term_and(ts, term_lt(ts, measure, earlier), term_le(ts, term_int(ts, 0), earlier));
  if (find_measure(p, measure) || !relation_predicates_add(p, falls)) return false;
  VECTOR_PUSH(p->measures, (relation_measure){measure, (uint32_t)p->at.count - 1});
  return true;
}

/* With inputs it would be for all of them: such a one is left out. */
static bool has_inputs(const relation_predicates *p, const transition *t, term predicate) {
  variable_vector inside = {0};
  bool has = false;
  term_variables(p->ts, 1, &predicate, &inside);
  for (size_t i = 0; i < inside.count; i++)
    for (size_t j = 0; j < t->inputs.count; j++) has |= variable_same(inside.at[i], t->inputs.at[j]);
  VECTOR_FREE(inside);
  return has;
}

bool relation_predicates_refine(relation_predicates *p, term measure, const transition_cases *word) {
  bool is_new = add_measure(p, measure);
  const relation_measure *known = find_measure(p, measure);
  if (!known) return is_new;
  term wanted = p->at.at[known->falls];
  for (size_t i = word->count; i-- > 1;) {
    const transition *t = &p->model->transitions.at[word->at[i].transition];
    wanted = term_implies(p->ts, word->at[i].when, transform_wp(p->model, t, wanted));
    if (has_inputs(p, t, wanted)) break;
    is_new |= relation_predicates_add(p, wanted);
  }
  return is_new;
}

/* ---- the first ones ---- */

/* A test of a place that is not in the cut tells nothing about earlier states. */
static bool is_possible_at(const relation_predicates *p, const place_cut *cut, term test) {
  variable_vector inside = {0};
  term_variables(p->ts, 1, &test, &inside);
  bool is_of_place = false, is_in_cut = false;
  for (size_t i = 0; i < cut->tests.count; i++) {
    variable_vector of = {0};
    term_variables(p->ts, 1, &cut->tests.at[i], &of);
    is_of_place |= inside.count == 1 && of.count == 1 && variable_same(inside.at[0], of.at[0]);
    is_in_cut |= term_same(cut->tests.at[i], test);
    VECTOR_FREE(of);
  }
  VECTOR_FREE(inside);
  return !is_of_place || (is_in_cut && cut->tests.count > 1);
}

static void add_places(relation_predicates *p, const place_cut *cut) {
  term_vector tests = {0};
  p->has_cut = relation_predicates_add(p, term_not(cut->cut));
  features_places(p->model, &tests);
  for (size_t i = 0; i < p->model->variables.count; i++) {
    variable v = p->model->variables.at[i].var;
    if (variable_type(p->ts, v)->sort != SORT_BOOL) continue;
    VECTOR_PUSH(tests, term_of_variable(p->ts, v));
    VECTOR_PUSH(tests, term_not(term_of_variable(p->ts, v)));
  }
  for (size_t i = 0; i < tests.count; i++) {
    relation_predicates_add(p, tests.at[i]);
    term earlier = relation_earlier(p, tests.at[i]);
    if (!p->has_cut || is_possible_at(p, cut, tests.at[i])) relation_predicates_add(p, earlier);
  }
  p->places = (uint32_t)p->at.count;
  VECTOR_FREE(tests);
}

static bool is_number(const relation_predicates *p, size_t variable_at) {
  const state_variable *v = &p->model->variables.at[variable_at];
  const type *of = variable_type(p->ts, v->var);
  return of->sort == SORT_INT && v->role != ROLE_LOCATION && !of->name_count;
}

static void add_numbers(relation_predicates *p, bool in_pairs) {
  terms *ts = p->ts;
  for (size_t i = 0; i < p->model->variables.count; i++)
    for (size_t j = 0; j < p->model->variables.count; j++) {
      if (!is_number(p, i) || !is_number(p, j) || (i != j && !in_pairs)) continue;
      term now = term_of_variable(ts, p->model->variables.at[i].var);
      term earlier = term_of_variable(ts, p->earlier.at[j]);
      relation_predicates_add(p, term_le(ts, now, earlier));
      if (i == j) relation_predicates_add(p, term_le(ts, earlier, now));
      if (in_pairs) relation_predicates_add(p, term_lt(ts, now, earlier));
    }
}

static void add_guards(relation_predicates *p) {
  const model *m = p->model;
  term_vector atoms = {0};
  for (size_t i = 0; i < m->transitions.count; i++) term_atoms(p->ts, m->transitions.at[i].guard, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    variable_vector inside = {0};
    term_variables(p->ts, 1, &atoms.at[i], &inside);
    bool is_of_state = true;
    for (size_t j = 0; j < inside.count; j++) is_of_state &= model_is_state_variable(m, inside.at[j]);
    if (is_of_state) {
      relation_predicates_add(p, atoms.at[i]);
      relation_predicates_add(p, term_not(atoms.at[i]));
    }
    VECTOR_FREE(inside);
  }
  VECTOR_FREE(atoms);
}

static void add_histories(relation_predicates *p) {
  relation_histories_open(p->model, &p->histories);
  for (size_t i = 0; i < p->histories.count; i++) {
    p->histories.at[i].predicate = (uint32_t)p->at.count;
    VECTOR_PUSH(p->at, term_of_variable(p->ts, p->histories.at[i].waits));
  }
}

bool relation_predicates_open(const model *m, relation_level level, const place_cut *cut, const term_vector *features,
                              bool has_fairness, relation_predicates *out) {
  *out = (relation_predicates){.model = m, .ts = m->terms};
  for (size_t i = 0; i < m->variables.count; i++) {
    type of = *variable_type(m->terms, m->variables.at[i].var); /* a copy: making a variable moves the table of types */
    char *stem = text_format("%s@earlier", variable_name(m->terms, m->variables.at[i].var));
    VECTOR_PUSH(out->earlier, variable_fresh(m->terms, stem, &of));
    memory_free(stem);
  }
  if (features->count > MOST_RELATION_PREDICATES / 2) return false;
  add_places(out, cut);
  if (has_fairness) add_histories(out);
  for (size_t i = 1; i < features->count; i++) add_measure(out, features->at[i]); /* the first is 1 */
  add_numbers(out, level >= RELATIONS_PAIRS);
  if (level >= RELATIONS_PAIRS) add_guards(out);
  return out->at.count < MOST_RELATION_PREDICATES;
}

void relation_predicates_clear(relation_predicates *p) {
  VECTOR_FREE(p->earlier);
  VECTOR_FREE(p->at);
  VECTOR_FREE(p->measures);
  VECTOR_FREE(p->histories);
}
