/* The parts of `auto`: turns by counted work, the store of facts, the look at a model; and all of it on random models,
 * beside explicit alone. */
#include <time.h>

#include "base/text.h"
#include "base/work.h"
#include "input/input.h"
#include "model/passes.h"
#include "process/worker.h"
#include "proof/formulas.h"
#include "random/random_check.h"
#include "run/engine_order.h"
#include "run/shared_facts.h"
#include "run/short_facts.h"
#include "term/evaluate.h"
#include "term/print.h"
#include "unit/test.h"
#include "whet/whet.h"

/* ---- turns ---- */

enum { TURN = 1000 };

/* Does work in odd portions, and sends back at the end what it received meanwhile. */
static void works(worker_inside *inside, void *context) {
  (void)context;
  text all = {0};
  for (int i = 0; i < 1000; i++) work_add(7);
  for (size_t i = 0; i < inside->news.count; i++) text_add(&all, "%s;", inside->news.at[i]);
  text_add(&all, "%llu", (unsigned long long)work_done());
  channel_send(inside->pipe, MESSAGE_TEXT, text_string(&all), all.count);
}

static unsigned take_turns(worker *w, text *said) {
  unsigned turns = 0;
  while (worker_state(w) == WORKER_RUNS) {
    workers_wait(1, &w, 1);
    for (message m; worker_receive(w, &m);) {
      if (m.kind == MESSAGE_TEXT) text_add_bytes(said, m.bytes, m.count);
      if (m.kind != MESSAGE_TURN) continue;
      char *news = text_format("news %u", ++turns);
      worker_send_news(w, news);
      worker_next_turn(w, (turns + 1) * TURN);
      memory_free(news);
    }
  }
  return turns;
}

TEST(a_worker_stops_at_the_end_of_each_turn_and_hears_the_news) {
  for (int i = 0; i < 3; i++) {
    text said = {0};
    worker_limits limits = {.turn = TURN};
    worker *w = worker_start(works, NULL, &limits);
    CHECK(take_turns(w, &said) == 7);
    CHECK_TEXT(text_string(&said), "news 1;news 2;news 3;news 4;news 5;news 6;news 7;7000");
    CHECK(worker_state(w) == WORKER_RETURNED);
    worker_free(w);
    text_clear(&said);
  }
}

static void works_for_ever(worker_inside *inside, void *context) {
  (void)context;
  while (!budget_spent(&inside->budget)) work_add(1);
  channel_send(inside->pipe, MESSAGE_TEXT, "stopped", 7);
}

TEST(one_that_waits_for_its_turn_can_be_stopped) {
  worker_limits limits = {.turn = TURN};
  worker *w = worker_start(works_for_ever, NULL, &limits);
  bool waits = false, stopped = false;
  while (worker_state(w) == WORKER_RUNS) {
    workers_wait(1, &w, 1);
    for (message m; worker_receive(w, &m);) {
      waits |= m.kind == MESSAGE_TURN;
      stopped |= m.kind == MESSAGE_TEXT;
    }
    if (waits) worker_stop(w);
  }
  CHECK(waits && stopped && worker_state(w) == WORKER_RETURNED);
  worker_free(w);
}

TEST(one_that_is_held_goes_on_when_released) {
  worker_limits limits = {.turn = 50 * 1000 * 1000};
  worker *w = worker_start(works_for_ever, NULL, &limits);
  worker_hold(w);
  workers_wait(1, &w, 0.05);
  double used = worker_seconds(w);
  workers_wait(1, &w, 0.2);
  CHECK(worker_seconds(w) - used < 0.01);
  worker_release(w);
  bool ended_turn = false;
  while (!ended_turn) {
    workers_wait(1, &w, 1);
    for (message m; worker_receive(w, &m);) ended_turn |= m.kind == MESSAGE_TURN;
  }
  worker_free(w);
}

/* ---- facts ---- */

static bool read_formulas(model *m, const char *lines, term_vector *out) {
  diagnostics d = {0};
  bool fine = input_read_expressions(m, "test", lines, strlen(lines), out, &d);
  text_clear(&d.text);
  return fine;
}

