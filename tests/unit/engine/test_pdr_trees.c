/* pdr on clauses with several atoms in a body: verdicts whose evidence is checked, and the parts: frames, questions about
 * a clause, lemmas that are sums. */
#include "engine/pdr/trees/trees.h"
#include "unit/engine/tree_clauses.h"

extern const engine engine_pdr;

enum { WORK = 3000000 };

static void expect_of(const char *content, bool are_trees, const char *const *options, verdict wanted) {
  statistics counted = expect_on_trees(&engine_pdr, content, are_trees, WORK, options, wanted);
  CHECK(counted.queries > 0 && counted.depth > 0);
}

static void expect(const char *content, verdict wanted) { expect_of(content, true, NULL, wanted); }

TEST(recursion_with_two_calls) {
  expect(FIBONACCI("(< r (- n 1))"), VERDICT_SAFE);
  expect(FIBONACCI("(and (= n 8) (distinct r 21))"), VERDICT_SAFE);
  expect(FIBONACCI("(and (= n 9) (= r 34))"), VERDICT_UNSAFE);
}

/* The tree has height n and needs no more than n sets: the two subtrees are the same. */
TEST(trees_share_what_is_the_same) {
  expect(
      "(declare-fun p (Int Int) Bool)\n(assert (p 0 1))\n"
      "(assert (forall ((n Int) (a Int) (b Int)) (=> (and (p n a) (p n b)) (p (+ n 1) (+ a b)))))\n"
      "(assert (forall ((x Int)) (=> (p 9 x) false)))\n",
      VERDICT_UNSAFE);
}

/* Neither atom is a bound of the other's arguments: x <= y is in no clause. */
TEST(a_relation_that_no_clause_has) {
  expect(
      "(declare-fun p (Int Int) Bool)\n(assert (p 0 0))\n"
      "(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (p a b) (p c d)) (p (+ a c 1) (+ b d 2)))))\n"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 100) (< y 100)) false)))\n",
      VERDICT_SAFE);
}

