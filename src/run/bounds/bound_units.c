/* Round by round: of transitions that have no bound yet each is tried, with potentials that those of bounded ones do not make grow, then
 * with potentials that they do. */
#include "run/bounds/bound_units.h"

#include "run/bounds/control_edges.h"
#include "run/bounds/growth.h"

#define NO_UNIT SIZE_MAX

typedef struct unit_search {
  const frozen_model *f;
  step_questions q;
  potential_search *potentials;
  size_t *unit_of; /* by transition */
  bound_units *units;
} unit_search;

void bound_units_clear(bound_units *u) {
  for (size_t i = 0; i < u->count; i++) {
    VECTOR_FREE(u->at[i].transitions);
    VECTOR_FREE(u->at[i].growths);
  }
  VECTOR_FREE(*u);
}

void subject_units_clear(subject_units *s) {
  for (size_t i = 0; i < s->count; i++) VECTOR_FREE(s->at[i]);
  VECTOR_FREE(*s);
}

/* ---- transitions that control allows once ---- */

/* 1 as long as the process is where the edge can still be reached. */
static term still_before(model *m, variable location, const control_edges *g, uint32_t from) {
  bool *before = MEMORY_ARRAY(bool, g->places);
  term_vector places = {0};
  terms *ts = m->terms;
  control_edges_reach_back(g, from, NO_PLACE, before);
  for (uint32_t i = 0; i < g->places; i++)
    if (before[i]) VECTOR_PUSH(places, term_eq(ts, term_of_variable(ts, location), term_int(ts, i)));
  term is_before = term_ite(ts, term_or_all(ts, places.count, places.at), term_int(ts, 1), term_int(ts, 0));
  VECTOR_FREE(places);
  memory_free(before);
  return is_before;
}

static void add_those_taken_once(unit_search *s) {
  model *m = s->f->m;
  for (uint32_t i = 0; i < m->processes.count; i++) {
    control_edges g;
    control_edges_find(m, i, &g);
    for (uint32_t t = 0; t < m->transitions.count; t++) {
      const control_edge *edge = s->unit_of[t] == NO_UNIT ? control_edges_once(&g, t) : NULL;
      if (!edge) continue;
      bound_unit once = {.by = 1, .potential = still_before(m, m->processes.at[i].location, &g, edge->from)};
      VECTOR_PUSH(once.transitions, t);
      s->unit_of[t] = s->units->count;
      VECTOR_PUSH(*s->units, once);
    }
    control_edges_clear(&g);
  }
}

/* ---- potentials ---- */

/* What the transitions of bounded units add to the potential. False if that is not known of one. */
static bool find_growths(unit_search *s, const step_role *roles, bound_unit *unit) {
  for (size_t i = 0; i < s->units->count; i++) {
    index_vector growing = {0};
    bool fine = true;
    unit_growth growth = {.unit = i};
    for (uint32_t t = 0; t < s->f->m->transitions.count; t++) {
      if (s->unit_of[t] != i || roles[t] != STEP_FREE) continue;
      if (!answer_is_no(potential_grows(&s->q, t, unit->potential, TERM_TRUE))) VECTOR_PUSH(growing, t);
    }
    if (growing.count) {
      fine = growth_find(&s->q, s->f, &growing, unit->potential, s->f->m->is_c_program, &growth.by);
      if (fine) VECTOR_PUSH(unit->growths, growth);
    }
    VECTOR_FREE(growing);
    if (!fine) return false;
  }
  return true;
}

/* The potential where the process of the transition is in the smallest loop with it, else 0: what it is elsewhere does not matter. */
static bool potential_in_loop(unit_search *s, uint32_t t, term potential, term *out) {
  model *m = s->f->m;
  terms *ts = m->terms;
  control_edges g;
  uint32_t process = m->transitions.at[t].process;
  if (process == NO_PROCESS) return false;
  control_edges_find(m, process, &g);
  bool *inside = MEMORY_ARRAY(bool, g.places + 1);
  const control_edge *edge = control_edges_of(&g, t);
  bool found = edge && control_edges_loop(&g, edge, inside);
  term is_inside = TERM_FALSE, location = term_of_variable(ts, m->processes.at[process].location);
  for (uint32_t i = 0; i < g.places && found; i++)
    if (inside[i]) is_inside = term_or(ts, is_inside, term_eq(ts, location, term_int(ts, i)));
  if (found) *out = term_ite(ts, is_inside, potential, term_int(ts, 0));
  memory_free(inside);
  control_edges_clear(&g);
  return found;
}

/* Of a potential that steps of bounded transitions may make grow: by how much, in the loop alone if that can be said. */
static bool find_growths_by_loop(unit_search *s, const step_role *roles, uint32_t t, bound_unit *unit) {
  term whole = unit->potential;
  bool found = potential_in_loop(s, t, whole, &unit->potential) &&
               potential_is(s->potentials, roles, unit->potential) && find_growths(s, roles, unit);
  if (found) return true;
  VECTOR_CLEAR(unit->growths);
  unit->potential = whole;
  return find_growths(s, roles, unit);
}

