/* Building the abstract system (Lakhnech, Bensalem, Berezin, Owre 2001, section 2.2).
 *
 * State bit j is variable 2j of the diagrams, its value after a step 2j + 1; extra atoms and control inputs, which are
 * quantified away, come last. The relation of an action speaks only of the bits that it changes: R(x, x') = exists
 * extra. Phi and enabled and (p' <-> p after the action) .. where Phi is the set of realisable assignments to
 * predicates and extra atoms. Only components of atoms with an extra one are looked at: the others stay realisable by
 * induction from the initial states. */
#include <stdlib.h>

#include "base/instruments/log.h"
#include "base/map.h"
#include "predicate/abstraction_on_demand.h"
#include "predicate/cells_obdd.h"
#include "set/obdd_terms.h"

const char *abstraction_trouble(const abstraction *a) {
  if (a->trouble) return a->trouble;
  return a->obdds ? obdds_trouble(a->obdds) : NULL;
}

bool abstraction_is_implicit(const abstraction *a) { return a->is_implicit; }
bool abstraction_is_exact(const abstraction *a) { return a->exact; }

/* ---- bits ---- */

static uint32_t bits_for(uint32_t values) {
  uint32_t n = 0;
  while (n < 32 && UINT64_C(1) << n < values) n++;
  return n ? n : 1;
}

static void lay_out(abstraction *a) {
  const predicate_model *s = a->system;
  for (size_t i = 0; i < s->controls.count; i++) {
    if (s->controls.at[i].is_input) continue;
    control_bits b = {(uint32_t)a->state_bits, bits_for(s->controls.at[i].values)};
    a->state_bits += b.count;
    VECTOR_PUSH(a->bits, b);
  }
  a->first_predicate = a->state_bits;
  a->state_bits += a->predicates.count;
}

/* Where bit `j` of the value of control `c` stands; the most significant is the first, so that picking the first state
 * picks the smallest value. */
static uint32_t value_variable(const abstraction *a, const frame_of_action *f, size_t c, uint32_t j) {
  if (c < a->bits.count) return 2 * (a->bits.at[c].first + j);
  return f->input_bits.at[c - a->bits.count].first + j;
}

static uint32_t value_bits(const abstraction *a, const frame_of_action *f, size_t c) {
  return c < a->bits.count ? a->bits.at[c].count : f->input_bits.at[c - a->bits.count].count;
}

/* control c = low + k, of the current state or (`next`) of the one after. */
static obdd value_is(abstraction *a, const frame_of_action *f, size_t c, uint32_t k, bool next) {
  obdd result = OBDD_TRUE;
  uint32_t n = value_bits(a, f, c);
  for (uint32_t j = n; j-- > 0;) {
    obdd bit = obdd_variable(a->obdds, value_variable(a, f, c, j) + (next ? 1 : 0));
    result = obdd_and(a->obdds, k >> (n - 1 - j) & 1 ? bit : obdd_not(a->obdds, bit), result);
  }
  return result;
}

static obdd predicate_bit(abstraction *a, size_t i, bool next) {
  return obdd_variable(a->obdds, 2 * (a->first_predicate + i) + (next ? 1 : 0));
}

/* ---- formulas to diagrams ---- */

/* An atom over control variables: the values are enumerated. The atom is a comparison of a sum, or a boolean variable.
 */
static obdd control_atom(abstraction *a, const frame_of_action *f, term atom) {
  const predicate_model *s = a->system;
  terms *ts = s->ts;
  uint64_t at = 0;
  if (term_kind_of(ts, atom) == TERM_BOOL_VARIABLE) {
    map_get(s->control_of, term_variable(ts, atom).x, &at);
    return value_is(a, f, at, 1, false);
  }
  variable_vector all = {0};
  VECTOR(uint32_t) which = {0}, value = {0};
  term_variables(ts, 1, &atom, &all);
  for (size_t i = 0; i < all.count; i++) {
    map_get(s->control_of, all.at[i].x, &at);
    VECTOR_PUSH(which, (uint32_t)at);
    VECTOR_PUSH(value, 0);
  }
  obdd result = OBDD_FALSE;
  substitution *by = substitution_new(ts);
  for (bool more = true; more;) {
    substitution_clear(by);
    for (size_t i = 0; i < all.count; i++)
      substitution_set(by, all.at[i],
                       variable_type(ts, all.at[i])->sort == SORT_BOOL
                           ? term_of_bool(value.at[i])
                           : term_int(ts, s->controls.at[which.at[i]].low + value.at[i]));
    if (term_is_true(substitution_apply(by, atom))) {
      obdd one = OBDD_TRUE;
      for (size_t i = 0; i < all.count; i++)
        one = obdd_and(a->obdds, one, value_is(a, f, which.at[i], value.at[i], false));
      result = obdd_or(a->obdds, result, one);
    }
    more = false;
    for (size_t i = 0; i < all.count && !more; i++) {
      more = ++value.at[i] < s->controls.at[which.at[i]].values;
      if (!more) value.at[i] = 0;
    }
  }
  substitution_free(by);
  VECTOR_FREE(all);
  VECTOR_FREE(which);
  VECTOR_FREE(value);
  return result;
}

