/* The fixpoint engines on infinite systems: the examples of Ranzato, Rossi Doria, Tapparo 2008 as models, a table of
 * known verdicts and numbers of refinements, evidence, and limits. */
#include "unit/engine_run.h"
#include "unit/test.h"

extern const engine engine_fbar, engine_fbar_sym, engine_cgr, engine_cgr_dual;

static const engine *const engines[] = {&engine_fbar, &engine_fbar_sym, &engine_cgr, &engine_cgr_dual};
enum { FBAR, FBAR_SYM, CGR, CGR_DUAL, ENGINES };

static const char *const plain[] = {"accelerate=off", NULL};
static const char *const plain_coarse[] = {"accelerate=off", "blocks=0", NULL};
static const char *const accelerated[] = {NULL};
static const char *const accelerated_coarse[] = {"blocks=0", NULL};

/* ---- the paper's examples ---- */

static void expect_counts(const engine *e, const char *path, verdict wanted, uint64_t refinements, uint64_t fixpoints) {
  engine_result r = engine_run_file(e, path, 0, 40, plain);
  CHECK(r.verdict == wanted && r.checked, "%s, %s: %d, %s", path, e->name, (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.statistics.refinements == refinements && r.statistics.fixpoints == fixpoints,
        "%s, %s: %llu refinements, %llu fixpoints", path, e->name, (unsigned long long)r.statistics.refinements,
        (unsigned long long)r.statistics.fixpoints);
  engine_result_free(&r);
}

/* No end within so many refinements. */
static void expect_divergence(const engine *e, const char *path, uint64_t rounds) {
  engine_result r = engine_run_file(e, path, 0, rounds, plain);
  CHECK(r.verdict == VERDICT_UNKNOWN && r.statistics.refinements == rounds, "%s, %s: %d after %llu", path, e->name,
        (int)r.verdict, (unsigned long long)r.statistics.refinements);
  engine_result_free(&r);
}

TEST(examples_of_the_paper_as_models) {
  expect_counts(&engine_fbar, "fixpoint/ex31.whet", VERDICT_SAFE, 0, 2);
  expect_counts(&engine_cgr, "fixpoint/ex31.whet", VERDICT_SAFE, 1, 3);
  expect_counts(&engine_cgr_dual, "fixpoint/ex31.whet", VERDICT_SAFE, 0, 1);
  expect_counts(&engine_fbar, "fixpoint/ex32.whet", VERDICT_UNSAFE, 0, 4);
  expect_counts(&engine_cgr, "fixpoint/ex32.whet", VERDICT_UNSAFE, 1, 4);
  expect_counts(&engine_cgr_dual, "fixpoint/ex32.whet", VERDICT_UNSAFE, 0, 2);
  expect_counts(&engine_fbar, "fixpoint/ex61.whet", VERDICT_UNSAFE, 0, 7);
  expect_counts(&engine_cgr, "fixpoint/ex61.whet", VERDICT_UNSAFE, 3, 8);
  expect_counts(&engine_cgr_dual, "fixpoint/ex61.whet", VERDICT_UNSAFE, 1, 4);
  expect_counts(&engine_fbar, "fixpoint/more-than-cgr.whet", VERDICT_UNSAFE, 2, 11);
  expect_counts(&engine_cgr, "fixpoint/more-than-cgr.whet", VERDICT_UNSAFE, 1, 4);
  expect_counts(&engine_cgr_dual, "fixpoint/more-than-cgr.whet", VERDICT_UNSAFE, 2, 6);
}

TEST(infinite_chains) {
  expect_counts(&engine_fbar, "fixpoint/chain-a.whet", VERDICT_SAFE, 0, 2);
  expect_counts(&engine_cgr_dual, "fixpoint/chain-a.whet", VERDICT_SAFE, 0, 1);
  expect_divergence(&engine_cgr, "fixpoint/chain-a.whet", 40);
  expect_counts(&engine_fbar, "fixpoint/chain-b.whet", VERDICT_SAFE, 0, 2);
  expect_divergence(&engine_cgr, "fixpoint/chain-b.whet", 40);
  expect_divergence(&engine_cgr_dual, "fixpoint/chain-b.whet", 40);
}

/* ---- the table ---- */

enum { DIV = -1 };

typedef struct table_row {
  const char *name, *model;
  const char *const *options;
  verdict verdict;
  int refinements[ENGINES]; /* DIV: not within ROUNDS refinements */
} table_row;

enum { ROUNDS = 12 };

#define LOOP(BOUND)                                                                \
  "process P { var x : int = 0\n states loop, done\n loop -> loop when x < " BOUND \
  " : x := x + 1\n loop -> done when x >= " BOUND                                  \
  " }\n"                                                                           \
  "safe good: P at done => P.x = " BOUND "\n"
#define UPDOWN                                                                                                \
  "process P { var x, y : int = 0\n states up, down, done\n up -> up : x := x + 1, y := y + 1\n up -> down\n" \
  " down -> down when x > 0 : x := x - 1, y := y - 1\n down -> done when x <= 0 }\nsafe good: P at done => P.y = 0\n"
#define TICKET(N, NEXT)                                                                                \
  "const N = " N                                                                                       \
  "\nvar t, s : int\ninit t = s\nprocess P[i : 1..N] { var a : int\n states idle, waiting, critical\n" \
  " idle -> waiting : a := t, t := t + 1\n waiting -> critical when a <= s" NEXT                       \
  "\n critical -> idle : s := s + 1 }\n"                                                               \
  "safe mutex: forall i : 1..N, j : 1..N . i < j => !(P[i] at critical && P[j] at critical)\n"
#define BAKERY                                                                                                         \
  "var p, q : 0..2 = 0\nvar y, z : nat = 0\naction a: p = 0 -> p := 1, y := z + 1\naction b: p = 1 && (z = 0 || y <= " \
  "z) -> p := 2\n"                                                                                                     \
  "action c: p = 2 -> p := 0, y := 0\naction d: q = 0 -> q := 1, z := y + 1\naction e: q = 1 && (y = 0 || z < y) -> "  \
  "q := 2\n"                                                                                                           \
  "action f: q = 2 -> q := 0, z := 0\nsafe mutex: !(p = 2 && q = 2)\n"
#define GOPAN                                                                                                       \
  "process P { var x : int = 0\n var y : int = 50\n states loop, done\n loop -> loop when x < 50 : x := x + 1\n"    \
  " loop -> loop when x >= 50 && x < 100 : x := x + 1, y := y + 1\n loop -> done when x >= 100 }\nsafe good: P at " \
  "done => P.y = 100\n"
#define LOCK                                                                                                          \
  "process P { var lock : 0..1 = 0\n var new, old : int = 0\n states a, b, c, d\n a -> b when lock = 0 : lock := 1, " \
  "old := new\n"                                                                                                      \
  " b -> c : lock := 0, new := new + 1\n b -> c\n c -> a when new != old\n c -> d when new = old }\nsafe good: P at " \
  "d => P.lock = 1\n"
#define EVEN                                                                                                       \
  "process P { var x : int = 0\n states loop, done\n loop -> loop : x := x + 2\n loop -> done }\nsafe good: P at " \
  "done => P.x % 2 = 0\n"
#define FOREVER "var x : int = 0\naction up: true -> x := x + 1\nunreachable good: x > 40\n"
/* Refinements as a prototype that shares nothing with whet has counted them (docs/engines/fbar.md): fbar, fbar-sym,
 * cgr, cgr-dual. */
static const table_row table[] = {
    {"loop to 100", LOOP("100"), plain, VERDICT_SAFE, {0, 0, 0, 0}},
    {"loop to 100, coarse", LOOP("100"), plain_coarse, VERDICT_SAFE, {1, 1, 1, DIV}},
    {"loop to 100, coarse, accelerated", LOOP("100"), accelerated_coarse, VERDICT_SAFE, {1, 1, 1, 1}},
    {"loop to n, coarse", "const n : int\ninit n >= 0\n" LOOP("n"), plain_coarse, VERDICT_SAFE, {1, 1, 1, DIV}},
    {"loop to n, coarse, accelerated",
     "const n : int\ninit n >= 0\n" LOOP("n"),
     accelerated_coarse,
     VERDICT_SAFE,
     {1, 1, 1, 1}},
    {"loop to n, bug", "const n : int\n" LOOP("n"), plain_coarse, VERDICT_UNSAFE, {1, 1, 1, 1}},
    {"updown", UPDOWN, plain, VERDICT_SAFE, {DIV, DIV, DIV, DIV}},
    {"updown, coarse, accelerated", UPDOWN, accelerated_coarse, VERDICT_SAFE, {3, 2, 3, 2}},
    {"ticket 2", TICKET("2", ""), plain, VERDICT_SAFE, {DIV, 3, DIV, 3}},
    {"ticket 2, accelerated", TICKET("2", ""), accelerated, VERDICT_SAFE, {2, 2, 2, 3}},
    {"ticket 2, coarse", TICKET("2", ""), plain_coarse, VERDICT_SAFE, {DIV, 3, DIV, 3}},
    {"ticket 2, coarse, accelerated", TICKET("2", ""), accelerated_coarse, VERDICT_SAFE, {4, 3, 4, 3}},
    {"ticket 2, bug", TICKET("2", " + 1"), plain, VERDICT_UNSAFE, {1, 1, 1, 4}},
    {"bakery", BAKERY, plain, VERDICT_SAFE, {0, 0, 0, 0}},
    {"bakery, coarse", BAKERY, plain_coarse, VERDICT_SAFE, {3, 3, 3, DIV}},
    {"gopan", GOPAN, plain_coarse, VERDICT_SAFE, {DIV, DIV, DIV, DIV}},
    {"gopan, coarse, accelerated", GOPAN, accelerated_coarse, VERDICT_SAFE, {3, 2, 3, 2}},
    {"lock, coarse", LOCK, plain_coarse, VERDICT_SAFE, {2, 2, 2, DIV}},
    {"even, coarse", EVEN, plain_coarse, VERDICT_SAFE, {1, 1, 1, DIV}},
    {"even, coarse, accelerated", EVEN, accelerated_coarse, VERDICT_SAFE, {1, 1, 1, 1}},
    {"up for ever", FOREVER, plain, VERDICT_UNSAFE, {DIV, DIV, DIV, DIV}},
    {"up for ever, accelerated", FOREVER, accelerated, VERDICT_UNSAFE, {0, 0, 0, 0}},
};

static void check_cell(const table_row *row, size_t k) {
  engine_result r = engine_run_text(engines[k], row->model, 0, ROUNDS, row->options);
  int wanted = row->refinements[k];
  if (wanted == DIV)
    CHECK(r.verdict == VERDICT_UNKNOWN, "%s, %s: ends after %llu", row->name, engines[k]->name,
          (unsigned long long)r.statistics.refinements);
  else
    CHECK(r.verdict == row->verdict && r.checked && (int)r.statistics.refinements == wanted,
          "%s, %s: %d, %llu refinements, %s", row->name, engines[k]->name, (int)r.verdict,
          (unsigned long long)r.statistics.refinements, r.reason ? r.reason : "");
  engine_result_free(&r);
}

TEST(table_of_verdicts_and_refinements) {
  for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
    for (size_t k = 0; k < ENGINES; k++) check_cell(&table[i], k);
}

TEST(no_more_refinements_than_steps) {
  static const int wanted[] = {40, 39, 40, 41};
  for (size_t k = 0; k < ENGINES; k++) {
    engine_result r = engine_run_text(engines[k], FOREVER, 0, 50, plain);
    CHECK(r.verdict == VERDICT_UNSAFE && r.checked && r.steps == 41 && (int)r.statistics.refinements == wanted[k],
          "%s: %d, %llu", engines[k]->name, (int)r.verdict, (unsigned long long)r.statistics.refinements);
    engine_result_free(&r);
  }
}

/* Questions about steps are asked only for blocks that a refinement split: two a round here, eight questions, however
 * many blocks there are. */
TEST(cost_of_a_round_does_not_grow_with_the_blocks) {
  uint64_t may[3], blocks[3];
  for (size_t i = 0; i < 3; i++) {
    engine_result r = engine_run_file(&engine_cgr, "fixpoint/chain-a.whet", 0, 50 * (i + 1), plain);
    may[i] = r.statistics.may;
    blocks[i] = r.statistics.blocks;
    engine_result_free(&r);
  }
  CHECK(blocks[2] > 2 * blocks[0] && may[1] - may[0] == may[2] - may[1] && may[2] - may[1] <= 50 * 8,
        "%llu, %llu, %llu", (unsigned long long)may[0], (unsigned long long)may[1], (unsigned long long)may[2]);
}

/* ---- evidence and properties ---- */

static void expect(const char *text, const char *property, verdict wanted, size_t steps) {
  model *m = model_of_text(text);
  for (size_t k = 0; k < ENGINES; k++) {
    engine_result r = engine_run_model(engines[k], m, property, 20000000, 0, NULL);
    CHECK(r.verdict == wanted && r.checked && (wanted != VERDICT_UNSAFE || r.steps == steps), "%s: %d, %zu steps, %s",
          engines[k]->name, (int)r.verdict, r.steps, r.reason ? r.reason : "");
    engine_result_free(&r);
  }
  model_free(m);
}

TEST(accelerated_steps_are_written_out) {
  expect("var x : int = 0\naction up: true -> x := x + 1\nunreachable good: x >= 40\n", NULL, VERDICT_UNSAFE, 40);
  expect(
      "process P { var x : int = 0\n states a, b\n a -> b : x := x + 3\n b -> a : x := x - 1 }\nunreachable good: P at "
      "a && P.x >= 50\n",
      NULL, VERDICT_UNSAFE, 50);
  /* with inputs: any path of the length that is needed will do */
  expect("var x : int = 0\naction up(i : 0..3): true -> x := x + i\nunreachable good: x = 30\n", NULL, VERDICT_UNSAFE,
         10);
}

TEST(other_properties) {
  expect("var x : 0..40 = 0\naction up: x < 50 -> x := x + 2\nsafe s: x >= 0\n", "no-runtime-error", VERDICT_UNSAFE,
         20);
  expect("var x : 0..40 = 0\naction up(i : 0..3): x + i <= 40 -> x := x + i\nsafe s: x >= 0\n", "s", VERDICT_SAFE, 0);
  expect("var x : nat = 0\naction up: x < 3 -> x := x + 1\ndeadlockfree\n", NULL, VERDICT_UNSAFE, 3);
  expect("var x : nat = 0\naction a(i : nat): i > x && i < x + 2 -> x := i\ndeadlockfree\n", NULL, VERDICT_SAFE, 0);
  expect(
      "var x : int = 0\nvar b : bool = false\naction up: b -> x := x + 1\naction flip: true -> b := !b\nunreachable "
      "good: x < 0\n",
      NULL, VERDICT_SAFE, 0);
  expect("var x : int = 5\naction up: true -> x := x + 1\nunreachable good: x = 5\n", NULL, VERDICT_UNSAFE, 0);
  expect("var x : int\ninit x < 0 && x > 0\naction up: true -> x := x + 1\nunreachable good: x = 5\n", NULL,
         VERDICT_SAFE, 0);
}

TEST(what_is_not_linear_is_refused) {
  engine_result r = engine_run_text(
      &engine_fbar, "var x : int = 2\naction up: true -> x := x * x\nunreachable good: x = 5\n", 0, 0, NULL);
  CHECK(r.verdict == VERDICT_UNKNOWN && r.reason && strstr(r.reason, "not linear"), "%s", r.reason ? r.reason : "");
  engine_result_free(&r);
}

/* Accelerated steps are written out, one by one: through both phases of a loop, and a cycle of two steps. */
TEST(long_runs) {
  static const char *const texts[] = {
      "var x, y : int\ninit x = 0 && y = 0\naction up: x < 20000 -> x := x + 1, y := y + 1\n"
      "action down: x >= 20000 -> x := x + 1, y := y - 1\nunreachable bad: x > 20000 && y <= 0\n",
      "var x : int\ninit x = 0\nprocess P {\n  states a, b\n  a -> b : x := x + 3\n  b -> a : x := x - 1\n}\n"
      "unreachable bad: x >= 10001\n"};
  static const size_t wanted[] = {40000, 9999};
  for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
    engine_result r = engine_run_text(&engine_fbar, texts[i], 0, 20, NULL);
    CHECK(r.verdict == VERDICT_UNSAFE && r.checked && r.steps >= wanted[i], "case %zu: %s, %zu", i,
          r.reason ? r.reason : "", r.steps);
    engine_result_free(&r);
  }
}

