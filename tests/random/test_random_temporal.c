/* Engines on temporal properties of random graphs written as models, against counting out the graph: every verdict is
 * right, its evidence is accepted, also after it was written and read, and no evidence that was tampered with is
 * accepted for a wrong one. */
#include "base/text.h"
#include "engine/engine.h"
#include "model/transform.h"
#include "oracle/small_graph.h"
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "random/random_model.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

typedef enum shape { SHAPE_RANGE, SHAPE_INTEGER, SHAPE_COUNTER, SHAPES } shape;

static void print_set(uint8_t set, text *out) {
  text_add(out, "(false");
  for (unsigned n = 0; n < MOST_NODES; n++)
    if (set >> n & 1) text_add(out, " || s = %u", n);
  text_add(out, ")");
}

/* An action chooses its target by an input. With a counter that nothing reads the model has infinitely many states, and
 * its graph is a quotient. */
static void print_action(const small_graph *g, unsigned a, shape kind, text *out) {
  text_add(out, "action a%u(i : 0..7): false", a);
  for (unsigned n = 0; n < g->nodes; n++)
    for (unsigned to = 0; to < g->nodes; to++)
      if (g->after[a][n] >> to & 1) text_add(out, " || (s = %u && i = %u)", n, to);
  text_add(out, " -> s := i%s\n", kind == SHAPE_COUNTER ? ", c := c + 1" : "");
}

static void print_often(const small_fairness *f, unsigned k, text *out) {
  if (!f->often[k].is_of_steps) {
    print_set(f->often[k].states, out);
    return;
  }
  bool is_of_ends = true;
  for (unsigned n = 1; n < MOST_NODES; n++)
    is_of_ends &= !f->often[k].steps[n] || f->often[k].steps[n] == f->often[k].steps[0];
  if (is_of_ends && f->often[k].steps[0] == f->often[k].states) {
    text_add(out, "next");
    print_set(f->often[k].states, out);
    return;
  }
  text_add(out, "(false && next(s) = s");
  for (unsigned n = 0; n < MOST_NODES; n++)
    for (unsigned to = 0; to < MOST_NODES; to++)
      if (f->often[k].steps[n] >> to & 1) text_add(out, " || (s = %u && next(s) = %u)", n, to);
  text_add(out, ")");
}

static void print_formula(const small_fairness *f, text *out) {
  for (const char *at = small_fair_forms[f->form].text; *at; at++) {
    bool is_atom = (*at == 'a' || *at == 'b') && !(at[1] >= 'a' && at[1] <= 'z') && !(at[-1] >= 'a' && at[-1] <= 'z');
    if (is_atom)
      print_often(f, *at == 'b', out);
    else
      text_add_char(out, *at);
  }
  text_add(out, "\n");
}

static void print_fairness(const small_fairness *f, text *out) {
  if (f->kind == FAIR_FORMULA) {
    print_formula(f, out);
    return;
  }
  if (f->kind == FAIR_STATE) {
    text_add(out, "fair when ");
    print_set(f->state, out);
    text_add(out, "\n");
    return;
  }
  const char *between = "";
  text_add(out, f->kind == FAIR_STRONG ? "fair strong {" : "fair {");
  for (unsigned a = 0; a < MOST_ACTIONS; a++)
    if (f->group >> a & 1) {
      text_add(out, "%sa%u", between, a);
      between = ", ";
    }
  text_add(out, "}\n");
}

static char *model_text(const small_graph *g, const small_formula *f, const temporal *t, property_kind logic,
                        shape kind) {
  static const char *const words[] = {
      [PROPERTY_CTL] = "ctl", [PROPERTY_LTL] = "ltl", [PROPERTY_MU] = "mu", [PROPERTY_CTLSTAR] = "ctlstar"};
  text out = {0};
  text_add(&out, kind == SHAPE_RANGE ? "var s : 0..7\n" : "var s : int\n");
  if (kind == SHAPE_COUNTER) text_add(&out, "var c : nat = 0\n");
  text_add(&out, "init ");
  print_set(g->initial, &out);
  for (unsigned p = 0; p < PROPOSITIONS; p++) {
    text_add(&out, "\ndefine %s = ", p ? "q" : "p");
    print_set(g->truth[p], &out);
  }
  text_add(&out, "\n");
  for (unsigned a = 0; a < g->actions; a++) print_action(g, a, kind, &out);
  for (unsigned i = 0; i < g->fair_count; i++) print_fairness(&g->fair[i], &out);
  text_add(&out, "%s property: ", words[logic]);
  temporal_print(f->ts, t, &out);
  text_add(&out, "\n");
  return text_give(&out);
}

