/* All questions have one form: does something that is asserted break a candidate? A model of it is a state that takes
 * candidates away, so that each question is the last or makes progress. */
#include "run/correspondence/correspondence.h"

#include "base/map.h"
#include "base/work.h"
#include "model/transform.h"
#include "run/correspondence/classes.h"
#include "run/correspondence/walk.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* How many conjuncts of guards are candidates. */
enum { MOST_CONJUNCTS = 1000 };

typedef struct search {
  model *m;
  terms *ts;
  budget *budget;
  walk *walk;
  classes *classes;     /* of variables that may be equal */
  term_vector formulas; /* conjuncts of guards, over states, that may hold always */
  map *names;           /* candidate -> the literal that says it holds before the step */
  substitution *next;   /* variables -> those after the step */
  number *values;       /* by variable: a state, maybe with inputs */
} search;

/* ---- candidates ---- */

static bool is_about_states(const model *m, term t) {
  variable_vector all = {0};
  bool is = true;
  term_variables(m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count && is; i++) is = model_is_state_variable(m, all.at[i]);
  VECTOR_FREE(all);
  return is;
}

static bool holds(const search *s, term t) { return !number_is(term_evaluate(s->ts, t, s->values), 0); }

static void find_formulas(search *s) {
  term_vector parts = {0};
  map *seen = map_new();
  for (size_t i = 0; i < s->m->transitions.count && !budget_spent(s->budget); i++) {
    VECTOR_CLEAR(parts);
    term_conjuncts(s->ts, s->m->transitions.at[i].guard, &parts);
    for (size_t j = 0; j < parts.count && s->formulas.count < MOST_CONJUNCTS; j++) {
      if (map_get(seen, parts.at[j].x, NULL)) continue;
      map_set(seen, parts.at[j].x, 1);
      if (is_about_states(s->m, parts.at[j])) VECTOR_PUSH(s->formulas, parts.at[j]);
    }
  }
  map_free(seen);
  VECTOR_FREE(parts);
}

/* Keeps those that hold in `s->values`; true if some do not. */
static bool drop_false(const search *s, term_vector *formulas) {
  size_t kept = 0, before = formulas->count;
  for (size_t i = 0; i < before; i++)
    if (holds(s, formulas->at[i])) formulas->at[kept++] = formulas->at[i];
  formulas->count = kept;
  return kept < before;
}

/* A reachable state, or one that a step leads to from a state in which all candidates hold. True if it breaks some. */
static bool refine(search *s, const number *state) {
  for (size_t i = 0; i < s->m->variables.count; i++) s->values[s->m->variables.at[i].var.x] = state[i];
  bool changed = classes_refine(s->classes, state);
  work_add(s->formulas.count + s->m->variables.count);
  return drop_false(s, &s->formulas) || changed;
}

static void visit(void *context, const number *state) { refine(context, state); }

static void list_candidates(const search *s, term_vector *out) {
  VECTOR_CLEAR(*out);
  classes_equalities(s->classes, out);
  for (size_t i = 0; i < s->formulas.count; i++) VECTOR_PUSH(*out, s->formulas.at[i]);
}

/* ---- questions ---- */

static term fresh(search *s) {
  return term_of_variable(s->ts, variable_fresh(s->ts, "holds", &(type){.sort = SORT_BOOL}));
}

/* The literal under which candidate `t` is assumed before the step. */
static term name_of(search *s, solver *z, term t) {
  uint64_t known;
  if (map_get(s->names, t.x, &known)) return (term){(uint32_t)known};
  term name = fresh(s);
  solver_assert(z, term_implies(s->ts, name, t));
  map_set(s->names, t.x, name.x);
  return name;
}

/* Can one of `broken` be false? `assumed` has room for one more. */
static answer ask(search *s, solver *z, const term_vector *broken, term_vector *assumed) {
  term asked = fresh(s);
  term all = term_and_all(s->ts, broken->count, broken->at);
  solver_assert(z, term_implies(s->ts, asked, term_not(all)));
  VECTOR_PUSH(*assumed, asked);
  return solver_check_assuming(z, assumed->count, assumed->at, 0);
}

/* The values of the state variables, or of the ones after the step. */
static bool read_state(search *s, solver *z, bool after, number *state) {
  variable *all = MEMORY_ARRAY(variable, s->m->variables.count);
  for (size_t i = 0; i < s->m->variables.count; i++) {
    variable v = s->m->variables.at[i].var;
    all[i] = after ? variable_next(s->ts, v) : v;
  }
  bool fine = solver_values(z, s->m->variables.count, all, state);
  memory_free(all);
  return fine;
}

/* Drops candidates until none can be false after what is asserted in `z`: an initial condition, or a step from a state in
 * which all of them hold. False if that is not known in the end. */
static bool drop_broken(search *s, solver *z, bool after_step) {
  term_vector candidates = {0}, broken = {0}, assumed = {0};
  number *state = MEMORY_ARRAY(number, s->m->variables.count);
  bool proved = false, progress = true;
  while (!proved && progress && !budget_spent(s->budget)) {
    list_candidates(s, &candidates);
    VECTOR_CLEAR(broken);
    VECTOR_CLEAR(assumed);
    for (size_t i = 0; i < candidates.count; i++) {
      term t = candidates.at[i];
      if (after_step) VECTOR_PUSH(assumed, name_of(s, z, t));
      VECTOR_PUSH(broken, after_step ? substitution_apply(s->next, t) : t);
    }
    answer a = ask(s, z, &broken, &assumed);
    proved = answer_is_no(a);
    progress = answer_is_yes(a) && read_state(s, z, after_step, state) && refine(s, state);
    if (progress && !after_step) walk_among_first(s->walk, state);
  }
  memory_free(state);
  VECTOR_FREE(candidates);
  VECTOR_FREE(broken);
  VECTOR_FREE(assumed);
  return proved;
}

