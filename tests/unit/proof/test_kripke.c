/* The checker's own view of temporal formulas, on listed graphs, against counting out. */
#include "oracle/small_graph.h"
#include "proof/check/kripke/kripke.h"
#include "random/random_model.h"
#include "unit/test.h"

typedef struct listed {
  small_graph graph;
  small_formula formula;
  kripke *made;
  bits scratch;
} listed;

static bits set_bits(unsigned nodes, uint8_t set) {
  bits b = bits_new(nodes);
  for (unsigned n = 0; n < nodes; n++)
    if (set >> n & 1) bits_add(&b, n);
  return b;
}

static uint8_t bits_set(const bits *b) {
  uint8_t set = 0;
  for (unsigned n = 0; n < b->size; n++)
    if (bits_has(b, n)) set |= (uint8_t)(1u << n);
  return set;
}

static void add_constraint(listed *l, const small_fairness *f) {
  kripke_constraint *c = kripke_add_constraint(l->made);
  c->is_strong = f->kind == FAIR_STRONG;
  for (unsigned n = 0; n < l->graph.nodes; n++) {
    bool enabled = small_graph_enabled(&l->graph, f->group, n);
    if (f->kind == FAIR_STATE ? f->state >> n & 1 : f->kind == FAIR_WEAK && !enabled) bits_add(&c->seen, n);
    if (enabled) bits_add(&c->wanted, n);
  }
  for (unsigned a = 0; a < l->graph.actions && f->kind != FAIR_STATE; a++)
    if (f->group >> a & 1) VECTOR_PUSH(c->group, a);
}

static void listed_open(listed *l, random_source *r, unsigned most_nodes) {
  *l = (listed){.graph = small_graph_random(r, most_nodes)};
  small_formula_init(&l->formula);
  l->made = kripke_new(l->graph.nodes);
  for (unsigned n = 0; n < l->graph.nodes; n++) {
    for (unsigned a = 0; a < l->graph.actions; a++)
      for (unsigned to = 0; to < l->graph.nodes; to++)
        if (l->graph.after[a][n] >> to & 1) kripke_add_edge(l->made, n, a, to);
    if (!small_graph_after(&l->graph, n, false)) kripke_add_edge(l->made, n, KRIPKE_IDLE, n);
  }
  for (unsigned i = 0; i < l->graph.fair_count; i++) add_constraint(l, &l->graph.fair[i]);
  kripke_sort(l->made);
}

static void listed_close(listed *l) {
  kripke_free(l->made);
  small_formula_free(&l->formula);
  bits_free(&l->scratch);
}

static const bits *truth(void *context, term t, bool value) {
  listed *l = context;
  bits_free(&l->scratch);
  l->scratch = set_bits(l->graph.nodes, small_truth(&l->graph, &l->formula, value ? t : term_not(t)));
  return &l->scratch;
}

TEST(nodes_with_a_fair_run) {
  random_source r = {61};
  budget none = budget_unlimited();
  for (unsigned round = 0; round < random_rounds(4000); round++) {
    listed l;
    listed_open(&l, &r, MOST_NODES);
    uint8_t within = (uint8_t)random_below(&r, 256) & small_graph_all(&l.graph);
    bits set = set_bits(l.graph.nodes, within), fair = kripke_fair(l.made, &set, &none);
    CHECK(bits_set(&fair) == small_graph_fair(&l.graph, within), "round %u", round);
    bits_free(&set);
    bits_free(&fair);
    listed_close(&l);
  }
}

static void check_formulas(property_kind logic, uint64_t seed, unsigned rounds) {
  random_source r = {seed};
  budget none = budget_unlimited();
  for (unsigned round = 0; round < rounds; round++) {
    listed l;
    listed_open(&l, &r, 6);
    const temporal *f = small_formula_random(&l.formula, &r, logic, (unsigned)random_between(&r, 1, 4));
    uint8_t wanted = small_meaning(&l.graph, &l.formula, f), all = small_graph_all(&l.graph);
    kripke_question q = {.graph = l.made, .logic = logic, .formula = f, .truth = truth, .context = &l, .budget = &none};
    bits holds, fails;
    const char *why;
    CHECK(kripke_ask(&q, true, &holds, &why) && kripke_ask(&q, false, &fails, &why));
    CHECK(bits_set(&holds) == wanted && bits_set(&fails) == (all & ~wanted), "round %u", round);
    bits_free(&holds);
    bits_free(&fails);
    q.is_partial = logic != PROPERTY_MU; /* what a part shows is so in the whole */
    if (q.is_partial) {
      CHECK(kripke_ask(&q, true, &holds, &why) && kripke_ask(&q, false, &fails, &why));
      CHECK(!(bits_set(&holds) & ~wanted) && !(bits_set(&fails) & wanted), "round %u", round);
      bits_free(&holds);
      bits_free(&fails);
    }
    listed_close(&l);
  }
}

TEST(ctl) { check_formulas(PROPERTY_CTL, 71, random_rounds(4000)); }
TEST(ctl_star) { check_formulas(PROPERTY_CTLSTAR, 72, random_rounds(2000)); }
TEST(mu_calculus) { check_formulas(PROPERTY_MU, 81, random_rounds(4000)); }

TEST(ltl) {
  random_source r = {91};
  budget none = budget_unlimited();
  unsigned shown = 0, held = 0;
  for (unsigned round = 0; round < random_rounds(3000); round++) {
    listed l;
    listed_open(&l, &r, 3);
    const temporal *f = small_formula_random(&l.formula, &r, PROPERTY_LTL, (unsigned)random_between(&r, 1, 3));
    kripke_question q = {
        .graph = l.made, .logic = PROPERTY_LTL, .formula = f, .truth = truth, .context = &l, .budget = &none};
    bits fails;
    const char *why;
    bool fine = kripke_ask(&q, false, &fails, &why);
    CHECK(fine);
    for (unsigned n = 0; n < l.graph.nodes && fine; n++) {
      small_run run;
      bool found = small_run_search(&l.graph, &l.formula, f, n, 5, &run);
      CHECK(!found || bits_has(&fails, n), "round %u: fails from %u", round, n);
      /* such small graphs and formulas nearly always have a short run if they have one */
      if (bits_has(&fails, n)) found ? shown++ : held++;
    }
    if (fine) bits_free(&fails);
    listed_close(&l);
  }
  printf("# ltl: %u failures with a short run, %u without\n", shown, held);
  CHECK(shown > 100 && held * 50 < shown);
}

TEST_MAIN
