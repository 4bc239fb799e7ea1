/* Temporal checking with decision diagrams against counting out: thousands of small random graphs with random fairness.
 */
#include "oracle/small_graph.h"
#include "random/random_model.h"
#include "temporal/temporal.h"
#include "unit/test.h"

enum { BITS = 3 };

static const uint32_t now[BITS] = {0, 2, 4}, next[BITS] = {1, 3, 5};

typedef struct bench {
  obdds *d;
  size_t mark;
  small_graph graph;
  small_formula formula;
  finite_system system;
} bench;

static obdd node_diagram(obdds *d, const uint32_t *variables, unsigned n) {
  obdd state = OBDD_TRUE;
  for (unsigned i = 0; i < BITS; i++) {
    obdd v = obdd_variable(d, variables[i]);
    state = obdd_and(d, state, n >> i & 1 ? v : obdd_not(d, v));
  }
  return state;
}

static obdd set_diagram(obdds *d, const uint32_t *variables, uint8_t set) {
  obdd all = OBDD_FALSE;
  for (unsigned n = 0; n < MOST_NODES; n++)
    if (set >> n & 1) all = obdd_or(d, all, node_diagram(d, variables, n));
  return all;
}

static uint8_t diagram_set(obdds *d, obdd set) {
  uint8_t all = 0;
  for (unsigned n = 0; n < MOST_NODES; n++)
    if (obdd_and(d, set, node_diagram(d, now, n)).node) all |= (uint8_t)(1u << n);
  return all;
}

static obdd action_diagram(const bench *b, unsigned a) {
  obdd all = OBDD_FALSE;
  for (unsigned n = 0; n < b->graph.nodes; n++)
    all = obdd_or(b->d, all, obdd_and(b->d, node_diagram(b->d, now, n), set_diagram(b->d, next, b->graph.after[a][n])));
  return all;
}

static finite_fairness fairness_diagram(const bench *b, const small_fairness *f) {
  finite_fairness made = {.kind = f->kind};
  uint8_t enabled = 0;
  for (unsigned n = 0; n < b->graph.nodes; n++)
    if (small_graph_enabled(&b->graph, f->group, n)) enabled |= (uint8_t)(1u << n);
  made.enabled = set_diagram(b->d, now, enabled);
  made.state = set_diagram(b->d, now, f->state);
  for (unsigned a = 0; a < b->graph.actions; a++)
    if (f->group >> a & 1) VECTOR_PUSH(made.group, a);
  return made;
}

/* Making a table of diagrams takes longer than a round, so several rounds share one; formulas of LTL add variables to
 * it. */
static obdds *shared;
static unsigned shared_rounds;

static void bench_open(bench *b, random_source *r, unsigned most_nodes) {
  if (shared && ++shared_rounds % 50 == 0) {
    obdds_free(shared);
    shared = NULL;
  }
  if (!shared) shared = obdds_new(2 * BITS, 1000000);
  *b = (bench){.d = shared, .mark = obdds_mark(shared), .graph = small_graph_random(r, most_nodes)};
  small_formula_init(&b->formula);
  b->system = (finite_system){.diagrams = b->d, .bits = BITS, .now = now, .next = next};
  b->system.domain = set_diagram(b->d, now, small_graph_all(&b->graph));
  b->system.initial = set_diagram(b->d, now, b->graph.initial);
  for (unsigned a = 0; a < b->graph.actions; a++)
    VECTOR_PUSH(b->system.actions, (finite_action){"a", action_diagram(b, a)});
  for (unsigned i = 0; i < b->graph.fair_count; i++)
    VECTOR_PUSH(b->system.fairness, fairness_diagram(b, &b->graph.fair[i]));
}

static void bench_close(bench *b) {
  finite_system_clear(&b->system);
  small_formula_free(&b->formula);
  obdds_release(b->d, b->mark, 0, NULL);
}

static obdd read_proposition(void *context, term t) {
  bench *b = context;
  return set_diagram(b->d, now, small_truth(&b->graph, &b->formula, t));
}

static char *formula_text(const bench *b, const temporal *f) {
  text out = {0};
  temporal_print(b->formula.ts, f, &out);
  return text_give(&out);
}

TEST(states_with_a_fair_run) {
  random_source r = {11};
  budget none = budget_unlimited();
  for (unsigned round = 0; round < random_rounds(4000); round++) {
    bench b;
    bench_open(&b, &r, MOST_NODES);
    temporal_checker *c = temporal_checker_new(&b.system, &none);
    uint8_t reachable = small_graph_reachable(&b.graph), deadlocks = 0;
    for (unsigned n = 0; n < b.graph.nodes; n++)
      if (reachable >> n & 1 && !small_graph_after(&b.graph, n, false)) deadlocks |= (uint8_t)(1u << n);
    CHECK(diagram_set(b.d, temporal_reachable(c)) == reachable, "round %u", round);
    CHECK(diagram_set(b.d, temporal_deadlocks(c)) == deadlocks, "round %u", round);
    uint8_t fair = small_graph_fair(&b.graph, small_graph_all(&b.graph));
    CHECK(diagram_set(b.d, temporal_fair_states(c)) == (fair & reachable), "round %u", round);
    temporal_checker_free(c);
    bench_close(&b);
  }
}