static obdd atom_to_obdd(abstraction *a, const frame_of_action *f, term atom) {
  uint64_t at;
  if (map_get(a->predicate_of, term_index(atom), &at)) return predicate_bit(a, at, false);
  if (f->extra_of && map_get(f->extra_of, term_index(atom), &at)) {
    obdd v = obdd_variable(a->obdds, at / 2);
    return at & 1 ? obdd_not(a->obdds, v) : v;
  }
  REQUIRE(predicate_model_is_control(a->system, atom), "an atom that has a bit");
  return control_atom(a, f, atom);
}

typedef struct place_of_atoms {
  abstraction *a;
  const frame_of_action *frame;
} place_of_atoms;

static obdd leaf_to_obdd(void *context, term atom) {
  const place_of_atoms *p = context;
  return atom_to_obdd(p->a, p->frame, atom);
}

obdd abstraction_obdd(abstraction *a, const frame_of_action *f, term t) {
  return obdd_of_term(a->obdds, a->system->ts, t, leaf_to_obdd, &(place_of_atoms){a, f});
}

/* ---- realisable assignments ---- */

/* The realisable assignments to the atoms of the components that `wanted` marks. */
static obdd realisable(abstraction *a, const frame_of_action *f, term_vector *atoms, term context,
                       bool only_with_extra) {
  uint32_t *component = MEMORY_ARRAY(uint32_t, atoms->count + 1);
  size_t components = allsat_components(a->allsat, atoms->count, atoms->at, context, component);
  obdd result = OBDD_TRUE;
  for (size_t k = 0; k < components && !a->trouble; k++) {
    term_vector inside = {0};
    VECTOR(obdd) bits = {0};
    bool has_extra = false;
    for (size_t i = 0; i < atoms->count; i++) {
      if (component[i] != k) continue;
      VECTOR_PUSH(inside, atoms->at[i]);
      VECTOR_PUSH(bits, atom_to_obdd(a, f, atoms->at[i]));
      has_extra |= !map_get(a->predicate_of, term_index(atoms->at[i]), NULL);
    }
    if (has_extra || !only_with_extra) {
      const cells *c = allsat_cells(a->allsat, inside.count, inside.at, context, &a->trouble);
      if (c) {
        result = obdd_and(a->obdds, result, cells_to_obdd(a->obdds, c, bits.at));
        a->exact &= c->exact;
      }
    }
    VECTOR_FREE(inside);
    VECTOR_FREE(bits);
  }
  memory_free(component);
  return result;
}

/* ---- actions ---- */

static void add_extra_atoms(const abstraction *a, frame_of_action *f, term t) {
  term_vector atoms = {0};
  predicate_model_data_atoms(a->system, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    if (map_get(a->predicate_of, term_index(atoms.at[i]), NULL) || map_get(f->extra_of, term_index(atoms.at[i]), NULL))
      continue;
    map_set(f->extra_of, term_index(atoms.at[i]), 2 * (uint64_t)f->next_variable++);
    VECTOR_PUSH(f->extra, atoms.at[i]);
  }
  VECTOR_FREE(atoms);
}

/* Conjuncts about data alone are the context of the search for realisable assignments, so that their atoms need no
 * bits; others get bits. */
static void frame_know(const abstraction *a, frame_of_action *f, term known) {
  const predicate_model *s = a->system;
  term_vector parts = {0}, data = {0}, others = {0}, atoms = {0};
  term_conjuncts(s->ts, known, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    VECTOR_CLEAR(atoms);
    term_atoms(s->ts, parts.at[i], &atoms);
    bool only_data = atoms.count > 0;
    for (size_t j = 0; j < atoms.count; j++) only_data &= !predicate_model_is_control(s, atoms.at[j]);
    if (only_data)
      VECTOR_PUSH(data, parts.at[i]);
    else
      VECTOR_PUSH(others, parts.at[i]);
  }
  f->context = term_and_all(s->ts, data.count, data.at);
  f->mixed = term_and_all(s->ts, others.count, others.at);
  add_extra_atoms(a, f, f->mixed);
  VECTOR_FREE(parts);
  VECTOR_FREE(data);
  VECTOR_FREE(others);
  VECTOR_FREE(atoms);
}