static model *model_of_text(const char *content) {
  diagnostics d = {0};
  model *m = input_read_text("test.whet", content, strlen(content), &d);
  CHECK(m != NULL, "%s", text_string(&d.text));
  return m;
}

static term term_of(model *m, const char *line) {
  term_vector read = {0};
  CHECK(read_formulas(m, line, &read) && read.count == 1, "%s", line);
  term t = read.at[0];
  VECTOR_FREE(read);
  return t;
}

static const char counters[] =
    "var x, y : int = 0\nvar c : int = 5\naction up: true -> x := x + 1\naction both: x > y -> y := y + 1\naction odd: "
    "c = 6 -> x := -3\n"
    "safe a: x >= 0\nsafe b: y <= x\n";

TEST(only_what_is_inductive_becomes_a_fact) {
  static const struct {
    const char *lines;
    learned expected;
    size_t facts;
  } cases[] = {
      {"(>= |x| 1)\n", LEARNED_REFUSED, 0},                        /* not in the beginning */
      {"(<= |x| 3)\n", LEARNED_REFUSED, 0},                        /* not for ever */
      {"(>= |x| 0)\n", LEARNED_FACTS, 2},                          /* because of what the passes know: c = 5 */
      {"(>= |x| 0)\n", LEARNED_NOTHING, 2},                        /* known */
      {"(and (>= |x| (- |y| 2)) (>= |x| |y|))", LEARNED_FACTS, 4}, /* each conjunct is one */
      {"(>= |y| 0)\n(>= (+ |x| |y|) 0)\n", LEARNED_FACTS, 6},
      {"(and (>= |y| 0) (>= |x| |y|))\n", LEARNED_NOTHING, 6},
      {"(>= |nonsense| 0)\n", LEARNED_REFUSED, 6}, /* no such variable */
      {"(>= |x|)\n", LEARNED_REFUSED, 6},
      {"(>= |x| 0", LEARNED_REFUSED, 6},
      {"|x|", LEARNED_REFUSED, 6},
      {"x >= 0", LEARNED_REFUSED, 6},
      {"(<= (* 2 |y|) |x|)\n", LEARNED_REFUSED, 6},
  };
  model *m = model_of_text(counters);
  shared_facts *k = shared_facts_new(m, NULL);
  passes *p = passes_run(m, 0, NULL);
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
    term_vector news = {0};
    worker_limits limits = {.deadline = clock_seconds() + 60};
    learned got = shared_facts_add_lemmas(k, passes_facts(p), "test", cases[i].lines, &limits, &news);
    CHECK(got == cases[i].expected, "%s: %d", cases[i].lines, (int)got);
    CHECK(shared_facts_facts(k)->count == cases[i].facts, "%s: %zu facts", cases[i].lines,
          shared_facts_facts(k)->count);
    CHECK((news.count > 0) == (got == LEARNED_FACTS));
    VECTOR_FREE(news);
  }
  passes_free(p);
  shared_facts_free(k);
  model_free(m);
}

TEST(a_proof_becomes_a_fact) {
  model *m = model_of_text(counters);
  shared_facts *k = shared_facts_new(m, NULL);
  worker_limits limits = {.deadline = clock_seconds() + 60};
  evidence e = {.kind = EVIDENCE_INVARIANT};
  term_vector invariant = {0};
  CHECK(read_formulas(m, "c = 5 && x >= 0 && y <= x", &invariant));
  evidence_add_part(m->terms, &e, invariant.at[0]);
  shared_facts_add_proof(k, 0, "test", &e, &limits); /* x >= 0 alone is not inductive: the whole is kept */
  CHECK(shared_facts_facts(k)->count == 3);
  shared_facts_add_proof(k, 1, "test", &e, &limits); /* y <= x is one of them */
  CHECK(shared_facts_facts(k)->count == 3 && !strcmp(shared_facts_prover(k, term_of(m, "y <= x")), "test"));
  CHECK(!shared_facts_prover(k, term_of(m, "y <= x + 1")));
  VECTOR_FREE(invariant);
  evidence_clear(&e);
  shared_facts_free(k);
  model_free(m);
}

