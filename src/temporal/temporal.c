/* Temporal properties of a finite system: setting up, and which logic is asked.
 *
 *   temporal_graph.c    sets of states with a fair run
 *   temporal_ctl.c      CTL under fairness, and the mu-calculus
 *   temporal_ltl.c      LTL: the tableau of the negation, and its product with the system
 *   temporal_star.c     CTL*: path quantifiers by that tableau
 *   temporal_paths.c    shortest paths and fair loops
 *   temporal_witness.c  counterexamples, as trees of paths */
#include "temporal/temporal.h"

#include "temporal/temporal_inside.h"

void finite_system_clear(finite_system *s) {
  for (size_t i = 0; i < s->fairness.count; i++) {
    finite_fairness *f = &s->fairness.at[i];
    for (size_t j = 0; j < f->cases.count; j++) VECTOR_FREE(f->cases.at[j]);
    VECTOR_FREE(f->cases);
    VECTOR_FREE(f->group);
  }
  VECTOR_FREE(s->actions);
  VECTOR_FREE(s->fairness);
}

/* ---- setting up ---- */

static obdd reach(fair_graph *g, obdd from) {
  size_t mark = obdds_mark(g->d);
  obdd kept[] = {from, from};
  while (kept[1].node && !fair_graph_must_stop(g)) {
    kept[1] = obdd_minus(g->d, fair_graph_after(g, kept[1]), kept[0]);
    kept[0] = obdd_or(g->d, kept[0], kept[1]);
    obdds_release(g->d, mark, 2, kept);
  }
  obdds_release(g->d, mark, 1, kept);
  return kept[0];
}

static void add_steps(temporal_checker *c) {
  fair_graph *g = &c->graph;
  obdd legal = obdd_and(c->d, c->system->domain, obdd_rename(c->d, c->system->domain, g->to_next));
  for (size_t i = 0; i < c->system->actions.count; i++)
    VECTOR_PUSH(g->steps, obdd_and(c->d, c->system->actions.at[i].relation, legal));
}

/* now = next */
static obdd staying(fair_graph *g) {
  obdd same = OBDD_TRUE;
  for (size_t i = g->bits; i-- > 0;)
    same = obdd_and(g->d, same, obdd_iff(g->d, obdd_variable(g->d, g->now[i]), obdd_variable(g->d, g->next[i])));
  return same;
}

static void add_idling(temporal_checker *c) {
  fair_graph *g = &c->graph;
  c->deadlocks = obdd_minus(c->d, g->states, fair_graph_before(g, OBDD_TRUE));
  for (size_t i = 0; i < g->steps.count; i++) g->steps.at[i] = obdd_and(c->d, g->steps.at[i], g->states);
  VECTOR_PUSH(g->steps, obdd_and(c->d, c->deadlocks, staying(g)));
}

/* Steps end in every state of a run that goes on, and in none of one that idles for ever. */
static obdd moving(temporal_checker *c, obdd set, obdd by_steps) {
  return obdd_or(c->d, set, obdd_minus(c->d, by_steps, c->deadlocks));
}

static fair_constraint constraint_of(temporal_checker *c, const finite_fair_clause *k) {
  return (fair_constraint){.is_strong = k->is_wanted,
                           .wanted = moving(c, k->wanted, k->wanted_by_steps),
                           .seen = moving(c, k->seen, k->seen_by_steps)};
}

/* All combinations of a case of this condition with one of those before it. */
static void add_cases(temporal_checker *c, const finite_fairness *f) {
  constraint_cases old = c->cases, made = {0};
  if (!old.count) VECTOR_PUSH(old, (constraint_case){0});
  for (size_t i = 0; i < old.count; i++)
    for (size_t j = 0; j < f->cases.count; j++) {
      constraint_case both = {0};
      for (size_t k = 0; k < old.at[i].count; k++) VECTOR_PUSH(both, old.at[i].at[k]);
      for (size_t k = 0; k < f->cases.at[j].count; k++) VECTOR_PUSH(both, constraint_of(c, &f->cases.at[j].at[k]));
      VECTOR_PUSH(made, both);
    }
  for (size_t i = 0; i < old.count; i++) VECTOR_FREE(old.at[i]);
  VECTOR_FREE(old);
  c->cases = made;
}