static void frame_start(const abstraction *a, frame_of_action *f) {
  const predicate_model *s = a->system;
  f->extra_of = map_new();
  f->next_variable = (uint32_t)(2 * a->state_bits);
  for (size_t i = a->bits.count; i < s->controls.count; i++) {
    control_bits b = {f->next_variable, bits_for(s->controls.at[i].values)};
    VECTOR_PUSH(f->input_bits, b);
    f->next_variable += b.count;
  }
}

static void frame_clear(frame_of_action *f) {
  map_free(f->extra_of);
  VECTOR_FREE(f->extra);
  VECTOR_FREE(f->input_bits);
  VECTOR_FREE(f->after);
}

/* The controls from..to have values of their types. */
static obdd controls_in_types(abstraction *a, const frame_of_action *f, size_t from, size_t to) {
  obdd result = OBDD_TRUE;
  for (size_t i = from; i < to; i++) {
    obdd some = OBDD_FALSE;
    for (uint32_t k = 0; k < a->system->controls.at[i].values; k++)
      some = obdd_or(a->obdds, some, value_is(a, f, i, k, false));
    result = obdd_and(a->obdds, result, some);
  }
  return result;
}

static obdd inputs_in_types(abstraction *a, const frame_of_action *f) {
  return controls_in_types(a, f, a->bits.count, a->system->controls.count);
}

static obdd hidden_cube(abstraction *a, const frame_of_action *f) {
  VECTOR(uint32_t) all = {0};
  for (uint32_t v = (uint32_t)(2 * a->state_bits); v < f->next_variable; v++) VECTOR_PUSH(all, v);
  obdd cube = obdd_cube(a->obdds, all.count, all.at);
  VECTOR_FREE(all);
  return cube;
}

/* Phi: the realisable assignments to predicates and extra atoms. */
static obdd phi_of(abstraction *a, const frame_of_action *f, bool only_with_extra) {
  term_vector atoms = {0};
  for (size_t i = 0; i < a->predicates.count; i++) VECTOR_PUSH(atoms, a->predicates.at[i]);
  for (size_t i = 0; i < f->extra.count; i++) VECTOR_PUSH(atoms, f->extra.at[i]);
  obdd phi = realisable(a, f, &atoms, f->context, only_with_extra);
  VECTOR_FREE(atoms);
  return phi;
}

/* exists extra atoms and inputs. Phi and formula */
static obdd project_formula(abstraction *a, const frame_of_action *f, obdd formula, bool only_with_extra) {
  obdd phi = phi_of(a, f, only_with_extra);
  formula = obdd_and(a->obdds, formula, inputs_in_types(a, f));
  return obdd_join(a->obdds, formula, phi, hidden_cube(a, f));
}

/* If a predicate's next value is one literal, that atom needs no variable of its own: it is the predicate's next
 * one. */
static void add_literals_after(const abstraction *a, frame_of_action *f) {
  const terms *ts = a->system->ts;
  for (size_t j = 0; j < a->predicates.count; j++) {
    term after = f->after.at[j];
    term_kind kind = term_kind_of(ts, after);
    bool is_extra =
        (kind == TERM_LE || kind == TERM_EQ) && !predicate_model_is_control(a->system, term_positive(after)) &&
        !map_get(a->predicate_of, term_index(after), NULL) && !map_get(f->extra_of, term_index(after), NULL);
    if (!is_extra) continue;
    map_set(f->extra_of, term_index(after), 2 * (2 * (a->first_predicate + j) + 1) + term_is_negated(after));
    VECTOR_PUSH(f->extra, term_positive(after));
  }
}

