/* Namjoshi, Kurshan 2000, Fig. 3: step 1 is `collect`, step 2 `run_rounds` with `update_of` for the simplified wlp;
 * section 4.3: `project_action`.
 *
 * Instead of wlp_a(P) = g => P[e] the value P[e] itself is kept, simplified under g: the transition relation
 * conjoins the guard anyway. */
#include "engine/syntactic/closure.h"

#include "base/instruments/log.h"
#include "base/map.h"
#include "engine/syntactic/simplify_in_context.h"
#include "model/transform.h"

enum { MOST_CASES = 4096 };

/* ---- atoms ---- */

static bool is_known(const closure *c, const closure_action *a, term atom) {
  if (map_get(c->position, term_index(atom), NULL)) return true;
  for (size_t i = 0; a && i < a->mixed.count; i++)
    if (term_same(a->mixed.at[i], atom)) return true;
  return false;
}

static void add_atom(closure *c, closure_action *a, term atom) {
  if (is_known(c, a, atom)) return;
  if (predicate_model_is_of_state(c->system, atom)) {
    map_set(c->position, term_index(atom), c->predicates.count);
    VECTOR_PUSH(c->predicates, atom);
  } else {
    REQUIRE(a, "atoms over inputs come from actions");
    VECTOR_PUSH(a->mixed, atom);
  }
}

static void add_atoms(closure *c, closure_action *a, term t) {
  term_vector atoms = {0};
  predicate_model_data_atoms(c->system, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++) add_atom(c, a, atoms.at[i]);
  VECTOR_FREE(atoms);
}

/* ---- expressed by known predicates, or new ---- */

static bool variables_within(const terms *ts, term t, const map *allowed) {
  variable_vector all = {0};
  term_variables(ts, 1, &t, &all);
  bool within = true;
  for (size_t i = 0; i < all.count && within; i++) within = map_get(allowed, all.at[i].x, NULL);
  VECTOR_FREE(all);
  return within;
}

static void add_variables(const terms *ts, const term_vector *atoms, map *to) {
  variable_vector all = {0};
  term_variables(ts, atoms->count, atoms->at, &all);
  for (size_t i = 0; i < all.count; i++) map_set(to, all.at[i].x, 1);
  VECTOR_FREE(all);
}

static bool is_data_literal(const closure *c, term t) {
  return term_is_atom(c->system->ts, t) && !predicate_model_is_control(c->system, t);
}

/* The conjuncts of `t` that are literals about data, and about nothing but the allowed variables if these are given.
 * Others would make the search for assignments slow, and what they say is seen in the values of their atoms. */