static void add_constraints(temporal_checker *c) {
  for (size_t i = 0; i < c->system->fairness.count; i++) {
    const finite_fairness *f = &c->system->fairness.at[i];
    if (f->kind == FAIR_FORMULA) {
      add_cases(c, f);
      continue;
    }
    fair_constraint k = {.is_strong = f->kind == FAIR_STRONG, .wanted = OBDD_FALSE, .seen = OBDD_FALSE};
    if (f->kind == FAIR_STATE) k.seen = f->state;
    if (f->kind == FAIR_WEAK) k.seen = obdd_not(c->d, f->enabled);
    if (f->kind == FAIR_STRONG) k.wanted = f->enabled;
    if (f->kind != FAIR_STATE) {
      k.count = f->group.count;
      k.group = f->group.at;
    }
    VECTOR_PUSH(c->graph.constraints, k);
  }
  c->graph.cases = &c->cases;
}

temporal_checker *temporal_checker_new(const finite_system *s, budget *b) {
  temporal_checker *c = MEMORY_NEW(temporal_checker);
  c->system = s;
  c->d = s->diagrams;
  fair_graph_init(&c->graph, s->diagrams, b, s->bits, s->now, s->next);
  add_steps(c);
  c->graph.states = reach(&c->graph, obdd_and(c->d, s->initial, s->domain));
  add_idling(c);
  add_constraints(c);
  return c;
}

void temporal_checker_free(temporal_checker *c) {
  if (!c) return;
  fair_graph_clear(&c->graph);
  for (size_t i = 0; i < c->cases.count; i++) VECTOR_FREE(c->cases.at[i]);
  VECTOR_FREE(c->cases);
  VECTOR_FREE(c->quantified);
  memory_free(c);
}

obdd temporal_reachable(temporal_checker *c) { return c->graph.states; }
obdd temporal_deadlocks(temporal_checker *c) { return c->deadlocks; }

obdd temporal_fair_states(temporal_checker *c) {
  if (!c->has_fair)
    c->fair =
        fair_graph_is_constrained(&c->graph) ? fair_graph_fair_forever(&c->graph, c->graph.states) : c->graph.states;
  c->has_fair = true;
  return c->fair;
}

const char *temporal_trouble(const temporal_checker *c) {
  const char *trouble = obdds_trouble(c->d);
  return trouble ? trouble : c->graph.is_stopped ? budget_spent(c->graph.budget) : NULL;
}

/* ---- asking ---- */

/* States all of whose fair runs have `f`. A conjunction holds on them if its conjuncts do, one after the other:
 * small tableaus. */
obdd temporal_states_ltl(temporal_checker *c, const temporal_question *q, const temporal *f) {
  size_t mark = obdds_mark(c->d);
  obdd result;
  if (f->kind == TEMPORAL_AND) {
    obdd left = temporal_states_ltl(c, q, f->left);
    result = obdd_and(c->d, left, temporal_states_ltl(c, q, f->right));
  } else {
    tableau t;
    tableau_init(&t, c, q, f);
    obdd bad = obdd_and(c->d, t.violating, fair_graph_fair_forever(&t.graph, t.graph.states));
    result = obdd_minus(c->d, c->graph.states, obdd_exists(c->d, bad, t.added_cube));
    c->graph.is_stopped |= t.graph.is_stopped;
    tableau_clear(&t);
  }
  obdds_release(c->d, mark, 1, &result);
  return result;
}

temporal_result temporal_check(temporal_checker *c, const temporal_question *q) {
  VECTOR_CLEAR(c->quantified); /* of another question */
  if (q->logic == PROPERTY_CTLSTAR) temporal_find_quantified(c, q, q->formula);
  size_t mark = obdds_mark(c->d);
  temporal_fair_states(c);
  obdd states = q->logic == PROPERTY_LTL  ? temporal_states_ltl(c, q, q->formula)
                : q->logic == PROPERTY_MU ? temporal_states_mu(c, q, q->formula)
                                          : temporal_states_ctl(c, q, q->formula);
  obdd start = obdd_and(c->d, c->system->initial, c->graph.states);
  bool holds = obdd_same(obdd_minus(c->d, start, states), OBDD_FALSE);
  obdds_release(c->d, mark, 2, (obdd[]){c->fair, states});
  const char *trouble = temporal_trouble(c);
  answer a = trouble ? answer_unsure(trouble) : holds ? answer_yes() : answer_no();
  return (temporal_result){a, states};
}