static void plan_action(const abstraction *a, size_t i, frame_of_action *f, bool cartesian) {
  const predicate_action *action = &a->system->actions.at[i];
  frame_start(a, f);
  for (size_t j = 0; j < a->predicates.count; j++)
    VECTOR_PUSH(f->after, predicate_model_after(a->system, action, a->predicates.at[j]));
  if (!cartesian) add_literals_after(a, f);
  frame_know(a, f, action->known);
  add_extra_atoms(a, f, action->enabled);
  add_extra_atoms(a, f, action->before);
  for (size_t j = 0; j < action->updates.count; j++)
    for (size_t k = 0; k < action->updates.at[j].when.count; k++)
      add_extra_atoms(a, f, action->updates.at[j].when.at[k]);
  for (size_t j = 0; j < a->predicates.count; j++)
    if (!term_same(f->after.at[j], a->predicates.at[j])) add_extra_atoms(a, f, f->after.at[j]);
}

static void add_changed(abstract_action *r, size_t bit) { VECTOR_PUSH(r->changed, (uint32_t)bit); }

static int compare_bits(const void *x, const void *y) {
  uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;
  return (p > q) - (p < q);
}

static obdd control_steps(abstraction *a, const frame_of_action *f, const predicate_action *action,
                          abstract_action *r) {
  obdd steps = OBDD_TRUE;
  for (size_t j = 0; j < action->updates.count; j++) {
    const control_update *u = &action->updates.at[j];
    obdd some = OBDD_FALSE;
    for (uint32_t k = 0; k < u->when.count; k++)
      if (!term_is_false(u->when.at[k]))
        some = obdd_or(a->obdds, some,
                       obdd_and(a->obdds, abstraction_obdd(a, f, u->when.at[k]), value_is(a, f, u->control, k, true)));
    steps = obdd_and(a->obdds, steps, some);
    for (uint32_t j2 = 0; j2 < a->bits.at[u->control].count; j2++) add_changed(r, a->bits.at[u->control].first + j2);
  }
  return steps;
}

/* The cartesian relation: every predicate's next value by itself, the others forgotten. */
static obdd cartesian_steps(abstraction *a, const frame_of_action *f, obdd steps, abstract_action *r) {
  obdd result = project_formula(a, f, steps, true);
  for (size_t j = 0; j < a->predicates.count; j++) {
    if (term_same(f->after.at[j], a->predicates.at[j])) continue;
    obdd one = obdd_iff(a->obdds, predicate_bit(a, j, true), abstraction_obdd(a, f, f->after.at[j]));
    result = obdd_and(a->obdds, result, project_formula(a, f, obdd_and(a->obdds, one, steps), true));
    add_changed(r, a->first_predicate + j);
  }
  return result;
}

static void build_action(abstraction *a, size_t i, const frame_of_action *f, bool cartesian) {
  const predicate_action *action = &a->system->actions.at[i];
  abstract_action r = {0};
  size_t mark = obdds_mark(a->obdds);
  term from = term_and_all(a->system->ts, 3, (term[]){f->mixed, action->enabled, action->before});
  obdd steps = obdd_and(a->obdds, abstraction_obdd(a, f, from), control_steps(a, f, action, &r));
  if (cartesian) {
    steps = cartesian_steps(a, f, steps, &r);
  } else {
    /* Phi first: it keeps the conjunction of the predicates' next values small */
    steps = obdd_and(a->obdds, steps, phi_of(a, f, true));
    for (size_t j = 0; j < a->predicates.count && !a->trouble; j++) {
      if (term_same(f->after.at[j], a->predicates.at[j])) continue;
      obdd one = obdd_iff(a->obdds, predicate_bit(a, j, true), abstraction_obdd(a, f, f->after.at[j]));
      steps = obdd_and(a->obdds, steps, one);
      add_changed(&r, a->first_predicate + j);
    }
    steps = obdd_join(a->obdds, steps, inputs_in_types(a, f), hidden_cube(a, f));
  }
  r.steps = steps;
  if (r.changed.count) qsort(r.changed.at, r.changed.count, sizeof(uint32_t), compare_bits);
  VECTOR(uint32_t) now = {0}, next = {0};
  for (size_t j = 0; j < r.changed.count; j++) {
    VECTOR_PUSH(now, 2 * r.changed.at[j]);
    VECTOR_PUSH(next, 2 * r.changed.at[j] + 1);
  }
  r.now = obdd_cube(a->obdds, now.count, now.at);
  r.next = obdd_cube(a->obdds, next.count, next.at);
  r.to_now = obdds_renaming(a->obdds, next.count, next.at, now.at);
  VECTOR_FREE(now);
  VECTOR_FREE(next);
  obdds_release(a->obdds, mark, 3, (obdd[]){r.steps, r.now, r.next});
  VECTOR_PUSH(a->actions, r);
}

