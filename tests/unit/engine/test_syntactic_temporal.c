/* syntactic on temporal properties of counters that go up and down within bounds. The predicates have no end, for
 * nothing but reachability bounds the counter, so most programs are not exact: what is claimed of all runs must hold
 * all the same, with fairness too, and what is claimed at all must be right by counting out, and its evidence accepted.
 */
#include "base/text.h"
#include "engine/engine.h"
#include "oracle/small_graph.h"
#include "proof/check/check.h"
#include "random/random_model.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

extern const engine engine_syntactic;

enum { MOST_STEPS = 4 };

typedef struct window {
  int low, high, shift;
} window;

/* Every action adds a number if the counter is within its window, and stays among the nodes. */
static small_graph random_counter(random_source *r, window *windows) {
  small_graph g = small_graph_random(r, 6);
  int nodes = (int)g.nodes;
  for (unsigned a = 0; a < g.actions; a++) {
    window w = {.shift = (int)random_between(r, -2, 2)};
    w.low = w.shift < 0 ? -w.shift : 0;
    w.high = w.shift > 0 ? nodes - 1 - w.shift : nodes - 1;
    if (w.low <= w.high) w.low = (int)random_between(r, w.low, w.high);
    for (int n = 0; n < nodes; n++) g.after[a][n] = n >= w.low && n <= w.high ? (uint8_t)(1 << (n + w.shift)) : 0;
    windows[a] = w;
  }
  return g;
}

static void print_set(uint8_t set, text *out) {
  text_add(out, "(false");
  for (unsigned n = 0; n < MOST_NODES; n++)
    if (set >> n & 1) text_add(out, " || s = %u", n);
  text_add(out, ")");
}

static void print_fairness(const small_graph *g, const small_fairness *f, text *out) {
  if (f->kind == FAIR_STATE) {
    text_add(out, "fair when ");
    print_set(f->state, out);
  } else {
    const char *between = "";
    text_add(out, f->kind == FAIR_STRONG ? "fair strong {" : "fair {");
    for (unsigned a = 0; a < g->actions; a++)
      if (f->group >> a & 1) {
        text_add(out, "%sa%u", between, a);
        between = ", ";
      }
    text_add(out, "}");
  }
  text_add(out, "\n");
}

static char *model_text(const small_graph *g, const window *windows, const small_formula *f, const temporal *t,
                        property_kind logic) {
  static const char *const words[] = {[PROPERTY_CTL] = "ctl", [PROPERTY_LTL] = "ltl", [PROPERTY_MU] = "mu"};
  text out = {0};
  text_add(&out, "var s : int\ninit ");
  print_set(g->initial, &out);
  for (unsigned p = 0; p < PROPOSITIONS; p++) {
    text_add(&out, "\ndefine %s = ", p ? "q" : "p");
    print_set(g->truth[p], &out);
  }
  text_add(&out, "\n");
  for (unsigned a = 0; a < g->actions; a++)
    text_add(&out, "action a%u: %d <= s && s <= %d -> s := s + (%d)\n", a, windows[a].low, windows[a].high,
             windows[a].shift);
  for (unsigned i = 0; i < g->fair_count; i++) print_fairness(g, &g->fair[i], &out);
  text_add(&out, "%s property: ", words[logic]);
  temporal_print(f->ts, t, &out);
  text_add(&out, "\n");
  return text_give(&out);
}

typedef struct tally {
  unsigned holds, fails, unknown, inexact, runs;
} tally;

static claim decide(model *m, const char *rounds) {
  statistics counted = {0};
  budget b = budget_unlimited();
  options *o = options_new();
  options_set(o, "closure", rounds);
  engine_environment env = {.model = m, .property = 0, .options = o, .statistics = &counted, .budget = &b};
  claim c = {0};
  void *state = engine_syntactic.open(&env);
  for (unsigned i = 0; i < MOST_STEPS && engine_syntactic.step(state, &c) == ENGINE_GOES_ON; i++) {
  }
  engine_syntactic.close(state);
  options_free(o);
  return c;
}

static void check_counter(property_kind logic, random_source *r, tally *t) {
  static const char *const rounds[] = {"0", "1", "2"};
  window windows[MOST_ACTIONS];
  small_formula f;
  small_graph g = random_counter(r, windows);
  small_formula_init(&f);
  const temporal *formula = small_formula_random(&f, r, logic, (unsigned)random_between(r, 1, 3));
  char *source = model_text(&g, windows, &f, formula, logic);
  model *m = read_good_model(source);
  claim c = decide(m, rounds[random_below(r, 3)]);
  if (c.verdict == VERDICT_UNKNOWN) {
    t->unknown++;
  } else {
    bool holds = small_holds(&g, &f, formula, logic, 7);
    budget b = budget_unlimited();
    check_result checked = check_evidence(m, 0, &c.evidence, &b, NULL);
    CHECK((c.verdict == VERDICT_HOLDS) == holds && evidence_is_against(&c.evidence) == !holds, "holds: %d\n%s", holds,
          source);
    CHECK(checked.kind == CHECK_ACCEPTED, "%s\n%s", checked.what, source);
    memory_free(checked.what);
    t->holds += holds;
    t->fails += !holds;
    t->runs += c.evidence.kind == EVIDENCE_TRACE;
    t->inexact += c.evidence.kind == EVIDENCE_QUOTIENT && !c.evidence.quotient.is_exact;
  }
  claim_clear(&c);
  model_free(m);
  memory_free(source);
  small_formula_free(&f);
}

static void check_logic(property_kind logic, uint64_t seed, unsigned rounds) {
  random_source r = {seed};
  tally t = {0};
  for (unsigned i = 0; i < rounds && !test_failures; i++) check_counter(logic, &r, &t);
  printf("# %u hold, %u of them by programs that are not exact, %u fail, %u of them by runs; %u unknown\n", t.holds,
         t.inexact, t.fails, t.runs, t.unknown);
  CHECK(rounds < 40 || (t.holds > rounds / 8 && t.fails > rounds / 8 && t.unknown < rounds / 2));
  CHECK(rounds < 40 || logic == PROPERTY_MU || (t.inexact > 0 && t.runs > 0));
}

TEST(ctl) { check_logic(PROPERTY_CTL, 301, random_rounds(120)); }
TEST(ltl) { check_logic(PROPERTY_LTL, 302, random_rounds(120)); }
TEST(mu) { check_logic(PROPERTY_MU, 303, random_rounds(80)); }

TEST_MAIN