/* ---- witnesses ---- */

static unsigned node_at(const finite_branch *w, size_t position) {
  unsigned n = 0;
  for (unsigned i = 0; i < BITS; i++) n |= (unsigned)w->states.at[position * BITS + i] << i;
  return n;
}

static bool branch_run(const finite_branch *w, small_run *out) {
  *out = (small_run){.length = (unsigned)w->actions.count, .loop = (unsigned)w->loop};
  if (w->loop == TEMPORAL_NO_LOOP || w->loop >= w->actions.count || w->actions.count > 64) return false;
  for (unsigned i = 0; i < out->length; i++) {
    out->nodes[i] = (uint8_t)node_at(w, i);
    out->actions[i] = w->actions.at[i] == TEMPORAL_IDLE ? MOST_ACTIONS : (uint8_t)w->actions.at[i];
  }
  return node_at(w, w->actions.count) == node_at(w, w->loop);
}

/* The part of the graph that the paths of a witness show. What it satisfies existentially the graph does. */
static small_graph shown_part(const small_graph *g, const finite_witness *w) {
  small_graph part = *g;
  uint8_t open = 0;
  memset(part.after, 0, sizeof part.after);
  for (size_t i = 0; i < w->count; i++) {
    const finite_branch *b = &w->at[i];
    for (size_t k = 0; k < b->actions.count; k++)
      if (b->actions.at[k] != TEMPORAL_IDLE)
        part.after[b->actions.at[k]][node_at(b, k)] |= (uint8_t)(1u << node_at(b, k + 1));
    if (b->loop == TEMPORAL_NO_LOOP) open |= (uint8_t)(1u << node_at(b, b->actions.count));
  }
  for (unsigned n = 0; n < g->nodes; n++) /* goes on somehow, to where nothing is shown */
    if (open >> n & 1 && !small_graph_after(&part, n, false)) part.after[0][n] |= (uint8_t)(1u << n);
  return part;
}

static void check_paths(const small_graph *g, const finite_witness *w, const char *formula) {
  for (size_t i = 0; i < w->count; i++) {
    const finite_branch *b = &w->at[i];
    if (b->parent == TEMPORAL_NO_PARENT)
      CHECK(i == 0 && g->initial >> node_at(b, 0) & 1, "%s", formula);
    else
      CHECK(b->parent < i && node_at(&w->at[b->parent], b->position) == node_at(b, 0), "%s", formula);
    for (size_t k = 0; k < b->actions.count; k++) {
      uint8_t from = node_at(b, k) & 0xff, to = (uint8_t)(1u << node_at(b, k + 1));
      if (b->actions.at[k] == TEMPORAL_IDLE)
        CHECK(!small_graph_after(g, from, false) && to == 1u << from, "%s", formula);
      else
        CHECK(g->after[b->actions.at[k]][from] & to, "%s", formula);
    }
    small_run r;
    if (b->loop != TEMPORAL_NO_LOOP) CHECK(branch_run(b, &r) && small_run_is_fair(g, &r), "%s", formula);
    uint8_t fair = small_graph_fair(g, small_graph_all(g));
    bool can_go_on = fair >> node_at(b, b->actions.count) & 1;
    CHECK(b->loop != TEMPORAL_NO_LOOP || !g->fair_count || !can_go_on, "%s", formula);
  }
}

/* ---- CTL and mu ---- */

typedef struct tally {
  unsigned holds, fails, shown, branched;
} tally;

static void check_tree(bench *b, temporal_checker *c, const temporal_question *q, bool holds, const char *formula,
                       tally *count) {
  finite_witness w = {0};
  bool shown = holds ? temporal_example(c, q, &w) : temporal_counterexample(c, q, &w);
  temporal negation = {.kind = TEMPORAL_NOT, .state = TERM_TRUE, .left = (temporal *)q->formula};
  bool must = holds ? temporal_is_universal(&negation) : temporal_is_universal(q->formula);
  CHECK(shown || !must || q->logic == PROPERTY_CTLSTAR, "no witness for %s", formula);
  CHECK(!w.is_partial || !must || q->logic == PROPERTY_CTLSTAR, "a part alone is shown of %s", formula);
  if (shown) {
    check_paths(&b->graph, &w, formula);
    count->shown++;
    count->branched += w.count > 1;
  }
  if (shown && must && !w.is_partial && !b->graph.fair_count) { /* enabledness in a part of the graph is another */
    small_graph part = shown_part(&b->graph, &w);
    uint8_t meaning = small_meaning(&part, &b->formula, q->formula);
    CHECK((meaning >> node_at(&w.at[0], 0) & 1) == holds, "%s is not shown", formula);
  }
  finite_witness_clear(&w);
}