/* ---- initial and bad states ---- */

obdd abstraction_legal_states(abstraction *a) { return controls_in_types(a, NULL, 0, a->bits.count); }

/* The context alone may be impossible without any predicate about it. */
static bool init_is_possible(abstraction *a, term context) {
  return !answer_is_no(allsat_satisfiable(a->allsat, context));
}

static void build_init(abstraction *a, const frame_of_action *f) {
  size_t mark = obdds_mark(a->obdds);
  obdd formula = obdd_and(a->obdds, abstraction_legal_states(a), abstraction_obdd(a, f, f->mixed));
  a->init = init_is_possible(a, f->context) ? project_formula(a, f, formula, false) : OBDD_FALSE;
  obdds_release(a->obdds, mark, 1, &a->init);
}

static void build_bad(abstraction *a, const frame_of_action *f) {
  size_t mark = obdds_mark(a->obdds);
  a->bad = project_formula(a, f, abstraction_obdd(a, f, term_and(a->system->ts, f->mixed, a->system->bad)), true);
  obdds_release(a->obdds, mark, 1, &a->bad);
}

static void build(abstraction *a, abstraction_limits limits) {
  size_t count = a->system->actions.count;
  frame_of_action *frames = MEMORY_ARRAY(frame_of_action, count + 2), *init = &frames[count], *bad = &frames[count + 1];
  uint32_t variables = (uint32_t)(2 * a->state_bits);
  for (size_t i = 0; i < count && !a->is_implicit; i++) plan_action(a, i, &frames[i], limits.cartesian);
  frame_start(a, init);
  frame_know(a, init, a->system->init);
  frame_start(a, bad);
  frame_know(a, bad, a->system->bad_known);
  add_extra_atoms(a, bad, a->system->bad);
  for (size_t i = 0; i < count + 2; i++)
    if (frames[i].next_variable > variables) variables = frames[i].next_variable;
  a->obdds = obdds_new(variables, limits.nodes);
  obdds_watch(a->obdds, a->budget);
  build_init(a, init);
  build_bad(a, bad);
  for (size_t i = 0; i < count && !a->is_implicit && !abstraction_trouble(a); i++) {
    build_action(a, i, &frames[i], limits.cartesian);
    if (!a->trouble) a->trouble = budget_spent(a->budget);
  }
  LOG(abstraction, "%zu predicates, %zu actions, %u variables of diagrams%s%s", a->predicates.count, count, variables,
      abstraction_trouble(a) ? ": " : "", abstraction_trouble(a) ? abstraction_trouble(a) : "");
  for (size_t i = 0; i < count + 2; i++) frame_clear(&frames[i]);
  memory_free(frames);
}

static GIVE abstraction *make(const predicate_model *s, allsat *sat, budget *b, size_t count, const term *predicates,
                              abstraction_limits limits) {
  abstraction *a = MEMORY_NEW(abstraction);
  a->system = s;
  a->allsat = sat;
  a->budget = b;
  a->exact = true;
  a->predicate_of = map_new();
  for (size_t i = 0; i < count; i++) {
    map_set(a->predicate_of, term_index(predicates[i]), i);
    VECTOR_PUSH(a->predicates, predicates[i]);
  }
  a->is_implicit = limits.is_implicit;
  a->most_states = limits.states ? limits.states : ABSTRACTION_STATES;
  lay_out(a);
  allsat_limit(sat, limits.is_implicit ? 0 : limits.work);
  build(a, limits);
  allsat_limit(sat, 0);
  return a;
}

abstraction *abstraction_new(const predicate_model *s, allsat *sat, budget *b, size_t count, const term *predicates,
                             abstraction_limits limits) {
  abstraction *a = make(s, sat, b, count, predicates, limits);
  if (limits.is_implicit || limits.cartesian || !abstraction_trouble(a) || budget_spent(b)) return a;
  abstraction_free(a);
  limits.is_implicit = true;
  return make(s, sat, b, count, predicates, limits);
}

void abstraction_free(abstraction *a) {
  if (!a) return;
  for (size_t i = 0; i < a->actions.count; i++) VECTOR_FREE(a->actions.at[i].changed);
  VECTOR_FREE(a->actions);
  VECTOR_FREE(a->rings);
  VECTOR_FREE(a->bits);
  VECTOR_FREE(a->predicates);
  map_free(a->predicate_of);
  on_demand_free(a->search);
  obdds_free(a->obdds);
  memory_free(a);
}