TEST(booleans_and_mutual_recursion) {
  const char *head =
      "(declare-fun even (Int Bool) Bool)\n(declare-fun odd (Int Bool) Bool)\n(assert (even 0 true))\n"
      "(assert (forall ((n Int) (b Bool) (m Int) (c Bool)) (=> (and (even n b) (even m c)) (odd (+ n m 1) (and b "
      "c)))))\n"
      "(assert (forall ((n Int) (b Bool) (m Int) (c Bool)) (=> (and (odd n b) (odd m c)) (even (+ n m) (= b c)))))\n";
  char *safe = text_format("%s(assert (forall ((n Int)) (=> (even n false) false)))\n", head);
  char *wrong = text_format("%s(assert (forall ((n Int) (b Bool)) (=> (and (odd n b) (> n 6)) false)))\n", head);
  expect(safe, VERDICT_SAFE);
  expect(wrong, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

TEST(reals_in_trees) {
  const char *head =
      "(declare-fun mean (Real) Bool)\n(assert (mean 0.0))\n(assert (mean 1.0))\n"
      "(assert (forall ((a Real) (b Real)) (=> (and (mean a) (mean b)) (mean (/ (+ a b) 2.0)))))\n";
  char *safe = text_format("%s(assert (forall ((a Real)) (=> (and (mean a) (> a 1.0)) false)))\n", head);
  char *wrong = text_format("%s(assert (=> (mean (/ 3.0 16.0)) false))\n", head);
  expect(safe, VERDICT_SAFE);
  expect(wrong, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

/* There is a transition system, on which the other searches work too. */
TEST(linear_clauses_with_reals) {
  static const char *const off[] = {"abstraction=off", NULL};
  const char *head =
      "(declare-fun tank (Real Real) Bool)\n(assert (tank 0.0 0.0))\n"
      "(assert (forall ((l Real) (t Real) (d Real)) (=> (and (tank l t) (>= d 0.0) (<= d 1.0)) (tank (+ l (* 2.0 d)) "
      "(+ t d)))))\n";
  char *safe =
      text_format("%s(assert (forall ((l Real) (t Real)) (=> (and (tank l t) (> l (* 2.0 t))) false)))\n", head);
  char *wrong = text_format("%s(assert (forall ((t Real)) (=> (and (tank 5.0 t) (< t 3.0)) false)))\n", head);
  expect_of(safe, false, NULL, VERDICT_SAFE);
  expect_of(safe, false, off, VERDICT_SAFE);
  expect_of(wrong, false, NULL, VERDICT_UNSAFE);
  expect_of(wrong, false, off, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

/* Z3 does not find formulas for `merged`, which is unfolded: pdr asks about the clauses as read. */
TEST(lemmas_are_goals_on_the_clauses_as_read) { expect(MERGED, VERDICT_SAFE); }

TEST(spent_work_is_unknown) { expect_spent_on_trees(&engine_pdr); }

/* ---- parts ---- */

typedef struct setting {
  model *model;
  statistics statistics;
  budget budget;
  engine_environment env;
  tree_frames frames;
  term x, y;
} setting;

/* p(x, y) with x >= y, from p(y, x) and p(x, y) with both one larger. */
static void open_setting(setting *s) {
  *s = (setting){.budget = budget_unlimited()};
  s->model = clauses_of_text(
      "(declare-fun p (Int Int) Bool)\n(assert (forall ((x Int) (y Int)) (=> (>= x y) (p x y))))\n"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (p y x)) (p (+ x 1) (+ y 1)))))\n"
      "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (p (+ y 1) x) (< x y)) false)))\n");
  s->env = (engine_environment){.model = s->model, .statistics = &s->statistics, .budget = &s->budget};
  tree_frames_open(&s->frames, &s->env, s->model->clauses);
  s->frames.top = 2;
  const variable_vector *parameters = &s->frames.predicates.at[0].parameters;
  s->x = term_of_variable(s->model->terms, parameters->at[0]);
  s->y = term_of_variable(s->model->terms, parameters->at[1]);
}

static void close_setting(setting *s) {
  tree_frames_close(&s->frames);
  model_free(s->model);
}

TEST(weaker_lemmas_are_forgotten) {
  setting s;
  open_setting(&s);
  terms *ts = s.model->terms;
  term low = term_le(ts, s.x, term_int(ts, 0)), high = term_ge(ts, s.y, term_int(ts, 5));
  cube both = {0}, one = {0}, asked = {0};
  VECTOR_PUSH(both, low);
  VECTOR_PUSH(both, high);
  VECTOR_PUSH(one, high);
  VECTOR_PUSH(asked, high);
  tree_frames_add(&s.frames, 0, both, 1);
  CHECK(!tree_frames_exclude(&s.frames, 0, &asked, 1));
  tree_frames_add(&s.frames, 0, one, 2);
  CHECK(s.frames.predicates.at[0].lemmas.count == 1);
  CHECK(tree_frames_exclude(&s.frames, 0, &asked, 2) && !tree_frames_exclude(&s.frames, 0, &asked, 3));
  tree_frames_raise(&s.frames, 0, 0);
  CHECK(tree_frames_exclude(&s.frames, 0, &asked, 3));
  CHECK(term_same(tree_frames_formula(&s.frames, 0, 3), term_not(high)));
  CHECK(term_is_true(tree_frames_formula(&s.frames, 0, 4)));
  VECTOR_FREE(asked);
  close_setting(&s);
}

TEST(questions_follow_lemmas_and_levels) {
  setting s;
  open_setting(&s);
  terms *ts = s.model->terms;
  cube none = {0}, above = {0};
  core_names core = {0};
  VECTOR_PUSH(above, term_gt(ts, s.y, s.x));
  tree_question fact = {.clause = 0, .head = &above, .level = 1}, step = {.clause = 1, .head = &above, .level = 1};
  CHECK(answer_is_no(tree_ask(&s.frames, &fact, &core)) && core.count == 1);
  CHECK(answer_is_no(tree_ask(&s.frames, &step, NULL)), "no tree of height 1 has a body");
  step.level = 2;
  CHECK(answer_is_yes(tree_ask(&s.frames, &step, NULL)) && tree_read(&s.frames, 1));
  step.relative = true;
  CHECK(answer_is_no(tree_ask(&s.frames, &step, NULL)), "bodies are not in the cube");
  step.relative = false;
  bool sure[] = {true, true};
  step.sure = sure;
  CHECK(answer_is_no(tree_ask(&s.frames, &step, NULL)), "no atom is known to be derivable");
  step.sure = NULL;
  tree_frames_add(&s.frames, 0, none, 1);
  CHECK(answer_is_no(tree_ask(&s.frames, &step, NULL)), "a lemma that excludes all");
  VECTOR_FREE(above);
  VECTOR_FREE(core);
  close_setting(&s);
}

TEST(lemmas_are_sums_of_literals) {
  setting s;
  open_setting(&s);
  terms *ts = s.model->terms;
  cube c = {0}, lemma = {0};
  core_names core = {0};
  VECTOR_PUSH(c, term_le(ts, s.x, term_int(ts, 5)));
  VECTOR_PUSH(c, term_ge(ts, s.y, term_int(ts, 6)));
  CHECK(answer_is_no(tree_ask_all(&s.frames, 0, &c, 1, false, &core, NULL)) && core.count == 2);
  tree_generalise(&s.frames, 0, 1, &c, &core, &lemma);
  CHECK(lemma.count == 1 && term_same(lemma.at[0], term_lt(ts, s.x, s.y)));
  VECTOR_FREE(c);
  VECTOR_FREE(core);
  VECTOR_FREE(lemma);
  close_setting(&s);
}

TEST_MAIN