/* Phases that no guard shows: a counter that wraps round, with and without a type that says so, and a choice within a
 * step. */
TEST(pieces_of_steps_are_accelerated) {
  static const char wraps[] =
      "var x : %s\nvar y, z : nat\ninit x = 0 && y = 0 && z = 0\n"
      "action step: true -> x := (x + 1) %% 700, y := y + 1, z := if x < 350 then z + 2 else z\n"
      "unreachable good: x = 0 && y != z\n";
  static const char *const types[] = {"0..699", "nat", "int"};
  for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
    text model = {0};
    text_add(&model, wraps, types[i]);
    engine_result r = engine_run_text(&engine_fbar, text_string(&model), 0, 20, NULL);
    CHECK(r.verdict == VERDICT_SAFE && r.checked, "%s: %s", types[i], r.reason ? r.reason : "");
    engine_result_free(&r);
    text_clear(&model);
  }
  expect(
      "var x, y : int\ninit x = 0 && y = 0\naction step: true -> x := x + 1, y := if x < 900 then y + 1 else y - 1\n"
      "unreachable good: x = 1800 && y != 0\n",
      NULL, VERDICT_SAFE, 0);
  expect(
      "var x, y : int\ninit x = 0 && y = 0\naction step: true -> x := x + 1, y := if x < 900 then y + 1 else y - 1\n"
      "unreachable good: x = 1800 && y = 0\n",
      NULL, VERDICT_UNSAFE, 1800);
}

TEST_MAIN