static term data_part(const closure *c, term t, const map *allowed) {
  terms *ts = c->system->ts;
  term_vector parts = {0}, kept = {0};
  term_conjuncts(ts, t, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (is_data_literal(c, parts.at[i]) && (!allowed || variables_within(ts, parts.at[i], allowed)))
      VECTOR_PUSH(kept, parts.at[i]);
  term result = term_and_all(ts, kept.count, kept.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  return result;
}

static bool define(closure *c, const closure_action *a, const term_vector *atoms, const term_vector *fresh, term *t) {
  terms *ts = c->system->ts;
  term_vector known = {0};
  map *about = map_new();
  add_variables(ts, atoms, about);
  for (size_t i = 0; i < c->predicates.count; i++)
    if (variables_within(ts, c->predicates.at[i], about)) VECTOR_PUSH(known, c->predicates.at[i]);
  for (size_t i = 0; i < a->mixed.count; i++)
    if (variables_within(ts, a->mixed.at[i], about)) VECTOR_PUSH(known, a->mixed.at[i]);
  bool fine = known.count && simplify_define(ts, c->allsat, *t, data_part(c, a->enabled, about), &known, fresh, t);
  map_free(about);
  VECTOR_FREE(known);
  c->defined += fine;
  return fine;
}

/* `t` over known atoms if that is possible; else its other atoms become known. */
static term adopt(closure *c, closure_action *a, term t) {
  term_vector atoms = {0}, fresh = {0};
  predicate_model_data_atoms(c->system, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++)
    if (!is_known(c, a, atoms.at[i])) VECTOR_PUSH(fresh, atoms.at[i]);
  if (fresh.count && !define(c, a, &atoms, &fresh, &t))
    for (size_t i = 0; i < fresh.count; i++) add_atom(c, a, fresh.at[i]);
  VECTOR_FREE(atoms);
  VECTOR_FREE(fresh);
  return t;
}

static term simplify(const closure *c, const closure_action *a, term t) {
  const predicate_model *s = c->system;
  t = simplify_in_context(s->ts, predicate_model_prepare(s, t), 2, (term[]){a->enabled, s->facts});
  return predicate_model_prepare(s, t);
}

static term update_of(closure *c, closure_action *a, term predicate) {
  term after = transform_after(c->system->model, &c->system->model->transitions.at[a->transition], predicate);
  return term_same(after, predicate) ? predicate : adopt(c, a, simplify(c, a, after));
}

/* ---- the start ---- */

static void add_action(closure *c, const predicate_action *from) {
  closure_action a = {.transition = from->transition, .possible = TERM_TRUE};
  const term *facts = &c->system->facts;
  a.enabled = predicate_model_prepare(c->system, simplify_in_context(c->system->ts, from->enabled, 1, facts));
  for (size_t i = 0; i < from->updates.count; i++) {
    control_update u = {.control = from->updates.at[i].control};
    for (size_t k = 0; k < from->updates.at[i].when.count; k++)
      VECTOR_PUSH(u.when, simplify(c, &a, from->updates.at[i].when.at[k]));
    VECTOR_PUSH(a.updates, u);
  }
  VECTOR_PUSH(c->actions, a);
}

static void collect(closure *c, size_t count, const term *preserved) {
  const predicate_model *s = c->system;
  for (size_t i = 0; i < count; i++) add_atoms(c, NULL, predicate_model_prepare(s, preserved[i]));
  add_atoms(c, NULL, s->init);
  for (size_t i = 0; i < s->actions.count; i++) add_action(c, &s->actions.at[i]);
  for (size_t i = 0; i < c->actions.count; i++) add_atoms(c, &c->actions.at[i], c->actions.at[i].enabled);
  for (size_t i = 0; i < c->actions.count; i++) {
    closure_action *a = &c->actions.at[i];
    for (size_t j = 0; j < a->updates.count; j++)
      for (size_t k = 0; k < a->updates.at[j].when.count; k++) add_atoms(c, a, a->updates.at[j].when.at[k]);
  }
}

/* ---- rounds ---- */

static bool may_go_on(const closure *c, closure_limits limits) {
  return (!limits.rounds || c->rounds < limits.rounds) &&
         (!limits.predicates || c->predicates.count <= limits.predicates);
}

static void run_rounds(closure *c, closure_limits limits) {
  while (c->old < c->predicates.count && may_go_on(c, limits) && !c->trouble) {
    size_t last = c->predicates.count;
    c->rounds++;
    for (size_t i = c->old; i < last && !c->trouble; i++) {
      for (size_t j = 0; j < c->actions.count; j++) {
        term after = update_of(c, &c->actions.at[j], c->predicates.at[i]);
        VECTOR_PUSH(c->actions.at[j].after, after);
      }
      c->trouble = budget_spent(c->budget);
    }
    c->old = last;
    LOG(syntactic, "round %zu: %zu predicates", (size_t)c->rounds, c->predicates.count);
  }
}

/* ---- inputs ---- */

bool closure_without_inputs(const predicate_model *s, presburger *p, term t, term *out) {
  t = predicate_model_prepare(s, t);
  if (!predicate_model_without_inputs(s, p, t, TERM_TRUE, out)) return false;
  *out = predicate_model_prepare(s, *out);
  return true;
}

/* The conjuncts of the guard about the state's data alone. */
static term state_part(const closure *c, const closure_action *a) {
  term_vector parts = {0}, kept = {0};
  term_conjuncts(c->system->ts, a->enabled, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (is_data_literal(c, parts.at[i]) && predicate_model_is_of_state(c->system, parts.at[i]) &&
        presburger_can(c->system->ts, parts.at[i]))
      VECTOR_PUSH(kept, parts.at[i]);
  term result = term_and_all(c->system->ts, kept.count, kept.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  return result;
}

/* The states for which some inputs give the mixed atoms these values; false if that cannot be computed. */
static bool project_row(closure *c, closure_action *a, const cells *rows, size_t row, term *out) {
  terms *ts = c->system->ts;
  term_vector literals = {0};
  map *by = map_new();
  for (size_t i = 0; i < rows->atoms; i++) {
    bool value = cells_has(rows, row, i);
    VECTOR_PUSH(literals, value ? a->mixed.at[i] : term_not(a->mixed.at[i]));
    map_set(by, term_index(a->mixed.at[i]), term_of_bool(value).x);
  }
  term all = term_and_all(ts, literals.count, literals.at);
  bool enabled = !term_is_false(simplify_replace(ts, a->enabled, by)), fine = true;
  *out = TERM_FALSE;
  if (enabled) {
    fine = predicate_model_without_inputs(c->system, c->sets, all, state_part(c, a), out);
    if (fine) *out = adopt(c, a, simplify(c, a, *out));
  }
  map_free(by);
  VECTOR_FREE(literals);
  return fine;
}

/* The rows from..to agree on all atoms before `depth`, which is at most the number of mixed atoms. */
static term rows_term(terms *ts, const closure_action *a, const cells *rows, const term *value, size_t from, size_t to,
                      size_t depth) {
  if (from == to) return TERM_FALSE;
  if (depth == rows->atoms) return value[from];
  size_t middle = from;
  while (middle < to && cells_has(rows, middle, depth)) middle++;
  term yes = rows_term(ts, a, rows, value, from, middle, depth + 1),
       no = rows_term(ts, a, rows, value, middle, to, depth + 1);
  return term_ite(ts, a->mixed.at[depth], yes, no);
}

static bool project_action(closure *c, closure_action *a) {
  const char *reason;
  const cells *rows = allsat_cells(c->allsat, a->mixed.count, a->mixed.at, data_part(c, a->enabled, NULL), &reason);
  if (!rows || rows->count > MOST_CASES) return false;
  size_t mixed = a->mixed.count;
  term_vector values = {0};
  bool fine = true;
  for (size_t i = 0; i < rows->count && fine; i++) {
    term value = TERM_FALSE;
    fine = project_row(c, a, rows, i, &value);
    VECTOR_PUSH(values, value);
  }
  a->possible = fine ? rows_term(c->system->ts, a, rows, values.at, 0, rows->count, 0) : TERM_TRUE;
  a->projected = fine ? mixed : 0;
  VECTOR_FREE(values);
  return fine;
}

static void say_inexact(closure *c, TAKE char *why) {
  c->exact = false;
  memory_free(c->inexact);
  c->inexact = why;
}

/* True if some atom became known. */
static bool project_inputs(closure *c) {
  size_t before = c->predicates.count;
  for (size_t i = 0; i < c->actions.count && !c->trouble; i++) {
    closure_action *a = &c->actions.at[i];
    if (a->projected < a->mixed.count && !project_action(c, a))
      say_inexact(
          c, text_format("the inputs of %s cannot be projected", c->system->model->transitions.at[a->transition].name));
    c->trouble = budget_spent(c->budget);
  }
  return c->predicates.count > before;
}

closure *closure_new(const predicate_model *s, allsat *sat, presburger *p, budget *b, size_t count,
                     const term *preserved, closure_limits limits) {
  closure *c = MEMORY_NEW(closure);
  *c = (closure){
      .system = s, .allsat = sat, .sets = p, .budget = b, .position = map_new(), .exact = true, .trouble = s->trouble};
  if (c->trouble) return c;
  collect(c, count, preserved);
  if (!may_go_on(c, limits)) c->trouble = CLOSURE_TOO_MANY; /* a program needs booleans for all of these, at least */
  do run_rounds(c, limits);
  while (!c->trouble && c->old == c->predicates.count && project_inputs(c));
  if (c->old < c->predicates.count)
    say_inexact(c, text_format("%zu predicates are left after %zu round%s", c->predicates.count - c->old, c->rounds,
                               c->rounds == 1 ? "" : "s"));
  return c;
}

void closure_free(closure *c) {
  if (!c) return;
  for (size_t i = 0; i < c->actions.count; i++) {
    closure_action *a = &c->actions.at[i];
    for (size_t j = 0; j < a->updates.count; j++) VECTOR_FREE(a->updates.at[j].when);
    VECTOR_FREE(a->updates);
    VECTOR_FREE(a->after);
    VECTOR_FREE(a->mixed);
  }
  VECTOR_FREE(c->actions);
  VECTOR_FREE(c->predicates);
  map_free(c->position);
  memory_free(c->inexact);
  memory_free(c);
}
