/* Sets of states with a fair run: greatest and least fixpoints over the steps of a graph.
 *
 *   E_fair G A (Emerson, Lei 1986)      fair_graph_hull, fair_graph_fair_forever
 *
 * The hull is the largest Z in which every state has a successor in Z, can come to a step of every constraint without
 * leaving Z and, for a strong constraint, can do so at least where it is wanted. A last strongly connected component of
 * Z then meets all constraints; and every component that does is inside Z. */
#include "temporal/temporal_inside.h"

void fair_graph_init(fair_graph *g, obdds *d, budget *b, size_t bits, const uint32_t *now, const uint32_t *next) {
  *g = (fair_graph){.d = d, .budget = b, .bits = bits, .states = OBDD_TRUE};
  g->now = MEMORY_ARRAY(uint32_t, bits + 1);
  g->next = MEMORY_ARRAY(uint32_t, bits + 1);
  for (size_t i = 0; i < bits; i++) {
    g->now[i] = now[i];
    g->next[i] = next[i];
  }
  g->now_cube = obdd_cube(d, bits, g->now);
  g->next_cube = obdd_cube(d, bits, g->next);
  g->to_next = obdds_renaming(d, bits, g->now, g->next);
  g->to_now = obdds_renaming(d, bits, g->next, g->now);
}

void fair_graph_clear(fair_graph *g) {
  memory_free(g->now);
  memory_free(g->next);
  VECTOR_FREE(g->steps);
  VECTOR_FREE(g->constraints);
}

bool fair_graph_must_stop(fair_graph *g) {
  g->is_stopped = g->is_stopped || budget_spent(g->budget);
  return g->is_stopped || obdds_trouble(g->d);
}

static obdd before(fair_graph *g, size_t count, const uint32_t *actions, obdd target) {
  size_t mark = obdds_mark(g->d);
  obdd after = obdd_rename(g->d, target, g->to_next), result = OBDD_FALSE;
  for (size_t i = 0; i < count; i++)
    result = obdd_or(g->d, result, obdd_join(g->d, g->steps.at[actions ? actions[i] : i], after, g->next_cube));
  obdds_release(g->d, mark, 1, &result);
  return result;
}

obdd fair_graph_before(fair_graph *g, obdd target) { return before(g, g->steps.count, NULL, target); }

obdd fair_graph_before_by(fair_graph *g, const fair_constraint *k, obdd target) {
  size_t mark = obdds_mark(g->d);
  obdd result = k->seen.node ? obdd_and(g->d, k->seen, fair_graph_before(g, target)) : OBDD_FALSE;
  if (k->count) result = obdd_or(g->d, result, before(g, k->count, k->group, target));
  obdds_release(g->d, mark, 1, &result);
  return result;
}

obdd fair_graph_after(fair_graph *g, obdd source) {
  size_t mark = obdds_mark(g->d);
  obdd result = OBDD_FALSE;
  for (size_t i = 0; i < g->steps.count; i++)
    result = obdd_or(g->d, result, obdd_join(g->d, g->steps.at[i], source, g->now_cube));
  result = obdd_rename(g->d, result, g->to_now);
  obdds_release(g->d, mark, 1, &result);
  return result;
}

obdd fair_graph_until(fair_graph *g, obdd through, obdd target) {
  size_t mark = obdds_mark(g->d);
  obdd kept[] = {target, target}; /* all so far, those found last */
  while (kept[1].node && !fair_graph_must_stop(g)) {
    obdd more = obdd_and(g->d, through, fair_graph_before(g, kept[1]));
    kept[1] = obdd_minus(g->d, more, kept[0]);
    kept[0] = obdd_or(g->d, kept[0], kept[1]);
    obdds_release(g->d, mark, 2, kept);
  }
  obdds_release(g->d, mark, 1, kept);
  return kept[0];
}

obdd fair_graph_forever(fair_graph *g, obdd within) {
  size_t mark = obdds_mark(g->d);
  obdd before = OBDD_FALSE;
  while (!obdd_same(before, within) && !fair_graph_must_stop(g)) {
    before = within;
    within = obdd_and(g->d, within, fair_graph_before(g, within));
    obdds_release(g->d, mark, 2, (obdd[]){before, within});
  }
  obdds_release(g->d, mark, 1, &within);
  return within;
}

/* What a constraint leaves of `within`. */
static obdd meet(fair_graph *g, const fair_constraint *k, obdd within) {
  size_t mark = obdds_mark(g->d);
  obdd steps = obdd_and(g->d, within, fair_graph_before_by(g, k, within));
  obdd can = fair_graph_until(g, within, steps);
  if (k->is_strong) can = obdd_minus(g->d, within, obdd_minus(g->d, k->wanted, can));
  obdds_release(g->d, mark, 1, &can);
  return can;
}

const fair_constraint *fair_graph_constraint(const fair_graph *g, size_t which, size_t i) {
  if (i < g->constraints.count) return &g->constraints.at[i];
  if (!g->cases || !g->cases->count) return NULL;
  const constraint_case *own = &g->cases->at[which];
  return i - g->constraints.count < own->count ? &own->at[i - g->constraints.count] : NULL;
}

obdd fair_graph_hull(fair_graph *g, size_t which, obdd within) {
  size_t mark = obdds_mark(g->d);
  obdd before = OBDD_FALSE;
  bool is_first = true;
  while ((is_first || !obdd_same(before, within)) && !fair_graph_must_stop(g)) {
    is_first = false;
    before = within;
    within = fair_graph_forever(g, within);
    const fair_constraint *k;
    for (size_t i = 0; (k = fair_graph_constraint(g, which, i)); i++) within = meet(g, k, within);
    obdds_release(g->d, mark, 2, (obdd[]){before, within});
  }
  obdds_release(g->d, mark, 1, &within);
  return within;
}

obdd fair_graph_fair_forever(fair_graph *g, obdd within) {
  obdd hulls = fair_graph_hull(g, 0, within);
  for (size_t i = 1; i < fair_graph_cases(g); i++) hulls = obdd_or(g->d, hulls, fair_graph_hull(g, i, within));
  return fair_graph_until(g, within, hulls);
}