/* ---- engines and the checker ---- */

typedef struct tally {
  unsigned holds, fails, runs, quotients, unknown, tampered, caught;
} tally;

static claim decide(const engine *e, model *m, options *o) {
  statistics counted = {0};
  budget b = budget_unlimited();
  engine_environment env = {.model = m, .property = 0, .options = o, .statistics = &counted, .budget = &b};
  claim c = {0};
  void *state = e->open(&env);
  while (e->step(state, &c) == ENGINE_GOES_ON) {
  }
  e->close(state);
  VECTOR_FREE(env.facts); /* an engine that works alone may add its own */
  return c;
}

static check_kind check(model *m, const evidence *e, char **what) {
  budget b = budget_unlimited();
  check_result r = check_evidence(m, 0, e, &b, NULL);
  *what = r.what;
  return r.kind;
}

static void check_again_from_text(model *m, const evidence *e, const char *source) {
  text written = {0};
  evidence read;
  size_t property;
  char *error = NULL, *what = NULL;
  certificate_write(m, 0, e, &written);
  bool fine = certificate_read(m, written.at, written.count, &property, &read, &error);
  CHECK(fine, "%s\n%s\n%s", error, source, text_string(&written));
  if (fine) {
    CHECK(check(m, &read, &what) == CHECK_ACCEPTED, "%s\n%s", what, source);
    CHECK(evidence_is_against(&read) == evidence_is_against(e));
    evidence_clear(&read);
  }
  memory_free(what);
  memory_free(error);
  text_clear(&written);
}

/* Some characters become others, digits mostly digits. */
static void damage(random_source *r, text *t) {
  static const char some[] = "0123456789\"[]{},()=|-xs";
  for (uint64_t i = random_between(r, 1, 3); i > 0; i--) {
    size_t at = random_below(r, t->count);
    bool is_digit = t->at[at] >= '0' && t->at[at] <= '9';
    t->at[at] = some[random_below(r, is_digit ? 10 : sizeof some - 1)];
  }
}

/* What a damaged text says is refused, or it is still true. */
static void check_damaged_text(model *m, const evidence *e, bool holds, random_source *r, const char *source) {
  text written = {0};
  evidence read;
  size_t property;
  char *error = NULL, *what = NULL;
  certificate_write(m, 0, e, &written);
  damage(r, &written);
  if (certificate_read(m, written.at, written.count, &property, &read, &error)) {
    bool accepted = property == 0 && check(m, &read, &what) == CHECK_ACCEPTED;
    CHECK(!accepted || evidence_is_against(&read) == !holds, "damaged text is accepted\n%s\n%s", source,
          text_string(&written));
    evidence_clear(&read);
  }
  memory_free(what);
  memory_free(error);
  text_clear(&written);
}

static void tamper_help(random_source *r, size_t constraints, evidence *e) {
  ranking_help *h = &e->helps.at[random_below(r, e->helps.count)];
  switch (random_below(r, 4)) {
    case 0: h->helpful = term_not(h->helpful); break;
    case 1: h->helpful = TERM_TRUE; break;
    case 2: h->fairness = (uint32_t)random_below(r, constraints); break;
    default: *h = VECTOR_LAST(e->helps), e->helps.count--; break;
  }
}

static void tamper_wait(random_source *r, size_t constraints, evidence *e) {
  relation_wait *w = &e->waits.at[random_below(r, e->waits.count)];
  switch (random_below(r, 4)) {
    case 0: w->was_possible = !w->was_possible; break;
    case 1: w->fairness = (uint32_t)random_below(r, constraints); break;
    case 2: w->relation = (uint32_t)random_below(r, e->relations.count); break;
    default: *w = VECTOR_LAST(e->waits), e->waits.count--; break;
  }
}

static void tamper_ranking(random_source *r, terms *ts, size_t constraints, evidence *e) {
  if (e->waits.count && random_below(r, 2)) {
    tamper_wait(r, constraints, e);
    return;
  }
  if (e->helps.count && random_below(r, 2)) {
    tamper_help(r, constraints, e);
    return;
  }
  size_t some = e->measures.count ? random_below(r, e->measures.count) : 0;
  if (!e->measures.count || random_below(r, 3) == 0)
    e->region = TERM_FALSE;
  else if (random_below(r, 2))
    e->measures.at[some] = term_negate(ts, e->measures.at[some]);
  else
    e->measures.at[some] = VECTOR_LAST(e->measures), e->measures.count--;
}

