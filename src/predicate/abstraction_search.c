/* Searching the abstract system, and reading a shortest way to a bad state (Lakhnech, Bensalem, Berezin, Owre 2001,
 * section 4.1). If there is no relation abstraction_on_demand.c does both. */
#include "predicate/abstraction_on_demand.h"

void abstract_trace_clear(abstract_trace *t) {
  for (size_t i = 0; i < t->states.count; i++) {
    memory_free(t->states.at[i].controls);
    memory_free(t->states.at[i].predicates);
  }
  VECTOR_FREE(t->states);
  VECTOR_FREE(t->actions);
}

/* ---- reachability ---- */

static obdd image(abstraction *a, obdd from) {
  obdd result = OBDD_FALSE;
  for (size_t i = 0; i < a->actions.count; i++) {
    const abstract_action *r = &a->actions.at[i];
    obdd after = obdd_join(a->obdds, from, r->steps, r->now);
    result = obdd_or(a->obdds, result, obdd_rename(a->obdds, after, r->to_now));
  }
  return result;
}

reach_end abstraction_reach(abstraction *a, bool all) {
  if (a->is_implicit) {
    reach_end end = on_demand_reach(a, all);
    if (end == REACH_SAFE || all) a->reached = on_demand_states(a);
    return abstraction_trouble(a) ? REACH_TROUBLE : end;
  }
  obdd frontier = a->init;
  bool bad_found = false;
  a->reached = OBDD_FALSE;
  VECTOR_CLEAR(a->rings);
  while (!abstraction_trouble(a) && frontier.node != 0) {
    VECTOR_PUSH(a->rings, frontier);
    if (!bad_found && obdd_and(a->obdds, frontier, a->bad).node != 0) {
      bad_found = true;
      a->bad_ring = a->rings.count - 1;
      if (!all) break;
    }
    size_t mark = obdds_mark(a->obdds);
    a->reached = obdd_or(a->obdds, a->reached, frontier);
    frontier = obdd_minus(a->obdds, image(a, frontier), a->reached);
    obdds_release(a->obdds, mark, 2, (obdd[]){a->reached, frontier});
    if (!a->trouble) a->trouble = budget_spent(a->budget);
  }
  if (abstraction_trouble(a)) return REACH_TROUBLE;
  if (bad_found && !all) a->reached = obdd_or(a->obdds, a->reached, frontier);
  return bad_found ? REACH_BAD : REACH_SAFE;
}

double abstraction_reached(const abstraction *a) {
  if (a->is_implicit) return on_demand_reached(a->search);
  VECTOR(uint32_t) all = {0};
  for (uint32_t j = 0; j < a->state_bits; j++) VECTOR_PUSH(all, 2 * j);
  double result = obdd_count(a->obdds, a->reached, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

size_t abstraction_rings(const abstraction *a) { return a->is_implicit ? on_demand_rings(a->search) : a->rings.count; }

/* ---- counterexamples ---- */

static bool pick_state(abstraction *a, obdd from, bool *bits) {
  VECTOR(uint32_t) all = {0};
  for (uint32_t j = 0; j < a->state_bits; j++) VECTOR_PUSH(all, 2 * j);
  bool found = obdd_pick(a->obdds, from, all.count, all.at, bits);
  VECTOR_FREE(all);
  return found;
}

abstract_state abstraction_decode(const abstraction *a, const bool *bits) {
  abstract_state s = {MEMORY_ARRAY(int64_t, a->bits.count + 1), MEMORY_ARRAY(bool, a->predicates.count + 1)};
  for (size_t i = 0; i < a->bits.count; i++) {
    uint32_t k = 0;
    for (uint32_t j = 0; j < a->bits.at[i].count; j++) k = 2 * k + bits[a->bits.at[i].first + j];
    s.controls[i] = a->system->controls.at[i].low + k;
  }
  for (size_t i = 0; i < a->predicates.count; i++) s.predicates[i] = bits[a->first_predicate + i];
  return s;
}

static obdd literal(abstraction *a, uint32_t variable, bool value) {
  obdd v = obdd_variable(a->obdds, variable);
  return value ? v : obdd_not(a->obdds, v);
}

/* The states with a step by the action to the one with these bits. */
static obdd before(abstraction *a, const abstract_action *r, const bool *bits) {
  obdd target = OBDD_TRUE;
  size_t c = r->changed.count;
  for (size_t j = a->state_bits; j-- > 0;) {
    bool changed = c && r->changed.at[c - 1] == j;
    if (changed) c--;
    target = obdd_and(a->obdds, literal(a, (uint32_t)(2 * j) + (changed ? 1 : 0), bits[j]), target);
  }
  return obdd_join(a->obdds, r->steps, target, r->next);
}

static bool step_back(abstraction *a, size_t ring, bool *bits, uint32_t *action) {
  for (size_t i = 0; i < a->actions.count; i++) {
    size_t mark = obdds_mark(a->obdds);
    obdd possible = obdd_and(a->obdds, before(a, &a->actions.at[i], bits), a->rings.at[ring]);
    bool found = possible.node != 0 && pick_state(a, possible, bits);
    obdds_release(a->obdds, mark, 0, NULL);
    if (!found) continue;
    *action = (uint32_t)i;
    return true;
  }
  return false;
}

bool abstraction_counterexample(abstraction *a, abstract_trace *out) {
  VECTOR_CLEAR(out->states);
  VECTOR_CLEAR(out->actions);
  if (a->is_implicit) {
    on_demand_counterexample(a, out);
    return true;
  }
  size_t length = a->bad_ring;
  bool *bits = MEMORY_ARRAY(bool, a->state_bits + 1);
  bool fine = pick_state(a, obdd_and(a->obdds, a->rings.at[length], a->bad), bits);
  for (size_t i = 0; i <= length; i++) VECTOR_PUSH(out->states, (abstract_state){0});
  for (size_t i = 0; i < length; i++) VECTOR_PUSH(out->actions, 0);
  for (size_t i = length + 1; i-- > 0 && fine;) {
    out->states.at[i] = abstraction_decode(a, bits);
    if (i > 0) fine = step_back(a, i - 1, bits, &out->actions.at[i - 1]);
  }
  memory_free(bits);
  return fine && !abstraction_trouble(a);
}

term abstraction_predicates_term(const abstraction *a, const abstract_state *s) {
  term_vector all = {0};
  for (size_t i = 0; i < a->predicates.count; i++)
    VECTOR_PUSH(all, s->predicates[i] ? a->predicates.at[i] : term_not(a->predicates.at[i]));
  term result = term_and_all(a->system->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}
