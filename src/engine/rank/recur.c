/* Random runs, and what of them can be repeated for ever (recur.h). */
#include "engine/rank/recur.h"

#include "base/random.h"
#include "base/work.h"
#include "model/transform.h"
#include "proof/recurrence.h"
#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"
#include "term/fold.h"

/* Steps of a run; formulas of a place; values that are tried for the inputs of a step; moduli of what a step adds. */
enum { RUN_LENGTH = 48, MOST_FORMULAS = 60, MOST_TRIES = 6, MOST_MODULUS = 8, MOST_CUTS = 100, WORK_OF_RUN = 200 };

struct recur {
  engine_environment *env;
  const model *model;
  terms *ts;
  temporal_promise promise;
  term_vector formulas; /* that the model suggests */
  random_source random;
  solver *solver;
  variable place; /* the one location */
  bool has_place;
};

/* ---- formulas ---- */

static void add_formula(recur *r, term t) {
  variable_vector inside = {0};
  term_variables(r->ts, 1, &t, &inside);
  bool fits = inside.count > 0 && r->formulas.count < MOST_FORMULAS;
  for (size_t i = 0; i < inside.count && fits; i++) fits = model_is_state_variable(r->model, inside.at[i]);
  for (size_t i = 0; i < r->formulas.count && fits; i++) fits = !term_same(r->formulas.at[i], t);
  if (fits) VECTOR_PUSH(r->formulas, t);
  VECTOR_FREE(inside);
}

static void add_atoms(recur *r, term of) {
  term_vector atoms = {0};
  term_atoms(r->ts, of, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    add_formula(r, atoms.at[i]);
    add_formula(r, term_not(atoms.at[i]));
  }
  VECTOR_FREE(atoms);
}

/* What the number is modulo what a step adds to it. */
static void add_moduli(recur *r, const update *u) {
  number added;
  int64_t modulus = 0;
  term now = term_of_variable(r->ts, u->var);
  if (variable_type(r->ts, u->var)->sort != SORT_INT || term_sort(r->ts, u->value) != SORT_INT) return;
  if (!term_is_number(r->ts, term_sub(r->ts, u->value, now), &added) || !number_to_int64(added, &modulus)) return;
  if (modulus < 0) modulus = -modulus;
  for (int64_t i = 0; i < modulus && modulus > 1 && modulus <= MOST_MODULUS; i++)
    add_formula(r, term_eq(r->ts, term_mod(r->ts, now, term_int(r->ts, modulus)), term_int(r->ts, i)));
}

static void add_signs(recur *r, variable v) {
  term now = term_of_variable(r->ts, v), zero = term_int(r->ts, 0);
  if (variable_type(r->ts, v)->sort != SORT_INT) return;
  add_formula(r, term_eq(r->ts, now, zero));
  add_formula(r, term_le(r->ts, zero, now));
  add_formula(r, term_le(r->ts, now, zero));
  add_formula(r, term_lt(r->ts, zero, now));
  add_formula(r, term_lt(r->ts, now, zero));
}

static void find_formulas(recur *r) {
  const model *m = r->model;
  add_atoms(r, r->promise.gives);
  for (size_t i = 0; i < m->transitions.count; i++) add_atoms(r, m->transitions.at[i].guard);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++) add_moduli(r, &m->transitions.at[i].updates.at[j]);
  for (size_t i = 0; i < m->variables.count; i++) add_signs(r, m->variables.at[i].var);
  for (size_t i = 0; i < r->env->facts.count; i++) add_formula(r, r->env->facts.at[i]);
}

recur *recur_new(engine_environment *env, const temporal_promise *promise) {
  recur *r = MEMORY_NEW(recur);
  *r = (recur){.env = env, .model = env->model, .ts = env->model->terms, .promise = *promise, .random = {7}};
  r->solver = solver_new(r->ts, env->budget);
  size_t places = 0;
  for (size_t i = 0; i < r->model->variables.count; i++)
    if (r->model->variables.at[i].role == ROLE_LOCATION) r->place = r->model->variables.at[i].var, places++;
  r->has_place = places == 1;
  find_formulas(r);
  return r;
}

void recur_free(recur *r) {
  if (!r) return;
  VECTOR_FREE(r->formulas);
  solver_free(r->solver);
  memory_free(r);
}

/* ---- a random run ---- */

static bool holds(const recur *r, const trace_step *s, term t) {
  number_vector values = {0};
  trace_assignment(r->model, s->values.at, NULL, NULL, &values);
  bool result = number_is(term_evaluate(r->ts, t, values.at), 1);
  VECTOR_FREE(values);
  return result;
}

static number random_value(recur *r, const type *t) {
  static const int64_t reach[] = {1, 3, 20, 1000};
  int64_t most = reach[random_below(&r->random, ARRAY_LENGTH(reach))];
  number n =
      number_of(t->sort == SORT_BOOL ? (int64_t)random_below(&r->random, 2) : random_between(&r->random, -most, most));
  if (t->has_low && number_compare(n, t->low) < 0) n = t->low;
  if (t->has_high && number_compare(n, t->high) > 0) n = t->high;
  return n;
}