static void tamper(random_source *r, terms *ts, size_t constraints, evidence *e) {
  quotient *q = &e->quotient;
  if (e->kind == EVIDENCE_RANKING || e->kind == EVIDENCE_TRANSITION_INVARIANT) {
    tamper_ranking(r, ts, constraints, e);
    return;
  }
  switch (random_below(r, 6)) {
    case 0: q->fails = !q->fails; break;
    case 1:
      if (q->edges.count) {
        size_t gone = random_below(r, q->edges.count);
        q->edges.count--;
        q->edges.at[gone] = q->edges.at[q->edges.count];
      }
      break;
    case 2:
      if (q->edges.count) q->edges.at[random_below(r, q->edges.count)].to = (uint32_t)random_below(r, e->parts.count);
      break;
    case 3:
      if (e->kind == EVIDENCE_QUOTIENT && e->parts.count > 1)
        e->parts.at[random_below(r, e->parts.count)].formula = TERM_FALSE;
      break;
    case 4:
      if (e->has_loop) e->loop = random_below(r, e->steps.count);
      break;
    default:
      if (q->initial.count) q->initial.at[0] = (uint32_t)random_below(r, e->parts.count);
      q->fails = !q->fails;
      break;
  }
}

static void check_claim(model *m, claim *c, bool holds, random_source *r, const char *source, tally *t) {
  char *what = NULL;
  bool against = evidence_is_against(&c->evidence);
  if (c->verdict == VERDICT_UNKNOWN) {
    t->unknown++;
    return;
  }
  CHECK((c->verdict == VERDICT_HOLDS) == holds && against == !holds, "holds: %d\n%s", holds, source);
  CHECK(check(m, &c->evidence, &what) == CHECK_ACCEPTED, "%s\n%s", what, source);
  memory_free(what);
  check_again_from_text(m, &c->evidence, source);
  check_damaged_text(m, &c->evidence, holds, r, source);
  t->holds += holds;
  t->fails += !holds;
  t->runs += c->evidence.kind == EVIDENCE_TRACE;
  t->quotients += c->evidence.kind == EVIDENCE_QUOTIENT;
  tamper(r, m->terms, m->fairness.count, &c->evidence);
  bool accepted = check(m, &c->evidence, &what) == CHECK_ACCEPTED;
  CHECK(!accepted || evidence_is_against(&c->evidence) == !holds, "tampered evidence is accepted\n%s", source);
  t->tampered++;
  t->caught += !accepted;
  memory_free(what);
}

typedef const temporal *formula_maker(small_formula *f, random_source *r, property_kind logic);

static const temporal *any_formula(small_formula *f, random_source *r, property_kind logic) {
  return small_formula_random(f, r, logic, (unsigned)random_between(r, 1, 3));
}

static const temporal *add_node(small_formula *f, temporal_kind kind, temporal *left, temporal *right) {
  f->nodes[f->count] = (temporal){.kind = kind, .state = TERM_TRUE, .left = left, .right = right};
  return &f->nodes[f->count++];
}

static temporal *state_node(small_formula *f, random_source *r) {
  temporal *made = (temporal *)add_node(f, TEMPORAL_STATE, NULL, NULL);
  made->state = f->proposition[random_below(r, PROPOSITIONS)];
  if (random_below(r, 3) == 0) made->state = term_not(made->state);
  return made;
}

/* F p, q => F p, G F p, G (q => F p). */
static const temporal *promise(small_formula *f, random_source *r, property_kind logic) {
  bool is_ctl = logic == PROPERTY_CTL;
  const temporal *made = add_node(f, is_ctl ? TEMPORAL_AF : TEMPORAL_F, state_node(f, r), NULL);
  if (random_below(r, 2)) made = add_node(f, TEMPORAL_IMPLIES, state_node(f, r), (temporal *)made);
  if (random_below(r, 2)) made = add_node(f, is_ctl ? TEMPORAL_AG : TEMPORAL_G, (temporal *)made, NULL);
  return made;
}

/* Fairness conditions that are formulas, if it is not 0: so many conditions. */
static unsigned most_conditions;