/* Sent before the facts themselves. */
TEST(what_follows_from_facts_is_sent_first) {
  model *m = model_of_text(
      "var k : 0..1 = 0\nvar x : int = 0\naction a: k = 0 -> k := 1, x := x + 1\naction b: k = 1 -> k := 0\nsafe s: x "
      ">= 0\n");
  shared_facts *k = shared_facts_new(m, NULL);
  worker_limits limits = {.deadline = clock_seconds() + 60};
  term_vector news = {0};
  CHECK(shared_facts_add_lemmas(k, TERM_TRUE, "test", "(=> (= |k| 0) (>= |x| 0))\n(=> (= |k| 1) (>= |x| 2))\n", &limits,
                                &news) == LEARNED_REFUSED);
  CHECK(news.count == 0 && shared_facts_facts(k)->count == 0);
  CHECK(shared_facts_add_lemmas(k, TERM_TRUE, "test", "(=> (= |k| 0) (>= |x| 0))\n(=> (= |k| 1) (>= |x| 1))\n", &limits,
                                &news) == LEARNED_FACTS);
  CHECK(shared_facts_facts(k)->count == 3 && news.count == 3 && term_same(news.at[0], term_of(m, "x >= 0")));
  VECTOR_FREE(news);
  shared_facts_free(k);
  model_free(m);
}

/* Formulas cross from one process to another as text: they come back the same, whatever the names are. */
TEST(formulas_come_back_as_they_were) {
  static const char content[] =
      "var x, true_ : int = 0\nvar |a b| : int = 0\nvar |let| : bool = false\nvar k : {idle, busy} = idle\nsafe s: x "
      ">= 0\n";
  static const char *const lines[] = {"x >= 0",
                                      "|a b| = 3 || |let|",
                                      "k = busy => x + 2 * |a b| < 7",
                                      "!|let| && x != true_",
                                      "x / 2 = 1",
                                      "x % 3 = |a b| % 5",
                                      "x * |a b| <= 123456789012345678901234567890",
                                      "(x > 0 <=> |let|) || x / true_ = 2"};
  model *m = model_of_text(content);
  text written = {0};
  term_vector given = {0}, back = {0};
  for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) VECTOR_PUSH(given, term_of(m, lines[i]));
  VECTOR_PUSH(given, TERM_TRUE);
  VECTOR_PUSH(given, TERM_FALSE);
  for (size_t i = 0; i < given.count; i++) formulas_add(m->terms, given.at[i], &written);
  CHECK(formulas_read(m, text_string(&written), &back) && back.count == given.count, "%s", text_string(&written));
  for (size_t i = 0; i < back.count; i++) CHECK(term_same(given.at[i], back.at[i]), "formula %zu", i);
  CHECK(formulas_read(m, "", &back) && back.count == given.count);
  VECTOR_FREE(given);
  VECTOR_FREE(back);
  text_clear(&written);
  model_free(m);
}

enum { FAR = 4 };

static term random_bound(terms *ts, random_source *r, const term *x) {
  term sum = term_int(ts, (int64_t)random_below(r, 5) - 2);
  for (int i = 0; i < 2; i++) sum = term_add(ts, sum, term_scale(ts, number_of((int64_t)random_below(r, 3) - 1), x[i]));
  return random_below(r, 4) ? term_le(ts, sum, term_int(ts, 0)) : term_eq(ts, sum, term_int(ts, 0));
}

/* In every point of a square that the facts allow, all that is said to follow holds; and something does follow now and
 * then. */