/* An initial state, with as many random values as there may be. */
static bool begin(recur *r, trace_step *out) {
  const model *m = r->model;
  solver_push(r->solver);
  solver_assert(r->solver, m->init);
  bool fine = answer_is_yes(solver_check(r->solver, 0));
  for (size_t i = 0; i < m->variables.count && fine; i++) {
    variable v = m->variables.at[i].var;
    term wish = fixed_term(r->ts, v, random_value(r, variable_type(r->ts, v)));
    if (answer_is_yes(solver_satisfiable(r->solver, wish))) solver_assert(r->solver, wish);
  }
  fine = fine && answer_is_yes(solver_check(r->solver, 0));
  for (size_t i = 0; i < m->variables.count && fine; i++)
    VECTOR_PUSH(out->values, solver_value(r->solver, m->variables.at[i].var));
  solver_pop(r->solver);
  return fine;
}

/* Takes the transition with random inputs, if that can be; else false. */
static bool take(recur *r, const trace_step *from, uint32_t number_of_transition, trace_step *out) {
  const model *m = r->model;
  const transition *t = &m->transitions.at[number_of_transition];
  number_vector values = {0};
  bool found = false;
  term can = term_and(r->ts, transition_enabled(m, t), condition_types_after(m, t));
  for (size_t tries = t->inputs.count ? MOST_TRIES : 1; tries && !found; tries--) {
    VECTOR_CLEAR(out->inputs);
    for (size_t i = 0; i < t->inputs.count; i++)
      VECTOR_PUSH(out->inputs, random_value(r, variable_type(r->ts, t->inputs.at[i])));
    trace_assignment(m, from->values.at, t, out->inputs.at, &values);
    found = number_is(term_evaluate(r->ts, can, values.at), 1);
  }
  out->transition = number_of_transition;
  for (size_t i = 0; i < m->variables.count && found; i++) VECTOR_PUSH(out->values, from->values.at[i]);
  for (size_t i = 0; i < m->variables.count && found; i++) {
    term after = transform_after(m, t, term_of_variable(r->ts, m->variables.at[i].var));
    out->values.at[i] = term_evaluate(r->ts, after, values.at);
  }
  VECTOR_FREE(values);
  return found;
}

/* One more step by some transition, to a state in which the promise is not kept if it is open. */
static bool go_on(recur *r, bool is_open, trace *run) {
  size_t count = r->model->transitions.count, first = count ? random_below(&r->random, count) : 0;
  for (size_t i = 0; i < count; i++) {
    trace_step next = {0};
    if (take(r, &VECTOR_LAST(*run), (uint32_t)((first + i) % count), &next) &&
        !(is_open && holds(r, &next, r->promise.gives))) {
      VECTOR_PUSH(*run, next);
      return true;
    }
    VECTOR_FREE(next.inputs);
    VECTOR_FREE(next.values);
  }
  return false;
}

static bool walk(recur *r, trace *run) {
  trace_step first = {0};
  bool fine = begin(r, &first);
  if (fine)
    VECTOR_PUSH(*run, first);
  else
    VECTOR_FREE(first.values);
  term opens = term_and(r->ts, r->promise.asks, term_not(r->promise.gives));
  bool is_open = fine && holds(r, &first, opens);
  fine = fine && (is_open || r->promise.is_always);
  while (fine && run->count < RUN_LENGTH) {
    fine = go_on(r, is_open, run);
    is_open = is_open || holds(r, &VECTOR_LAST(*run), opens);
    fine = fine && (is_open || run->count < RUN_LENGTH / 2);
  }
  return fine;
}

/* ---- what of it stays ---- */

/* The set of states at one place. */
typedef struct kept_set {
  number at;
  term_vector formulas;
} kept_set;
typedef VECTOR(kept_set) kept_sets;

static number place_of(const recur *r, const trace_step *s) {
  for (size_t i = 0; i < r->model->variables.count && r->has_place; i++)
    if (variable_same(r->model->variables.at[i].var, r->place)) return s->values.at[i];
  return number_of(0);
}

static kept_set *set_at(const recur *r, kept_sets *sets, const trace_step *s) {
  number at = place_of(r, s);
  for (size_t i = 0; i < sets->count; i++)
    if (number_equal(sets->at[i].at, at)) return &sets->at[i];
  kept_set made = {.at = at};
  VECTOR_COPY(made.formulas, r->formulas);
  VECTOR_PUSH(*sets, made);
  return &VECTOR_LAST(*sets);
}

/* Leaves out what is not true of the state. */
static bool leave_out(const recur *r, kept_set *set, const trace_step *s) {
  size_t kept = 0;
  for (size_t i = 0; i < set->formulas.count; i++)
    if (holds(r, s, set->formulas.at[i])) set->formulas.at[kept++] = set->formulas.at[i];
  bool changed = kept < set->formulas.count;
  set->formulas.count = kept;
  return changed;
}

