/* Places: predicates, and of each the values of arguments that only ever are given constants.
 *
 * A parameter is control if every case gives it a constant or passes on a parameter that is control. The
 * combinations that can be reached are found from the facts on; if they are too many, the parameter with the most
 * values is no control any more. */
#include "base/map.h"
#include "input/chc/lower.h"

enum { MOST_PLACES = 512 };

static bool is_constant(const terms *ts, term t) {
  number n;
  return term_sort(ts, t) == SORT_BOOL ? term_is_true(t) || term_is_false(t) : term_is_number(ts, t, &n);
}

static bool is_control_term(const chc_lowering *l, uint32_t from, term value) {
  if (is_constant(l->ts, value)) return true;
  if (from == NO_PREDICATE || term_is_negated(value)) return false;
  const variable_vector *parameters = &l->clauses->predicates.at[from].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    if (term_same(value, term_of_variable(l->ts, parameters->at[i]))) return bits_has(&l->control.at[from], i);
  return false;
}

/* The largest set of parameters that feed only on each other and on constants. */
static void find_control(chc_lowering *l) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < l->cases.count; i++) {
      const clause_case *c = &l->cases.at[i];
      if (c->to == NO_PREDICATE) continue;
      for (size_t j = 0; j < c->values.count; j++) {
        if (!bits_has(&l->control.at[c->to], j) || is_control_term(l, c->from, c->values.at[j])) continue;
        bits_remove(&l->control.at[c->to], j);
        changed = true;
      }
    }
  }
}

size_t lower_find_place(const chc_lowering *l, uint32_t predicate, const term *values) {
  for (size_t i = 0; i < l->places.count; i++) {
    const place_entry *p = &l->places.at[i];
    bool same = p->predicate == predicate;
    for (size_t j = 0; j < p->constants.count && same; j++)
      same = !bits_has(&l->control.at[predicate], j) || term_same(p->constants.at[j], values[j]);
    if (same) return i;
  }
  return SIZE_MAX;
}

static void add_place(chc_lowering *l, uint32_t predicate, const term *values) {
  if (lower_find_place(l, predicate, values) != SIZE_MAX) return;
  place_entry made = {.predicate = predicate};
  for (size_t i = 0; i < l->clauses->predicates.at[predicate].parameters.count; i++)
    VECTOR_PUSH(made.constants, values[i]);
  VECTOR_PUSH(l->places, made);
}

static void set_constants(const chc_lowering *l, substitution *s, const place_entry *p) {
  substitution_clear(s);
  const variable_vector *parameters = &l->clauses->predicates.at[p->predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    if (bits_has(&l->control.at[p->predicate], i)) substitution_set(s, parameters->at[i], p->constants.at[i]);
}

static void forget_places(chc_lowering *l) {
  for (size_t i = 0; i < l->places.count; i++) VECTOR_FREE(l->places.at[i].constants);
  VECTOR_CLEAR(l->places);
}

bool lower_excludes(const chc_lowering *l, const clause_case *c, size_t place) {
  const place_entry *p = &l->places.at[place];
  const variable_vector *parameters = &l->clauses->predicates.at[p->predicate].parameters;
  bool found = false;
  for (size_t i = 0; i < parameters->count && !found; i++) {
    if (!bits_has(&l->control.at[p->predicate], i) || term_sort(l->ts, p->constants.at[i]) != SORT_BOOL) continue;
    term is = term_of_variable(l->ts, parameters->at[i]);
    if (term_is_true(p->constants.at[i])) is = term_not(is);
    found = term_same(c->guard, is);
    if (found || term_kind_of(l->ts, c->guard) != TERM_AND || term_is_negated(c->guard)) continue;
    size_t low = 0, high = term_arguments(l->ts, c->guard);
    while (low < high && !found) { /* conjuncts are sorted */
      size_t middle = (low + high) / 2;
      uint32_t at = term_argument(l->ts, c->guard, middle).x;
      found = at == is.x;
      if (at < is.x)
        low = middle + 1;
      else
        high = middle;
    }
  }
  return found;
}

static void follow(chc_lowering *l, size_t from, const clause_case *c, substitution *s) {
  term_vector values = {0};
  place_entry here = l->places.at[from];
  set_constants(l, s, &here);
  if (!term_is_false(substitution_apply(s, c->guard))) {
    for (size_t i = 0; i < c->values.count; i++) VECTOR_PUSH(values, substitution_apply(s, c->values.at[i]));
    add_place(l, c->to, values.at);
  }
  VECTOR_FREE(values);
}

/* False if there are too many. */
static bool explore(chc_lowering *l, size_t most) {
  substitution *s = l->substitution;
  forget_places(l);
  for (size_t i = 0; i < l->cases.count && l->places.count <= most; i++) {
    const clause_case *c = &l->cases.at[i];
    if (c->from == NO_PREDICATE && c->to != NO_PREDICATE) add_place(l, c->to, c->values.at);
  }
  for (size_t i = 0; i < l->places.count && l->places.count <= most; i++)
    for (size_t j = 0; j < l->cases.count && l->places.count <= most; j++) {
      const clause_case *c = &l->cases.at[j];
      if (c->from == l->places.at[i].predicate && c->to != NO_PREDICATE && !lower_excludes(l, c, i)) follow(l, i, c, s);
    }
  return l->places.count <= most;
}

/* Among the places found so far: the parameter with the most values is no longer control. */
static void give_way(chc_lowering *l) {
  uint32_t worst = 0;
  size_t position = 0, most = 0;
  for (uint32_t p = 0; p < l->control.count; p++)
    for (size_t i = 0; i < l->control.at[p].size; i++) {
      map *values = map_new();
      for (size_t j = 0; j < l->places.count; j++)
        if (l->places.at[j].predicate == p && bits_has(&l->control.at[p], i))
          map_set(values, l->places.at[j].constants.at[i].x, 1);
      if (map_count(values) > most) {
        most = map_count(values);
        worst = p;
        position = i;
      }
      map_free(values);
    }
  if (most) bits_remove(&l->control.at[worst], position);
}

void lower_places(chc_lowering *l) {
  size_t predicates = 0;
  for (size_t i = 0; i < l->clauses->predicates.count; i++) {
    bits all = bits_new(l->clauses->predicates.at[i].parameters.count);
    for (size_t j = 0; j < all.size; j++) bits_add(&all, j);
    VECTOR_PUSH(l->control, all);
    predicates += l->meanings.at[i] == MEANING_PLACE;
  }
  find_control(l);
  while (!explore(l, predicates + MOST_PLACES)) {
    give_way(l);
    find_control(l);
  }
}
