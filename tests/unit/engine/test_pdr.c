/* pdr's implicit abstraction: models that only it proves, paths and what refutes them, runs; lemmas sent to others. */
#include <fcntl.h>
#include <unistd.h>

#include "engine/pdr/ic3.h"
#include "input/input.h"
#include "process/channel.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "unit/work_budget.h"

extern const engine engine_pdr;

enum { WORK = 2000000 };

static const char *const OFF[] = {"abstraction=off", NULL}, *const IMPLICIT[] = {"abstraction=implicit", NULL},
                         *const BOTH[] = {"abstraction=both", NULL};

/* Two counters that go up together: that they are equal is said nowhere. */
static const char TOGETHER[] =
    "var x : int = 0\nvar y : int = 0\naction up: true -> x := x + 1, y := y + 1\n"
    "action turn: x > 3 -> x := -y, y := -x\nsafe s: x < 20 || y >= 20\n";
/* Leaks of at most 10 seconds, 50 apart: of any 60 seconds, 10 at most. */
static const char BURNER[] =
    "var leaks : bool = true\nvar t, l, x : int = 0\n"
    "action leak: leaks && x < 10 -> t := t + 1, l := l + 1, x := x + 1\n"
    "action stop: leaks -> leaks := false, x := 0\naction wait: !leaks -> t := t + 1, x := x + 1\n"
    "action start: !leaks && x >= 50 -> leaks := true, x := 0\nsafe s: 6 * l <= t + 50\n";
/* Rationals come to 7, integers do not. */
static const char EVEN[] =
    "var x : 0..20 = 0\naction add(i : 0..3): x + 2 * i <= 20 -> x := x + 2 * i\nsafe s: x != 7\n";

/* Multiples of 2, and of 3 at one of two places: half-spaces would count the rounds for ever. */
static const char PAIRS[] = "var x : int = 0\naction up: true -> x := x + 2\nsafe s: x != 101\n";
static const char TRIPLES[] =
    "var x : int = 0\nvar b : bool = false\naction one: !b -> b := true, x := x + 1\n"
    "action two: b -> b := false, x := x + 2\nsafe s: b || x != 100\n";

static engine_result run(const char *content, const char *const *options) {
  return engine_run_text(&engine_pdr, content, WORK, 0, options);
}

static void expect(const char *content, const char *const *options, verdict wanted) {
  engine_result r = run(content, options);
  CHECK(r.verdict == wanted, "%s %s: verdict %d, %s", options[0], content, (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.verdict == VERDICT_UNKNOWN || r.checked, "%s: %s", options[0], r.reason ? r.reason : "not checked");
  engine_result_free(&r);
}

TEST(only_the_abstraction_proves_relations) {
  expect(TOGETHER, OFF, VERDICT_UNKNOWN);
  expect(TOGETHER, IMPLICIT, VERDICT_SAFE);
  expect(TOGETHER, BOTH, VERDICT_SAFE);
  expect(BURNER, OFF, VERDICT_UNKNOWN);
  expect(BURNER, IMPLICIT, VERDICT_SAFE);
  expect(BURNER, BOTH, VERDICT_SAFE);
}

TEST(refinements_are_counted) {
  engine_result r = run(BURNER, IMPLICIT);
  CHECK(r.statistics.refinements > 0 && r.statistics.predicates > 3, "%zu %zu", (size_t)r.statistics.refinements,
        (size_t)r.statistics.predicates);
  engine_result_free(&r);
  r = run(BURNER, OFF);
  CHECK(!r.statistics.refinements && !r.statistics.predicates);
  engine_result_free(&r);
}

TEST(what_only_integers_refute_is_refined_by_preconditions) { expect(EVEN, IMPLICIT, VERDICT_SAFE); }

TEST(loops_of_a_path_are_accelerated) {
  expect(PAIRS, IMPLICIT, VERDICT_SAFE);
  expect(TRIPLES, OFF, VERDICT_UNKNOWN);
  expect(TRIPLES, IMPLICIT, VERDICT_SAFE);
}

TEST(abstract_runs_become_real_ones) {
  expect("var x, y : int = 0\naction add(i : int): i >= 2 && i <= 3 -> x := x + i, y := y + 1\nsafe s: x != 11\n",
         IMPLICIT, VERDICT_UNSAFE);
  expect("var x : 0..9 = 0\naction add(i : 1..4): x < 7 -> x := x + i\n", IMPLICIT, VERDICT_UNSAFE);
  expect("var x : 0..9 = 0\naction add(i : 1..4): x + i < 9 -> x := x + i\ndeadlockfree\n", IMPLICIT, VERDICT_UNSAFE);
  expect("var x : int = 3\nsafe s: x != 3\n", IMPLICIT, VERDICT_UNSAFE);
}

TEST(a_model_with_places_is_treated) {
  expect("var x, y : int = 0\nprogram p {\n  while (x < 50) { x := x + 1; y := y + 2; }\n  assert y >= 100;\n}\n",
         IMPLICIT, VERDICT_SAFE);
}

/* Strict inequalities between reals. */
static const char REALS[] =
    "(set-logic HORN)(declare-fun P (Real Real) Bool)\n"
    "(assert (forall ((x Real) (y Real)) (=> (and (= x 0.0) (> y 0.0)) (P x y))))\n"
    "(assert (forall ((x Real) (y Real) (d Real)) (=> (and (P x y) (> d 0.0)) (P (+ x d) (+ y (* 2.0 d))))))\n"
    "(assert (forall ((x Real) (y Real)) (=> (and (P x y) (<= y x) (> x 7.0)) false)))\n(check-sat)\n";

TEST(reals_are_treated) {
  model *m = clauses_of_text(REALS);
  engine_result r = engine_run_model(&engine_pdr, m, NULL, WORK, 0, IMPLICIT);
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "verdict %d, %s", (int)r.verdict, r.reason ? r.reason : "");
  engine_result_free(&r);
  model_free(m);
}

