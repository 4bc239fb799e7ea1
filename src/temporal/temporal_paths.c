/* Shortest paths between states, and fair loops. Which of several states or actions is taken is fixed: the first state
 * in the order of the variables, the first action. */
#include "temporal/temporal_inside.h"

obdd fair_graph_pick(fair_graph *g, obdd set) {
  bool *values = MEMORY_ARRAY(bool, g->bits + 1);
  obdd state = OBDD_FALSE;
  if (obdd_pick(g->d, set, g->bits, g->now, values)) {
    size_t mark = obdds_mark(g->d);
    state = OBDD_TRUE;
    for (size_t i = 0; i < g->bits; i++) {
      obdd v = obdd_variable(g->d, g->now[i]);
      state = obdd_and(g->d, state, values[i] ? v : obdd_not(g->d, v));
    }
    obdds_release(g->d, mark, 1, &state);
  }
  memory_free(values);
  return state;
}

void branch_add(finite_branch *b, fair_graph *g, size_t bits, obdd state, size_t action) {
  bool *values = MEMORY_ARRAY(bool, g->bits + 1);
  obdd_pick(g->d, state, g->bits, g->now, values);
  if (b->states.count) VECTOR_PUSH(b->actions, action + 1 == g->steps.count ? TEMPORAL_IDLE : (uint32_t)action);
  for (size_t i = 0; i < bits; i++) VECTOR_PUSH(b->states, values[i]);
  if (!bits && !b->states.count) VECTOR_PUSH(b->states, false);
  memory_free(values);
}

obdd branch_step(finite_branch *b, fair_graph *g, size_t bits, obdd state, const fair_constraint *by, obdd target) {
  size_t mark = obdds_mark(g->d), count = by ? by->count : g->steps.count;
  obdd wanted = obdd_and(g->d, state, obdd_rename(g->d, target, g->to_next));
  for (size_t i = 0; i < count; i++) {
    size_t action = by ? by->group[i] : i;
    obdd taken = obdd_and(g->d, g->steps.at[action], wanted);
    if (!taken.node) continue;
    obdd after = obdd_rename(g->d, obdd_exists(g->d, taken, g->now_cube), g->to_now);
    after = fair_graph_pick(g, after);
    branch_add(b, g, bits, after, action);
    obdds_release(g->d, mark, 1, &after);
    return after;
  }
  obdds_release(g->d, mark, 0, NULL);
  return OBDD_FALSE;
}

/* The states that lead to `target`, by how many steps it takes: rings[0] is the target. Until one of them has `state`.
 */
typedef VECTOR(obdd) ring_vector;

static bool find_rings(fair_graph *g, obdd state, obdd within, obdd target, ring_vector *rings) {
  obdd seen = target;
  VECTOR_PUSH(*rings, target);
  while (!obdd_and(g->d, VECTOR_LAST(*rings), state).node) {
    obdd ring = obdd_minus(g->d, obdd_and(g->d, within, fair_graph_before(g, VECTOR_LAST(*rings))), seen);
    if (!ring.node || fair_graph_must_stop(g)) return false;
    seen = obdd_or(g->d, seen, ring);
    VECTOR_PUSH(*rings, ring);
  }
  return true;
}

obdd branch_walk(finite_branch *b, fair_graph *g, size_t bits, obdd state, obdd within, obdd target) {
  size_t mark = obdds_mark(g->d);
  ring_vector rings = {0};
  bool found = find_rings(g, state, within, target, &rings);
  for (size_t i = rings.count; found && --i > 0 && state.node;)
    state = branch_step(b, g, bits, state, NULL, rings.at[i - 1]);
  if (!found) state = OBDD_FALSE;
  VECTOR_FREE(rings);
  obdds_release(g->d, mark, 1, &state);
  return state;
}

/* ---- loops ---- */