static term region_of(const recur *r, const kept_sets *sets) {
  term_vector parts = {0};
  for (size_t i = 0; i < sets->count; i++) {
    term all = term_and_all(r->ts, sets->at[i].formulas.count, sets->at[i].formulas.at);
    if (r->has_place) all = term_and(r->ts, all, fixed_term(r->ts, r->place, sets->at[i].at));
    VECTOR_PUSH(parts, all);
  }
  term result = term_or_all(r->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

static bool is_same_choice(const trace_step *a, const trace_step *b) {
  bool same = a->transition == b->transition;
  for (size_t i = 0; i < a->inputs.count && same; i++) same = number_equal(a->inputs.at[i], b->inputs.at[i]);
  return same;
}

static void add_choice(trace *choices, const trace_step *s) {
  for (size_t i = 0; i < choices->count; i++)
    if (is_same_choice(&choices->at[i], s)) return;
  trace_step made = {.transition = s->transition};
  VECTOR_COPY(made.inputs, s->inputs);
  VECTOR_PUSH(*choices, made);
}

/* The state after the first choice that can be taken in the state of the solver's values, at a place with a set. */
static bool step_from_model(recur *r, const trace *choices, kept_sets *sets, trace_step *out) {
  const model *m = r->model;
  trace_step from = {0};
  bool found = false;
  for (size_t i = 0; i < m->variables.count; i++)
    VECTOR_PUSH(from.values, solver_value(r->solver, m->variables.at[i].var));
  number_vector values = {0};
  for (size_t i = 0; i < choices->count && !found; i++) {
    const trace_step *c = &choices->at[i];
    const transition *t = &m->transitions.at[c->transition];
    trace_assignment(m, from.values.at, t, c->inputs.at, &values);
    term can = term_and(r->ts, transition_enabled(m, t), condition_types_after(m, t));
    if (!number_is(term_evaluate(r->ts, can, values.at), 1)) continue;
    VECTOR_CLEAR(out->values);
    for (size_t j = 0; j < m->variables.count; j++)
      VECTOR_PUSH(
          out->values,
          term_evaluate(r->ts, transform_after(m, t, term_of_variable(r->ts, m->variables.at[j].var)), values.at));
    size_t known = sets->count;
    for (size_t j = 0; j < known; j++) found |= number_equal(sets->at[j].at, place_of(r, out));
  }
  VECTOR_FREE(values);
  VECTOR_FREE(from.values);
  return found;
}

/* Leaves out formulas until one of the choices stays in the sets. False if that cannot be. */
static bool make_closed(recur *r, kept_sets *sets, evidence *e) {
  for (size_t cuts = 0; cuts < MOST_CUTS; cuts++) {
    e->region = region_of(r, sets);
    solver_push(r->solver);
    solver_assert(r->solver, recurrence_leaves(r->model, e));
    answer a = solver_check(r->solver, 0);
    trace_step next = {0};
    bool goes_on =
        answer_is_yes(a) && step_from_model(r, &e->choices, sets, &next) && leave_out(r, set_at(r, sets, &next), &next);
    solver_pop(r->solver);
    VECTOR_FREE(next.values);
    if (answer_is_no(a)) return true;
    if (!goes_on || budget_spent(r->env->budget)) return false;
  }
  return false;
}

static bool is_open_in(recur *r, term region) {
  return answer_is_no(solver_satisfiable(r->solver, term_and(r->ts, region, r->promise.gives)));
}

/* The second half of the run says what is to stay, all of it by which steps. */
static bool find_region(recur *r, const trace *run, evidence *e) {
  kept_sets sets = {0};
  for (size_t i = 1; i < run->count; i++) add_choice(&e->choices, &run->at[i]);
  for (size_t i = run->count / 2; i < run->count; i++) leave_out(r, set_at(r, &sets, &run->at[i]), &run->at[i]);
  bool found = make_closed(r, &sets, e) && is_open_in(r, e->region);
  for (size_t i = 0; i < sets.count; i++) VECTOR_FREE(sets.at[i].formulas);
  VECTOR_FREE(sets);
  return found;
}

/* The run up to the first state of the region; if the promise need not be open from the first state on, to one in the middle. */
static void claim_run(recur *r, trace *run, evidence *e) {
  size_t last = r->promise.is_always ? run->count / 2 : 0;
  while (!holds(r, &run->at[last], e->region)) last++;
  for (size_t i = 0; i <= last; i++) VECTOR_PUSH(e->steps, run->at[i]);
  for (size_t i = last + 1; i < run->count; i++) {
    VECTOR_FREE(run->at[i].inputs);
    VECTOR_FREE(run->at[i].values);
  }
  VECTOR_FREE(*run);
}

bool recur_try(recur *r, claim *out) {
  trace run = {0};
  evidence e = {.kind = EVIDENCE_RECURRENCE};
  work_add(WORK_OF_RUN);
  bool found = walk(r, &run) && find_region(r, &run, &e);
  if (!found) {
    trace_clear(&run);
    evidence_clear(&e);
    return false;
  }
  claim_run(r, &run, &e);
  out->verdict = VERDICT_FAILS;
  out->evidence = e;
  return true;
}