/* `others`: what steps of bounded transitions may do. */
static bool find_unit(unit_search *s, const index_vector *transitions, step_role others, bound_unit *out) {
  size_t count = s->f->m->transitions.count;
  step_role *roles = MEMORY_ARRAY(step_role, count);
  for (size_t i = 0; i < count; i++) roles[i] = s->unit_of[i] == NO_UNIT ? STEP_KEEPS : others;
  for (size_t i = 0; i < transitions->count; i++) roles[transitions->at[i]] = STEP_FALLS;
  *out = (bound_unit){.by = 1};
  bool found = potential_find(s->potentials, roles, &out->potential);
  if (found) out->by = potential_step(s->potentials, roles, &out->potential);
  if (found && others == STEP_FREE) found = find_growths_by_loop(s, roles, transitions->at[0], out);
  if (found) VECTOR_COPY(out->transitions, *transitions);
  if (!found) VECTOR_FREE(out->growths);
  memory_free(roles);
  return found;
}

static bool add_unit(unit_search *s, const index_vector *transitions, step_role others) {
  bound_unit unit;
  if (!find_unit(s, transitions, others, &unit)) return false;
  VECTOR_PUSH(*s->units, unit);
  return true;
}

static bool try_transition(unit_search *s, uint32_t t, step_role others) {
  index_vector alone = {0};
  VECTOR_PUSH(alone, t);
  bool found = add_unit(s, &alone, others);
  if (found) s->unit_of[t] = s->units->count - 1;
  VECTOR_FREE(alone);
  return found;
}

static void try_transitions(unit_search *s) {
  size_t count = s->f->m->transitions.count;
  for (bool progress = true; progress && !budget_spent(s->q.budget);) {
    progress = false;
    for (uint32_t t = 0; t < count; t++)
      if (s->unit_of[t] == NO_UNIT) progress |= try_transition(s, t, STEP_KEEPS);
    for (uint32_t t = 0; t < count && !progress; t++)
      if (s->unit_of[t] == NO_UNIT) progress = try_transition(s, t, STEP_FREE);
  }
}

/* ---- signs ---- */

static bool is_never_negative(unit_search *s, term first) {
  terms *ts = s->f->m->terms;
  term negative = term_lt(ts, first, term_int(ts, 0));
  return answer_is_no(step_questions_state(&s->q, term_and(ts, s->f->m->init, negative)));
}

static void find_signs(unit_search *s) {
  for (size_t i = 0; i < s->units->count; i++) {
    bound_unit *u = &s->units->at[i];
    u->is_positive = is_never_negative(s, frozen_model_first(s->f, u->potential));
    for (size_t j = 0; j < u->growths.count; j++)
      u->growths.at[j].is_positive = is_never_negative(s, u->growths.at[j].by);
  }
}

/* ---- subjects ---- */

static bool is_listed(const index_vector *list, uint32_t what) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i] == what) return true;
  return false;
}

/* All together, or each for itself. */
static void find_of_subject(unit_search *s, const bound_subject *subject, index_vector *out) {
  const index_vector *of = &subject->transitions;
  bool is_one = of->count == 1 && s->unit_of[of->at[0]] != NO_UNIT;
  if (!is_one && (add_unit(s, of, STEP_KEEPS) || add_unit(s, of, STEP_FREE))) {
    VECTOR_PUSH(*out, (uint32_t)(s->units->count - 1));
    return;
  }
  for (size_t i = 0; i < of->count; i++) {
    size_t unit = s->unit_of[of->at[i]];
    if (unit == NO_UNIT) VECTOR_CLEAR(*out);
    if (unit == NO_UNIT) return;
    if (!is_listed(out, (uint32_t)unit)) VECTOR_PUSH(*out, (uint32_t)unit);
  }
}

void bound_units_find(const frozen_model *f, term facts, const bound_subjects *subjects, budget *b, bound_units *units,
                      subject_units *found) {
  unit_search s = {.f = f, .units = units};
  size_t count = f->m->transitions.count;
  s.unit_of = MEMORY_ARRAY(size_t, count);
  for (size_t i = 0; i < count; i++) s.unit_of[i] = NO_UNIT;
  step_questions_open(&s.q, f->m, facts, b);
  s.potentials = potential_search_new(&s.q, f->m->is_c_program);
  add_those_taken_once(&s);
  try_transitions(&s);
  for (size_t i = 0; i < subjects->count; i++) {
    index_vector of = {0};
    find_of_subject(&s, &subjects->at[i], &of);
    VECTOR_PUSH(*found, of);
  }
  find_signs(&s);
  potential_search_free(s.potentials);
  step_questions_close(&s.q);
  memory_free(s.unit_of);
}