static obdd spread(fair_graph *g, obdd from, obdd within) {
  size_t mark = obdds_mark(g->d);
  obdd kept[] = {from, from};
  while (kept[1].node && !fair_graph_must_stop(g)) {
    kept[1] = obdd_minus(g->d, obdd_and(g->d, within, fair_graph_after(g, kept[1])), kept[0]);
    kept[0] = obdd_or(g->d, kept[0], kept[1]);
    obdds_release(g->d, mark, 2, kept);
  }
  obdds_release(g->d, mark, 1, kept);
  return kept[0];
}

/* A strongly connected component of `hull` that no step leaves for another part of it, reachable from `state`. If a
 * run can leave a component, what it finds outside has fewer components before it, so this ends. */
static obdd last_component(fair_graph *g, obdd state, obdd hull) {
  size_t mark = obdds_mark(g->d);
  while (!fair_graph_must_stop(g)) {
    obdd ahead = spread(g, state, hull), back = fair_graph_until(g, ahead, state);
    obdd beyond = obdd_minus(g->d, ahead, back);
    if (!beyond.node) {
      obdds_release(g->d, mark, 1, &ahead);
      return ahead;
    }
    state = fair_graph_pick(g, beyond);
    obdds_release(g->d, mark, 1, &state);
  }
  return OBDD_FALSE;
}

/* Has the loop so far, which left the states of `passed` by its actions, met the constraint? */
static bool is_met(const finite_branch *b, fair_graph *g, const fair_constraint *k, obdd passed) {
  if (obdd_and(g->d, passed, k->seen).node) return true;
  for (size_t i = b->loop; i < b->actions.count; i++)
    for (size_t j = 0; j < k->count; j++)
      if (b->actions.at[i] == k->group[j]) return true;
  return false;
}

/* The states of the loop so far, but for its last. */
static obdd passed_states(const finite_branch *b, fair_graph *g, size_t bits) {
  obdd all = OBDD_FALSE;
  for (size_t p = b->loop; p < b->actions.count; p++) {
    obdd state = OBDD_TRUE;
    for (size_t i = 0; i < bits; i++) {
      obdd v = obdd_variable(g->d, g->now[i]);
      state = obdd_and(g->d, state, b->states.at[p * bits + i] ? v : obdd_not(g->d, v));
    }
    all = obdd_or(g->d, all, state);
  }
  return all;
}

/* From `state` around inside `component` so that every constraint is met. */
static void go_around(finite_branch *b, fair_graph *g, size_t which, size_t bits, obdd state, obdd component) {
  size_t first = b->actions.count;
  obdd start = state;
  b->loop = first;
  const fair_constraint *k;
  for (size_t i = 0; (k = fair_graph_constraint(g, which, i)) && !fair_graph_must_stop(g); i++) {
    bool speaks_of_bits = bits == g->bits; /* what a tableau adds is not in the branch */
    if (k->is_strong && !obdd_and(g->d, component, k->wanted).node) continue;
    if (is_met(b, g, k, speaks_of_bits ? passed_states(b, g, bits) : OBDD_FALSE)) continue;
    obdd ready = obdd_and(g->d, component, fair_graph_before_by(g, k, component));
    state = branch_walk(b, g, bits, state, component, ready);
    obdd after = branch_step(b, g, bits, state, k, component);
    state = after.node ? after : branch_step(b, g, bits, state, NULL, component);
  }
  if (b->actions.count == first) state = branch_step(b, g, bits, state, NULL, component);
  branch_walk(b, g, bits, state, component, start);
}

void branch_loop(finite_branch *b, fair_graph *g, size_t bits, obdd state, obdd within) {
  size_t mark = obdds_mark(g->d);
  size_t which = 0;
  obdd hull = fair_graph_hull(g, which, within);
  while (which + 1 < fair_graph_cases(g) && !obdd_and(g->d, state, fair_graph_until(g, within, hull)).node)
    hull = fair_graph_hull(g, ++which, within);
  state = branch_walk(b, g, bits, state, within, hull);
  obdd component = last_component(g, state, hull);
  state = branch_walk(b, g, bits, state, hull, component);
  go_around(b, g, which, bits, state, component);
  obdds_release(g->d, mark, 0, NULL);
}