TEST(what_follows_from_facts_holds_where_they_do) {
  size_t all = 0;
  for (uint64_t seed = 1; seed <= random_rounds(40); seed++) {
    terms *ts = terms_new();
    random_source r = {seed};
    type of = {.sort = SORT_INT};
    variable v[] = {variable_new(ts, "x", &of), variable_new(ts, "y", &of)};
    term x[] = {term_of_variable(ts, v[0]), term_of_variable(ts, v[1])};
    term_vector facts = {0}, found = {0};
    for (int i = 0; i < 3; i++) VECTOR_PUSH(facts, term_or(ts, random_bound(ts, &r, x), random_bound(ts, &r, x)));
    budget b = budget_unlimited();
    short_facts_of(ts, facts.count, facts.at, &b, &found);
    term given = term_and_all(ts, facts.count, facts.at), follows = term_and_all(ts, found.count, found.at);
    for (int64_t i = -FAR; i <= FAR; i++)
      for (int64_t j = -FAR; j <= FAR; j++) {
        number values[] = {number_of(i), number_of(j)};
        bool allowed = !number_is(term_evaluate(ts, given, values), 0);
        CHECK(!allowed || !number_is(term_evaluate(ts, follows, values), 0), "seed %llu", (unsigned long long)seed);
      }
    all += found.count;
    VECTOR_FREE(facts);
    VECTOR_FREE(found);
    terms_free(ts);
  }
  CHECK(all > 0);
}

/* By the processor's time, which other programs do not lengthen: one by one they took minutes. */
TEST(predicates_on_many_variables_are_read_in_linear_time) {
  enum { VARIABLES = 200000, PREDICATES = 300, MOST_SECONDS = 20 };
  model *m = model_new(terms_new(), "many");
  type integers = {.sort = SORT_INT};
  for (int i = 0; i < VARIABLES; i++) {
    char *name = text_format("v%d", i);
    model_add_variable(m, name, &integers, (variable_role){0}, (place){0});
    memory_free(name);
  }
  shared_facts *k = shared_facts_new(m, NULL);
  clock_t started = clock();
  for (int i = 0; i < PREDICATES; i++) {
    term read;
    char *line = text_format("(>= |v%d| %d)", i, i);
    CHECK(shared_facts_add_predicate(k, line, &read));
    memory_free(line);
  }
  double seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
  CHECK(seconds < MOST_SECONDS, "%.1f s", seconds);
  shared_facts_free(k);
  model_free(m);
}

TEST(predicates_are_kept_once) {
  model *m = model_of_text(counters);
  shared_facts *k = shared_facts_new(m, NULL);
  term read;
  CHECK(shared_facts_add_predicate(k, "(>= |x| 0)", &read));
  CHECK(!shared_facts_add_predicate(k, "(< |x| 0)", &read), "its negation says the same");
  CHECK(!shared_facts_add_predicate(k, "(>= (* 2 |x|) 0)", &read));
  CHECK(!shared_facts_add_predicate(k, "(= |z| 1)", &read));
  CHECK(!shared_facts_add_predicate(k, "(= |x| 1) (= |x| 2)", &read), "two");
  CHECK(shared_facts_add_predicate(k, "(= |x| |y|)", &read));
  CHECK(shared_facts_predicates(k)->count == 2 && term_same(read, term_of(m, "x = y")));
  CHECK(term_same(shared_facts_predicates(k)->at[1], read));
  shared_facts_free(k);
  model_free(m);
}

/* ---- the look ---- */

static void expect_order(const char *content, const char *without, const char *first, const char *second) {
  model *m = model_of_text(content);
  model_look look = engine_order_look(m, m->clauses, 0);
  engine_vector order = {0};
  text why = {0};
  engine_order_make(&look, without, &order, &why);
  CHECK(order.count > 1 && !strcmp(order.at[0]->name, first) && !strcmp(order.at[1]->name, second), "%s: %s", content,
        text_string(&why));
  for (size_t i = 0; i < order.count; i++)
    for (size_t j = 0; j < i; j++) CHECK(order.at[i] != order.at[j]);
  VECTOR_FREE(order);
  text_clear(&why);
  model_free(m);
}