static tally run_engine(const char *name, property_kind logic, formula_maker *make, uint64_t seed, unsigned rounds) {
  random_source r = {seed};
  options *o = options_new();
  tally t = {0};
  for (unsigned round = 0; round < rounds && !test_failures; round++) {
    small_formula f;
    small_graph g = small_graph_random(&r, most_conditions && logic == PROPERTY_LTL ? 3 : 4);
    if (most_conditions) small_graph_add_formulas(&r, &g, most_conditions);
    small_formula_init(&f);
    const temporal *formula = make(&f, &r, logic);
    shape kind = strcmp(name, "explicit") ? (shape)random_below(&r, SHAPES) : SHAPE_RANGE;
    char *source = model_text(&g, &f, formula, logic, kind);
    model *m = read_good_model(source);
    claim c = decide(engines_find(name), m, o);
    check_claim(m, &c, small_holds(&g, &f, formula, logic, 5), &r, source, &t);
    claim_clear(&c);
    model_free(m);
    memory_free(source);
    small_formula_free(&f);
  }
  options_free(o);
  printf("# %s: %u hold, %u fail, by %u runs and %u quotients; %u unknown; %u of %u tampered with are caught\n", name,
         t.holds, t.fails, t.runs, t.quotients, t.unknown, t.caught, t.tampered);
  return t;
}

static void check_engine(const char *name, property_kind logic, uint64_t seed, unsigned rounds) {
  tally t = run_engine(name, logic, any_formula, seed, rounds);
  CHECK(t.unknown == 0);
  CHECK(rounds < 50 ||
        (t.holds > rounds / 10 && t.fails > rounds / 10 && t.caught > t.tampered / 8)); /* fewer mean nothing */
}

TEST(explicit_ctl) { check_engine("explicit", PROPERTY_CTL, 101, random_rounds(60)); }
TEST(explicit_ltl) { check_engine("explicit", PROPERTY_LTL, 102, random_rounds(60)); }
TEST(explicit_mu) { check_engine("explicit", PROPERTY_MU, 103, random_rounds(60)); }
TEST(explicit_ctl_star) { check_engine("explicit", PROPERTY_CTLSTAR, 131, random_rounds(60)); }
TEST(alpha_ctl) { check_engine("alpha", PROPERTY_CTL, 104, random_rounds(40)); }
TEST(alpha_ltl) { check_engine("alpha", PROPERTY_LTL, 105, random_rounds(40)); }
TEST(alpha_mu) { check_engine("alpha", PROPERTY_MU, 106, random_rounds(40)); }
TEST(alpha_ctl_star) { check_engine("alpha", PROPERTY_CTLSTAR, 132, random_rounds(40)); }
TEST(syntactic_ctl) { check_engine("syntactic", PROPERTY_CTL, 107, random_rounds(30)); }
TEST(syntactic_ltl) { check_engine("syntactic", PROPERTY_LTL, 108, random_rounds(30)); }
TEST(syntactic_mu) { check_engine("syntactic", PROPERTY_MU, 109, random_rounds(30)); }

TEST(syntactic_ctl_star) { check_engine("syntactic", PROPERTY_CTLSTAR, 133, random_rounds(30)); }

/* ---- fairness conditions that are formulas ---- */

static void check_formulas(const char *name, property_kind logic, uint64_t seed, unsigned rounds) {
  most_conditions = logic == PROPERTY_LTL ? 1 : 2;
  check_engine(name, logic, seed, rounds);
  most_conditions = 0;
}

TEST(explicit_ctl_often) { check_formulas("explicit", PROPERTY_CTL, 121, random_rounds(60)); }
TEST(explicit_ltl_often) { check_formulas("explicit", PROPERTY_LTL, 122, random_rounds(50)); }
TEST(explicit_ctl_star_often) { check_formulas("explicit", PROPERTY_CTLSTAR, 134, random_rounds(40)); }
TEST(alpha_ctl_often) { check_formulas("alpha", PROPERTY_CTL, 123, random_rounds(30)); }
TEST(alpha_ltl_often) { check_formulas("alpha", PROPERTY_LTL, 124, random_rounds(30)); }
TEST(alpha_ctl_star_often) { check_formulas("alpha", PROPERTY_CTLSTAR, 135, random_rounds(30)); }
TEST(syntactic_ctl_often) { check_formulas("syntactic", PROPERTY_CTL, 125, random_rounds(20)); }
TEST(syntactic_ltl_often) { check_formulas("syntactic", PROPERTY_LTL, 126, random_rounds(20)); }