/* ---- the parts ---- */

/* The first state; false if there is none, or none is found. */
static bool begin(search *s, solver *z) {
  number *state = MEMORY_ARRAY(number, s->m->variables.count);
  solver_assert(z, s->m->init);
  bool found = answer_is_yes(solver_check_assuming(z, 0, NULL, 0)) && read_state(s, z, false, state);
  if (found) {
    s->classes = classes_new(s->m, state);
    find_formulas(s);
    refine(s, state);
    s->walk = walk_new(s->m, s->budget, visit, s);
    walk_among_first(s->walk, state);
    walk_along_steps(s->walk, state);
  }
  memory_free(state);
  return found;
}

static bool are_initial(search *s) {
  solver *z = solver_new_for_assumptions(s->ts, s->budget);
  bool fine = begin(s, z) && drop_broken(s, z, false);
  solver_free(z);
  return fine;
}

static bool are_inductive(search *s) {
  solver *z = solver_new_for_assumptions(s->ts, s->budget);
  term_vector taken = {0};
  for (size_t i = 0; i < s->m->transitions.count && !budget_spent(s->budget); i++) {
    term is_taken = s->m->transitions.count == 1 ? TERM_TRUE : fresh(s);
    solver_assert(z, term_implies(s->ts, is_taken, transform_relation(s->m, &s->m->transitions.at[i])));
    VECTOR_PUSH(taken, is_taken);
  }
  solver_assert(z, term_or_all(s->ts, taken.count, taken.at));
  bool fine = drop_broken(s, z, true);
  VECTOR_FREE(taken);
  solver_free(z);
  return fine;
}

typedef VECTOR(conjunct_place) place_vector;

static void keep_true(const search *s, term_vector *conjuncts, place_vector *places) {
  size_t kept = 0;
  for (size_t i = 0; i < conjuncts->count; i++) {
    if (!holds(s, conjuncts->at[i])) continue;
    conjuncts->at[kept] = conjuncts->at[i];
    places->at[kept++] = places->at[i];
  }
  conjuncts->count = places->count = kept;
}

static void list_conjuncts(const search *s, term_vector *conjuncts, place_vector *places) {
  term_vector parts = {0};
  for (uint32_t i = 0; i < s->m->transitions.count; i++) {
    VECTOR_CLEAR(parts);
    term_conjuncts(s->ts, s->m->transitions.at[i].guard, &parts);
    for (uint32_t j = 0; j < parts.count && conjuncts->count < MOST_CONJUNCTS; j++) {
      VECTOR_PUSH(*conjuncts, parts.at[j]);
      VECTOR_PUSH(*places, (conjunct_place){i, j});
    }
  }
  VECTOR_FREE(parts);
}

/* Which conjuncts of guards follow from what was found, whatever the inputs are. Those for which that stays open do not
 * count. */
static void find_redundant(search *s, const term_vector *found, known_invariants *out) {
  solver *z = solver_new_for_assumptions(s->ts, s->budget);
  term_vector conjuncts = {0}, assumed = {0};
  place_vector places = {0};
  variable_vector all = {0};
  bool proved = false, progress = true;
  list_conjuncts(s, &conjuncts, &places);
  term_variables(s->ts, conjuncts.count, conjuncts.at, &all);
  number *values = MEMORY_ARRAY(number, all.count + 1);
  for (size_t i = 0; i < found->count; i++) solver_assert(z, found->at[i]);
  while (!proved && progress && !budget_spent(s->budget)) {
    size_t before = conjuncts.count;
    VECTOR_CLEAR(assumed);
    answer a = ask(s, z, &conjuncts, &assumed);
    proved = answer_is_no(a);
    progress = answer_is_yes(a) && solver_values(z, all.count, all.at, values);
    for (size_t i = 0; i < all.count && progress; i++) s->values[all.at[i].x] = values[i];
    if (progress) keep_true(s, &conjuncts, &places);
    progress = progress && conjuncts.count < before;
  }
  for (size_t i = 0; i < places.count && proved; i++) VECTOR_PUSH(out->redundant, places.at[i]);
  memory_free(values);
  VECTOR_FREE(all);
  VECTOR_FREE(conjuncts);
  VECTOR_FREE(places);
  VECTOR_FREE(assumed);
  solver_free(z);
}

void correspondence_find(model *m, budget *b, known_invariants *out) {
  if (m->has_heap || terms_have_reals(m->terms)) return;
  search s = {.m = m, .ts = m->terms, .budget = b, .names = map_new(), .next = substitution_new(m->terms)};
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    substitution_set(s.next, v, term_of_variable(m->terms, variable_next(m->terms, v)));
  }
  s.values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  if (are_initial(&s) && are_inductive(&s)) {
    list_candidates(&s, &out->formulas);
    if (out->formulas.count) find_redundant(&s, &out->formulas, out);
  }
  walk_free(s.walk);
  classes_free(s.classes);
  VECTOR_FREE(s.formulas);
  map_free(s.names);
  substitution_free(s.next);
  memory_free(s.values);
}
