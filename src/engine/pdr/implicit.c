/* An equation of numbers is kept as two bounds, for a lemma often needs only one; an equation of enumerations, such as
 * places, as it is. */
#include "engine/pdr/implicit.h"

#include "base/map.h"
#include "term/evaluate.h"

/* Atoms of guards are left out if there are more than FEW_ATOMS; of one source no more than MOST_AT_ONCE are taken,
 * and nothing that is merely offered once there are ENOUGH. */
#define REFUSED UINT64_MAX
enum { FEW_ATOMS = 24, MOST_AT_ONCE = 60, ENOUGH = 100 };

static bool is_of_states(const implicit *p, term t) {
  variable_vector inside = {0};
  term_variables(p->env->model->terms, 1, &t, &inside);
  bool is = inside.count > 0;
  for (size_t i = 0; i < inside.count; i++) is &= model_is_state_variable(p->env->model, inside.at[i]);
  VECTOR_FREE(inside);
  return is;
}

/* The predicate, new or not; NULL if it is refused. */
static predicate *find_or_add(implicit *p, term t, bool *is_new) {
  uint64_t known;
  t = term_positive(t);
  *is_new = false;
  if (map_get(p->known, t.x, &known)) return known == REFUSED ? NULL : &p->all.at[known];
  *is_new = is_of_states(p, t);
  map_set(p->known, t.x, *is_new ? p->all.count : REFUSED);
  if (!*is_new) return NULL;
  predicate made = {.term = t};
  term_variables(p->env->model->terms, 1, &t, &made.inside);
  VECTOR_PUSH(p->all, made);
  return &VECTOR_LAST(p->all);
}

bool implicit_add(implicit *p, term t) {
  bool is_new;
  find_or_add(p, t, &is_new);
  return is_new;
}

bool implicit_add_kept(implicit *p, term t) {
  bool is_new;
  predicate *found = find_or_add(p, t, &is_new);
  if (!found || found->is_kept) return false;
  return found->is_kept = true;
}

/* ---- those to begin with ---- */

/* All its variables are of enumerations. */
static bool is_of_enumerations(const terms *ts, term atom) {
  variable_vector inside = {0};
  term_variables(ts, 1, &atom, &inside);
  bool is = inside.count > 0;
  for (size_t i = 0; i < inside.count; i++) is &= variable_type(ts, inside.at[i])->names != NULL;
  VECTOR_FREE(inside);
  return is;
}

static void add_atom(implicit *p, term atom) {
  terms *ts = p->env->model->terms;
  if (term_kind_of(ts, atom) != TERM_EQ || is_of_enumerations(ts, atom)) {
    implicit_add(p, atom);
    return;
  }
  term sum = term_argument(ts, atom, 0), zero = term_int(ts, 0);
  implicit_add(p, term_le(ts, sum, zero));
  implicit_add(p, term_ge(ts, sum, zero));
}

/* Atoms that are about enumerations always, others only up to `most`. */
static void add_atoms(implicit *p, term t, size_t most) {
  const terms *ts = p->env->model->terms;
  term_vector atoms = {0};
  term_atoms(ts, t, &atoms);
  size_t taken = 0;
  for (size_t i = 0; i < atoms.count; i++) {
    if (is_of_enumerations(ts, atoms.at[i]))
      add_atom(p, atoms.at[i]);
    else if (is_of_states(p, atoms.at[i]) && taken++ < most)
      add_atom(p, atoms.at[i]);
  }
  VECTOR_FREE(atoms);
}

/* How many atoms about states there are in it. */
static size_t count_atoms(const implicit *p, term t) {
  term_vector atoms = {0};
  size_t count = 0;
  term_atoms(p->env->model->terms, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++) count += is_of_states(p, atoms.at[i]);
  VECTOR_FREE(atoms);
  return count;
}

/* If there are few in all; those about enumerations always. */
static void add_atoms_of_guards(implicit *p) {
  const model *m = p->env->model;
  size_t count = 0;
  for (size_t i = 0; i < m->transitions.count; i++) count += count_atoms(p, m->transitions.at[i].guard);
  for (size_t i = 0; i < m->transitions.count; i++)
    add_atoms(p, m->transitions.at[i].guard, count <= FEW_ATOMS ? FEW_ATOMS : 0);
}

void implicit_init(implicit *p, engine_environment *env, term bad) {
  const model *m = env->model;
  *p = (implicit){.env = env, .known = map_new()};
  for (size_t i = 0; i < m->variables.count; i++)
    if (variable_type(m->terms, m->variables.at[i].var)->sort == SORT_BOOL)
      implicit_add(p, term_of_variable(m->terms, m->variables.at[i].var));
  for (size_t i = 0; i < m->predicates.count; i++) add_atoms(p, m->predicates.at[i], MOST_AT_ONCE);
  add_atoms(p, bad, MOST_AT_ONCE);
  add_atoms(p, m->init, count_atoms(p, m->init) <= FEW_ATOMS ? FEW_ATOMS : 0);
  add_atoms_of_guards(p);
}

void implicit_clear(implicit *p) {
  if (!p->env) return;
  for (size_t i = 0; i < p->all.count; i++) VECTOR_FREE(p->all.at[i].inside);
  VECTOR_FREE(p->all);
  map_free(p->known);
}

/* ---- others ---- */

static void take_from(implicit *p, const term_vector *from, size_t *taken, size_t most) {
  for (; *taken < from->count && p->all.count < most; (*taken)++) add_atoms(p, from->at[*taken], MOST_AT_ONCE);
}

void implicit_take(implicit *p) {
  take_from(p, &p->env->hints, &p->hints_taken, SIZE_MAX);
  take_from(p, &p->env->offers, &p->offers_taken, ENOUGH);
}

void implicit_tell(implicit *p) {
  for (; p->told < p->all.count; p->told++)
    events_predicate(p->env->events, p->env->model->terms, p->all.at[p->told].term);
  p->env->statistics->predicates = p->all.count;
}

static bool is_relevant(const predicate *one, const map *variables) {
  if (one->is_kept) return true;
  for (size_t i = 0; i < one->inside.count; i++)
    if (map_get(variables, one->inside.at[i].x, NULL)) return true;
  return false;
}

void implicit_cube(const implicit *p, const number *values, const term_vector *reasons, cube *out) {
  const terms *ts = p->env->model->terms;
  variable_vector inside = {0};
  map *variables = map_new();
  term_variables(ts, reasons->count, reasons->at, &inside);
  for (size_t i = 0; i < inside.count; i++) map_set(variables, inside.at[i].x, 1);
  for (size_t i = 0; i < p->all.count; i++) {
    term t = p->all.at[i].term;
    if (is_relevant(&p->all.at[i], variables))
      VECTOR_PUSH(*out, number_is(term_evaluate(ts, t, values), 0) ? term_not(t) : t);
  }
  map_free(variables);
  VECTOR_FREE(inside);
}