TEST(the_order_fits_the_model) {
  expect_order("var x : 0..9 = 0\naction up: x < 9 -> x := x + 1\nsafe s: x <= 9\n", NULL, "explicit", "cegar");
  expect_order("var x, y, z : 0..1000000 = 0\naction up: x < 9 -> x := x + 1\nsafe s: x <= 9\n", NULL, "explicit",
               "kind");
  expect_order("var x : int = 0\naction up: x < 9 -> x := x + 1\nsafe s: x <= 9\n", NULL, "explicit", "kind");
  expect_order("var x : int = 0\naction up: x < 9 -> x := x + 1\nctl s: AG x <= 9\n", NULL, "explicit", "alpha");
  expect_order("var x : real = 0\naction up: x < 9 -> x := x + 1/2\nsafe s: x < 10\n", NULL, "kind", "pdr");
}

/* A counter that a step sets by so many inputs. */
static GIVE char *one_wide_step(unsigned inputs) {
  text t = {0};
  text_add(&t, "var x : int = 0\naction step(");
  for (unsigned i = 0; i < inputs; i++) text_add(&t, "%si%u : int", i ? ", " : "", i);
  text_add(&t, "): i0 > x -> x := x");
  for (unsigned i = 0; i < inputs; i++) text_add(&t, " + i%u", i);
  text_add(&t, "\nsafe s: x <= 9\n");
  return text_give(&t);
}

TEST(kind_and_pdr_are_first_on_one_wide_step) {
  char *wide = one_wide_step(20), *narrow = one_wide_step(2);
  expect_order(wide, NULL, "kind", "pdr");
  expect_order(narrow, NULL, "explicit", "kind");
  memory_free(wide);
  memory_free(narrow);
}

TEST(lemmas_put_invuni_early) {
  expect_order("var x : int = 0\naction up: x < 9 -> x := x + 1\nlemma x >= 0\nsafe s: x <= 9\n", NULL, "explicit",
               "invuni");
  expect_order("var x : int = 0\naction up: x < 9 -> x := x + 1\nlemma x >= 0\nsafe s: x <= 9\n", "invuni", "explicit",
               "kind");
}

TEST(turns_follow_a_plan) {
  model_look wide = {.inputs = 20, .transitions = 1}, plain = {.inputs = 1, .transitions = 3};
  turn_plan first = engine_order_plan(&plain, &engine_cegar, 2), last = engine_order_plan(NULL, &engine_alpha, 7);
  CHECK(!first.begins && turn_plan_share(&first, 1000000) == 1000000);
  CHECK(!last.begins && turn_plan_share(&last, 1000000) == 250000);
  turn_plan kind = engine_order_plan(&wide, &engine_kind, 0), late = engine_order_plan(&wide, &engine_fbar, 1);
  CHECK(!kind.begins && turn_plan_share(&kind, 200000) == 200000 && turn_plan_share(&kind, 600000) == 225000);
  CHECK(late.begins && turn_plan_share(&late, 1600000) == 100000);
  wide.has_lemmas = true;
  CHECK(!engine_order_plan(&wide, &engine_invuni, 1).begins);
}

/* So many counters, one goes up when the one before it goes down, and a variable of this type. */
static GIVE char *net_with(unsigned counters, const char *type) {
  text t = {0};
  text_add(&t, "var control : %s = 0\n", type);
  for (unsigned i = 0; i < counters; i++) text_add(&t, "var x%u : int = %u\n", i, i == 0);
  for (unsigned i = 1; i < counters; i++)
    text_add(&t, "action t%u: x%u > 0 -> x%u := x%u - 1, x%u := x%u + 1\n", i, i - 1, i - 1, i - 1, i, i);
  text_add(&t, "action back: x%u > 0 -> x%u := x%u - 1, control := 1\n", counters - 1, counters - 1, counters - 1);
  text_add(&t, "safe s: x1 <= 1\n");
  return text_give(&t);
}