/* ---- paths ---- */

typedef struct lab {
  model *model;
  budget budget;
  statistics counted;
  engine_environment env;
  bounded_violation violation;
  unrolling *unrolling;
  ic3 *search;
} lab;

static void lab_open(lab *l, const char *content) {
  *l = (lab){.model = model_of_text(content), .budget = work_budget(WORK)};
  l->env = (engine_environment){.model = l->model, .budget = &l->budget, .statistics = &l->counted};
  l->violation = violation_of(l->model, 0);
  l->unrolling = unrolling_new(l->model);
  l->search = ic3_new(&l->env, l->unrolling, &l->violation, true);
}

static void lab_close(lab *l) {
  ic3_free(l->search);
  unrolling_free(l->unrolling);
  model_free(l->model);
}

/* Runs the search up to its first abstract counterexample. */
static bool first_path(lab *l, path *p) {
  size_t start = 0;
  for (;;) {
    block_end end = block(&l->search->blocking, &start);
    if (end == BLOCK_REACHED) return path_open(p, &l->search->blocking, l->unrolling, start);
    if (end == BLOCK_DONE) frames_extend(l->search->frames);
    if (end == BLOCK_TROUBLE || frames_top(l->search->frames) > 50) return false;
  }
}

/* Of the literals before a place and what holds there: at the first place, those of the initial condition. */
static term said_before(const lab *l, const path *p, const term_vector *spaces, size_t place) {
  terms *ts = l->model->terms;
  const term_vector *group = &p->groups.at[place];
  term said = term_and_all(ts, group->count, group->at);
  return place ? term_and(ts, said, spaces->at[place - 1]) : said;
}

/* Each inequality follows, and the last excludes what is bad. */
static void expect_interpolants(lab *l, const path *p, const term_vector *spaces) {
  terms *ts = l->model->terms;
  solver *s = solver_new(ts, &l->budget);
  CHECK(spaces->count == p->places.count, "%zu", spaces->count);
  for (size_t i = 0; i < spaces->count; i++) {
    term after = unrolling_at(l->unrolling, spaces->at[i], i ? 1 : 0);
    CHECK(answer_is_yes(solver_valid(s, term_implies(ts, said_before(l, p, spaces, i), after))), "place %zu", i);
  }
  CHECK(answer_is_no(solver_satisfiable(s, said_before(l, p, spaces, spaces->count))));
  solver_free(s);
}

static bool has_half_spaces(const char *content) {
  lab l;
  path p;
  evidence none = {0};
  term_vector spaces = {0};
  lab_open(&l, content);
  CHECK(first_path(&l, &p));
  solver *s = solver_new(l.model->terms, &l.budget);
  CHECK(answer_is_no(path_run(&p, s, &none)));
  bool found = half_spaces_find(&p, &spaces);
  if (found) expect_interpolants(&l, &p, &spaces);
  VECTOR_FREE(spaces);
  path_close(&p);
  solver_free(s);
  lab_close(&l);
  return found;
}

TEST(half_spaces_separate_a_path) {
  CHECK(has_half_spaces(TOGETHER));
  CHECK(has_half_spaces(BURNER));
  CHECK(!has_half_spaces(EVEN));
}

TEST(every_path_gives_a_predicate) {
  static const char *const all[] = {TOGETHER, BURNER, EVEN, PAIRS, TRIPLES};
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
    lab l;
    path p;
    const char *reason;
    lab_open(&l, all[i]);
    CHECK(first_path(&l, &p));
    size_t before = l.search->predicates.all.count;
    solver *s = solver_new(l.model->terms, &l.budget);
    CHECK(path_refine(&p, s, &l.search->predicates, &reason), "%zu: %s", i, reason ? reason : "");
    CHECK(l.search->predicates.all.count > before, "%zu", i);
    solver_free(s);
    path_close(&p);
    lab_close(&l);
  }
}