static tally check_logic(property_kind logic, uint64_t seed, unsigned rounds) {
  random_source r = {seed};
  budget none = budget_unlimited();
  tally count = {0};
  for (unsigned round = 0; round < rounds; round++) {
    bench b;
    bench_open(&b, &r, 6);
    temporal_checker *c = temporal_checker_new(&b.system, &none);
    for (unsigned i = 0; i < 3; i++) {
      const temporal *f = small_formula_random(&b.formula, &r, logic, (unsigned)random_between(&r, 1, 4));
      temporal_question q = {logic, f, read_proposition, &b};
      uint8_t wanted = small_meaning(&b.graph, &b.formula, f);
      temporal_result got = temporal_check(c, &q);
      uint8_t reachable = small_graph_reachable(&b.graph);
      char *formula = formula_text(&b, f);
      CHECK(diagram_set(b.d, got.satisfying) == (wanted & reachable), "round %u: %s", round, formula);
      bool holds = !(b.graph.initial & ~wanted);
      CHECK(answer_is_yes(got.holds) == holds && answer_is_no(got.holds) == !holds, "round %u: %s", round, formula);
      count.holds += holds;
      count.fails += !holds;
      if (logic != PROPERTY_MU) check_tree(&b, c, &q, holds, formula, &count);
      memory_free(formula);
    }
    temporal_checker_free(c);
    bench_close(&b);
  }
  return count;
}

TEST(ctl) {
  tally t = check_logic(PROPERTY_CTL, 21, random_rounds(2000));
  printf("# ctl: %u hold, %u fail, %u shown, %u of them with branches\n", t.holds, t.fails, t.shown, t.branched);
  CHECK(t.holds > 50 && t.fails > 50 && t.shown > 50 && t.branched > 0);
}

TEST(ctl_star) {
  tally t = check_logic(PROPERTY_CTLSTAR, 22, random_rounds(1000));
  printf("# ctl*: %u hold, %u fail, %u shown, %u of them with branches\n", t.holds, t.fails, t.shown, t.branched);
  CHECK(t.holds > 50 && t.fails > 50 && t.shown > 50 && t.branched > 0);
}

TEST(mu_calculus) {
  tally t = check_logic(PROPERTY_MU, 31, random_rounds(2000));
  CHECK(t.holds > 50 && t.fails > 50);
}

/* ---- LTL ---- */

static void check_ltl_violation(bench *b, temporal_checker *c, const temporal_question *q, const char *formula) {
  finite_witness w = {0};
  small_run run;
  bool shown = temporal_counterexample(c, q, &w);
  CHECK(shown && w.count == 1, "no loop for %s", formula);
  if (!shown) return;
  check_paths(&b->graph, &w, formula);
  if (branch_run(&w.at[0], &run))
    CHECK(!small_run_satisfies(&b->graph, &b->formula, &run, q->formula), "%s holds on the loop", formula);
  finite_witness_clear(&w);
}

TEST(ltl) {
  random_source r = {41};
  budget none = budget_unlimited();
  tally count = {0};
  for (unsigned round = 0; round < random_rounds(1500); round++) {
    bench b;
    bench_open(&b, &r, 4);
    temporal_checker *c = temporal_checker_new(&b.system, &none);
    const temporal *f = small_formula_random(&b.formula, &r, PROPERTY_LTL, (unsigned)random_between(&r, 1, 4));
    temporal_question q = {PROPERTY_LTL, f, read_proposition, &b};
    char *formula = formula_text(&b, f);
    temporal_result got = temporal_check(c, &q);
    uint8_t satisfying = diagram_set(b.d, got.satisfying);
    for (unsigned n = 0; n < b.graph.nodes; n++) {
      small_run run;
      if (!(satisfying >> n & 1)) continue;
      CHECK(!small_run_search(&b.graph, &b.formula, f, n, 4, &run), "round %u: %s fails from %u", round, formula, n);
    }
    if (answer_is_no(got.holds)) check_ltl_violation(&b, c, &q, formula);
    count.holds += answer_is_yes(got.holds);
    count.fails += answer_is_no(got.holds);
    memory_free(formula);
    temporal_checker_free(c);
    bench_close(&b);
  }
  printf("# ltl: %u hold, %u fail\n", count.holds, count.fails);
  CHECK(count.holds > 20 && count.fails > 20);
}

/* ---- limits ---- */

TEST(trouble_and_a_spent_budget_are_unsure) {
  random_source r = {51};
  bench b;
  bench_open(&b, &r, MOST_NODES);
  atomic_bool stop = true;
  budget spent = {.stop = &stop};
  temporal_checker *c = temporal_checker_new(&b.system, &spent);
  const temporal *f = small_formula_random(&b.formula, &r, PROPERTY_CTL, 3);
  temporal_result got = temporal_check(c, &(temporal_question){PROPERTY_CTL, f, read_proposition, &b});
  CHECK(answer_is_unsure(got.holds));
  CHECK(temporal_trouble(c) != NULL);
  temporal_checker_free(c);
  bench_close(&b);
  obdds_free(shared);
  shared = NULL;
}

TEST_MAIN