TEST(fbar_is_second_on_nets) {
  char *net = net_with(7, "0..1"), *small = net_with(5, "0..1"), *program = net_with(7, "0..5");
  expect_order(net, NULL, "explicit", "fbar");
  expect_order(small, NULL, "explicit", "kind");
  expect_order(program, NULL, "explicit", "kind");
  memory_free(net);
  memory_free(small);
  memory_free(program);
}

/* Many counters without control: `syntactic` for a short time, and a long search. */
TEST(nets_have_a_plan_of_their_own) {
  model_look net = {.variables = 9, .integers = 9, .transitions = 8}, loop = net;
  loop.log2_states = 3; /* control */
  turn_plan soon = engine_order_plan(&net, &engine_syntactic, 9),
            later = engine_order_plan(&loop, &engine_syntactic, 9);
  CHECK(turn_plan_share(&soon, 50000) == 50000 && turn_plan_share(&soon, 450000) == 100000);
  CHECK(turn_plan_share(&later, 50000) == 12500);
  turn_plan search = engine_order_plan(&net, &engine_explicit, 0), cegar = engine_order_plan(&net, &engine_cegar, 2);
  CHECK(turn_plan_share(&search, 1000000) == 1000000 && turn_plan_share(&cegar, 415000) == 65000);
  CHECK(engine_order_plan(&net, &engine_spacer, 7).begins > engine_order_plan(&loop, &engine_spacer, 6).begins);
}

TEST(engines_are_left_out) {
  static const char content[] = "var x : int = 0\naction up: x < 9 -> x := x + 1\nsafe s: x <= 9\n";
  expect_order(content, "kind", "explicit", "accelerate");
  expect_order(content, "kind,spacer,explicit,accelerate", "cegar", "widen");
}

/* ---- all of it ---- */

static char verdict_letter(whet_verdict v) { return v == WHET_SAFE ? 's' : v == WHET_UNSAFE ? 'u' : '?'; }

/* A letter for each property. */
static void verdicts(const char *content, const char *engine, text *out) {
  char *error = NULL;
  whet_options *o = whet_options_new();
  whet_model *m = whet_model_read_text("random.whet", content, strlen(content), &error);
  CHECK(m != NULL, "%s", error);
  whet_options_set(o, "engine", engine);
  whet_options_set(o, "timeout", "20");
  whet_run *r = m ? whet_run_new(m, o, &error) : NULL;
  for (const whet_result *one; r && (one = whet_run_next(r));) {
    text_add_char(out, verdict_letter(whet_result_verdict(one)));
    CHECK(!whet_result_internal_error(one), "%s: %s\n%s", whet_result_engine(one), whet_result_reason(one), content);
  }
  whet_run_free(r);
  whet_model_free(m);
  whet_options_free(o);
}

static void compare_on(const char *knobs, uint64_t first, unsigned seeds) {
  unsigned decided = 0, all = 0;
  random_knobs k;
  REQUIRE(random_knobs_find(knobs, &k), "knobs");
  for (uint64_t seed = first; seed < first + seeds; seed++) {
    text alone = {0}, together = {0};
    char *content = random_model(seed, k);
    verdicts(content, "explicit", &alone);
    verdicts(content, "auto", &together);
    CHECK(alone.count == together.count);
    for (size_t i = 0; i < alone.count && i < together.count; i++) {
      char a = alone.at[i], b = together.at[i];
      all++;
      decided += b != '?';
      CHECK(a == b || a == '?' || b == '?', "seed %llu: explicit %c, auto %c\n%s", (unsigned long long)seed, a, b,
            content);
      CHECK(b != '?' || a == '?', "seed %llu: explicit %c, auto undecided\n%s", (unsigned long long)seed, a, content);
    }
    memory_free(content);
    text_clear(&alone);
    text_clear(&together);
  }
  printf("# %s: %u properties, %u decided\n", knobs, all, decided);
  CHECK(decided * 10 >= all * 8);
}

TEST(random_finite_models) { compare_on("finite", 70001, random_rounds(10)); }
TEST(random_infinite_models) { compare_on("infinite", 72001, random_rounds(10)); }

TEST_MAIN