/* x goes up by 2 at both steps: a loop from the first place on, which leads to 5 from odd numbers. */
TEST(repeated_steps_are_a_loop) {
  lab l;
  path p;
  path_loop loop;
  term before;
  lab_open(&l, "var x : int = 0\naction up: true -> x := x + 2\nsafe s: x < 5\n");
  terms *ts = l.model->terms;
  CHECK(first_path(&l, &p) && path_steps(&p) == 2);
  CHECK(!path_loop_to(&p, 0, &loop) && !path_loop_to(&p, 1, &loop));
  CHECK(path_loop_to(&p, 2, &loop) && loop.from == 0 && loop.to == 2 && loop.word == 1);
  term x = term_of_variable(ts, l.model->variables.at[0].var), goal = term_eq(ts, x, term_int(ts, 5));
  CHECK(path_loop_before(&p, &loop, goal, true, &before));
  solver *s = solver_new(ts, &l.budget);
  term odd =
      term_and(ts, term_le(ts, x, term_int(ts, 5)), term_eq(ts, term_mod(ts, x, term_int(ts, 2)), term_int(ts, 1)));
  CHECK(answer_is_yes(solver_valid(s, term_iff(ts, before, odd))));
  CHECK(path_loop_before(&p, &loop, goal, false, &before));
  CHECK(answer_is_yes(solver_valid(s, term_implies(ts, odd, before))));
  solver_free(s);
  path_close(&p);
  lab_close(&l);
}

/* ---- predicates ---- */

TEST(predicates_of_others_are_taken_once) {
  lab l;
  diagnostics d = {0};
  static const char offered[] = "x = y, x < y + 1, x = y";
  lab_open(&l, TOGETHER);
  implicit *p = &l.search->predicates;
  size_t before = p->all.count;
  CHECK(input_read_expressions(l.model, "test", offered, strlen(offered), &l.env.offers, &d));
  implicit_take(p);
  CHECK(p->all.count == before + 2, "%zu", p->all.count - before); /* x <= y, x >= y */
  implicit_take(p);
  CHECK(p->all.count == before + 2);
  CHECK(!implicit_add(p, p->all.at[0].term) && implicit_add_kept(p, p->all.at[0].term));
  CHECK(!implicit_add_kept(p, p->all.at[0].term) && !implicit_add_kept(p, TERM_TRUE));
  VECTOR_FREE(l.env.offers);
  lab_close(&l);
}

/* ---- lemmas for others ---- */

static void no_pause(void *context) { (void)context; }

/* What is sent of these lemmas, by an engine that takes turns with others; "" if nothing is. */
static GIVE char *sent_of(const char *excluded, bool takes_turns, uint64_t send_at) {
  int ends[2];
  lab l;
  text out = {0};
  diagnostics d = {0};
  lab_open(&l, TOGETHER);
  term_vector cubes = {0};
  REQUIRE(!pipe2(ends, O_NONBLOCK) && input_read_expressions(l.model, "test", excluded, strlen(excluded), &cubes, &d),
          "formulas");
  for (size_t i = 0; i < cubes.count; i++) {
    cube c = {0};
    VECTOR_PUSH(c, cubes.at[i]);
    frames_add(l.search->frames, c, 1);
  }
  frames_extend(l.search->frames);
  l.env.events = events_new(ends[1]);
  sharing *s = &l.search->sharing;
  s->send_at = send_at;
  if (takes_turns) work_set_turn(UINT64_MAX - 1, no_pause, NULL);
  sharing_send(s);
  CHECK(!takes_turns || s->send_at != send_at || work_done() < send_at);
  s->send_at = send_at;
  sharing_send(s); /* the second time there is nothing new */
  work_set_turn(UINT64_MAX, NULL, NULL);
  close(ends[1]);
  channel c = {.descriptor = ends[0]};
  while (channel_fill(&c))
    ;
  for (message one; channel_next(&c, &one);)
    if (one.kind == MESSAGE_LEMMAS) text_add(&out, "%s", one.bytes);
  channel_clear(&c);
  events_free(l.env.events);
  VECTOR_FREE(cubes);
  lab_close(&l);
  return text_give(&out);
}

static void expect_sent(const char *excluded, bool takes_turns, uint64_t send_at, const char *wanted) {
  char *sent = sent_of(excluded, takes_turns, send_at);
  CHECK_TEXT(sent, wanted);
  memory_free(sent);
}

TEST(lemmas_are_sent_once_if_they_are_inductive_and_it_is_time) {
  expect_sent("x < y, x > y, x > 1000", true, 0, "(> (+ |x| 1) |y|)\n(<= |x| |y|)\n");
  expect_sent("x > 1000", true, 0, "");
  expect_sent("x < y, x > y", false, 0, "");
  expect_sent("x < y, x > y", true, UINT64_MAX, "");
}

TEST_MAIN