/* It knows what holds, as far as that can be told without an invariant, and of LTL what fails by a set of states that need not be left. */
static void check_rank(property_kind logic, uint64_t seed) {
  unsigned rounds = random_rounds(60);
  tally t = run_engine("rank", logic, promise, seed, rounds);
  CHECK((logic == PROPERTY_LTL || !t.fails) && (rounds < 50 || t.holds > rounds / 10));
}

/* ---- rankings at random ---- */

/* The nodes of a set, over the variable s. */
static term in_set(model *m, uint64_t set) {
  term s = term_of_variable(m->terms, m->variables.at[0].var), result = TERM_FALSE;
  for (int n = 0; n < MOST_NODES; n++)
    if (set >> n & 1) result = term_or(m->terms, result, term_eq(m->terms, s, term_int(m->terms, n)));
  return result;
}

static term random_measure(random_source *r, model *m) {
  term sum = term_int(m->terms, (int64_t)random_below(r, 2) - 1);
  for (int n = 0; n < MOST_NODES; n++) {
    term value = term_int(m->terms, (int64_t)random_below(r, 3));
    sum = term_add(m->terms, sum, term_ite(m->terms, in_set(m, UINT64_C(1) << n), value, term_int(m->terms, 0)));
  }
  return sum;
}

static evidence random_ranking(random_source *r, model *m, const small_graph *g) {
  evidence e = {.kind = EVIDENCE_RANKING, .region = TERM_TRUE};
  uint32_t measures = (uint32_t)random_between(r, 1, 2);
  uint64_t nodes = (UINT64_C(1) << g->nodes) - 1;
  evidence_add_part(m->terms, &e, in_set(m, nodes));
  for (uint32_t i = 0; i < measures; i++) {
    VECTOR_PUSH(e.measures, random_measure(r, m));
    if (!m->fairness.count || random_below(r, 4) == 0) continue;
    uint64_t waits = random_below(r, 2) ? nodes : random_below(r, nodes + 1);
    VECTOR_PUSH(e.helps, (ranking_help){i, (uint32_t)random_below(r, m->fairness.count), in_set(m, waits)});
  }
  return e;
}

/* A pair of sets of nodes, of s and of s in the later state. */
static term random_relation(random_source *r, model *m, uint64_t nodes) {
  term before = in_set(m, random_below(r, 2) ? nodes : random_below(r, nodes + 1));
  term after = in_set(m, random_below(r, 2) ? nodes : random_below(r, nodes + 1));
  return term_and(m->terms, before, transform_prime(m, after));
}

/* What the relation says of fairness; now and then of a constraint that is not strong that it was not possible, which is refused. */
static void add_random_waits(random_source *r, const model *m, uint32_t relation, evidence *e) {
  for (uint32_t i = 0; i < m->fairness.count; i++)
    if (random_below(r, 2)) {
      bool says_less = random_below(r, m->fairness.at[i].kind == FAIR_STRONG ? 3 : 20) == 0;
      VECTOR_PUSH(e->waits, (relation_wait){relation, i, !says_less});
    }
}

/* Runs that wait for a constraint may go from anywhere to anywhere; others leave a set for good. */
static void add_likely_relations(random_source *r, model *m, uint64_t nodes, evidence *e) {
  term set = in_set(m, random_below(r, nodes + 1));
  VECTOR_PUSH(e->relations, TERM_TRUE);
  VECTOR_PUSH(e->measures, term_int(m->terms, 0));
  VECTOR_PUSH(e->waits, (relation_wait){0, (uint32_t)random_below(r, m->fairness.count), true});
  VECTOR_PUSH(e->relations, term_and(m->terms, set, transform_prime(m, term_not(set))));
  VECTOR_PUSH(e->measures, term_ite(m->terms, set, term_int(m->terms, 1), term_int(m->terms, 0)));
}

static evidence random_transition_invariant(random_source *r, model *m, const small_graph *g) {
  uint64_t nodes = (UINT64_C(1) << g->nodes) - 1;
  bool is_whole = random_below(r, 3) > 0;
  evidence e = {.kind = EVIDENCE_TRANSITION_INVARIANT, .region = TERM_TRUE};
  e.cut = is_whole ? TERM_TRUE : in_set(m, random_below(r, nodes + 1));
  e.between = random_measure(r, m);
  evidence_add_part(m->terms, &e, in_set(m, nodes));
  if (m->fairness.count && random_below(r, 2)) add_likely_relations(r, m, nodes, &e);
  uint32_t known = (uint32_t)e.relations.count, more = (uint32_t)random_below(r, known ? 2 : 4);
  for (uint32_t i = known; i < known + more; i++) {
    add_random_waits(r, m, i, &e);
    VECTOR_PUSH(e.relations, random_relation(r, m, nodes));
    VECTOR_PUSH(e.measures, random_measure(r, m));
  }
  return e;
}

/* Without what it says of fairness it is refused. */
static bool needs_waits(model *m, evidence *e) {
  char *what = NULL;
  VECTOR_CLEAR(e->waits);
  bool needs = check(m, e, &what) != CHECK_ACCEPTED;
  memory_free(what);
  return needs;
}

/* Whatever it says, it is accepted only of what holds. */
static void check_random_transition_invariants(uint64_t seed, unsigned rounds) {
  random_source r = {seed};
  unsigned accepted = 0, by_waits = 0, rejected_of_false = 0;
  for (unsigned round = 0; round < rounds && !test_failures; round++) {
    small_formula f;
    small_graph g = small_graph_random(&r, 3);
    small_formula_init(&f);
    const temporal *formula = promise(&f, &r, PROPERTY_LTL);
    char *source = model_text(&g, &f, formula, PROPERTY_LTL, SHAPE_INTEGER), *what = NULL;
    model *m = read_good_model(source);
    bool holds = small_holds(&g, &f, formula, PROPERTY_LTL, 5);
    for (int i = 0; i < 3; i++) {
      evidence e = random_transition_invariant(&r, m, &g);
      bool is_accepted = check(m, &e, &what) == CHECK_ACCEPTED;
      CHECK(holds || !is_accepted, "a wrong transition invariant is accepted\n%s", source);
      accepted += is_accepted && e.relations.count;
      rejected_of_false += !is_accepted && !holds;
      memory_free(what);
      by_waits += is_accepted && e.waits.count && needs_waits(m, &e);
      evidence_clear(&e);
    }
    model_free(m);
    memory_free(source);
    small_formula_free(&f);
  }
  printf("# %u transition invariants are accepted, %u for fairness; %u of what fails are rejected\n", accepted,
         by_waits, rejected_of_false);
  CHECK(rounds < 50 || (accepted > rounds / 20 && by_waits && rejected_of_false > rounds / 2));
}

TEST(random_transition_invariants) { check_random_transition_invariants(114, random_rounds(100)); }

/* Whatever a ranking says, it is accepted only of what holds. */
static void check_random_rankings(property_kind logic, uint64_t seed, unsigned rounds) {
  random_source r = {seed};
  unsigned by_help = 0, rejected_of_false = 0;
  for (unsigned round = 0; round < rounds && !test_failures; round++) {
    small_formula f;
    small_graph g = small_graph_random(&r, 3);
    small_formula_init(&f);
    const temporal *formula = promise(&f, &r, logic);
    char *source = model_text(&g, &f, formula, logic, SHAPE_INTEGER), *what = NULL;
    model *m = read_good_model(source);
    bool holds = small_holds(&g, &f, formula, logic, 5);
    for (int i = 0; i < 3; i++) {
      evidence e = random_ranking(&r, m, &g);
      bool accepted = check(m, &e, &what) == CHECK_ACCEPTED;
      CHECK(holds || !accepted, "a wrong ranking is accepted\n%s", source);
      by_help += accepted && e.helps.count;
      rejected_of_false += !accepted && !holds;
      memory_free(what);
      evidence_clear(&e);
    }
    model_free(m);
    memory_free(source);
    small_formula_free(&f);
  }
  printf("# %u are accepted with the help of fairness; %u of what fails are rejected\n", by_help, rejected_of_false);
  CHECK(rounds < 50 || (by_help > rounds / 10 && rejected_of_false > rounds / 2));
}

TEST(random_rankings_ctl) { check_random_rankings(PROPERTY_CTL, 112, random_rounds(200)); }
TEST(random_rankings_ltl) { check_random_rankings(PROPERTY_LTL, 113, random_rounds(200)); }

TEST(rank_ctl) { check_rank(PROPERTY_CTL, 110); }
TEST(rank_ltl) { check_rank(PROPERTY_LTL, 111); }

TEST_MAIN
