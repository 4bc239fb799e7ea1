/* invuni: the rounds and obligations known of bakery and BRP, lemmas that are right, wrong and useless. */
#include "unit/engine_run.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

extern const engine engine_invuni;

static void expect_rounds(const char *path, uint64_t rounds, const char *const *options) {
  engine_result r = engine_run_file(&engine_invuni, path, 0, 0, options);
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "%s: %d, %s", path, (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.statistics.refinements == rounds, "%s: %llu rounds", path, (unsigned long long)r.statistics.refinements);
  engine_result_free(&r);
}

TEST(bakery_needs_fewer_rounds_the_more_the_abstraction_knows) {
  expect_rounds("bakery2.whet", 0, NULL);
  expect_rounds("bakery2.whet", 1,
                (const char *const[]){"wp-depth=0", "no-guards", NULL}); /* that abstraction does not prove mutex */
  expect_rounds("bakery2.whet", 3, (const char *const[]){"no-abstraction", NULL});
}

TEST(brp_is_proved_by_strengthening_alone) { expect_rounds("brp/brp.whet", 11, NULL); }

/* From bad states, and only from those, a step leads to states in which the property is lost later. All abstract states
 * together would have those too; the ones up to the first violation have not. `n <= 5` tells apart which bad states there are:
 * none, but the abstraction by n = 0 does not know that. */
static const char lost_after_a_violation[] =
    "var n : nat = 0\nvar alarm, open : bool = false\n"
    "action count: !alarm && n < 5 -> n := n + 1\naction fault: n > 5 -> alarm := true\n"
    "action reset: alarm -> alarm := false, open := true\naction leak: open -> alarm := true\n"
    "safe quiet: !alarm\n%s";

TEST(abstract_states_count_up_to_the_first_violation) {
  char *plain = text_format(lost_after_a_violation, ""),
       *helped = text_format(lost_after_a_violation, "lemma n <= 5\n");
  const char *const coarse[] = {"strengthen=0", "wp-depth=0", "no-guards", NULL};
  engine_result r = engine_run_text(&engine_invuni, plain, 0, 0, coarse);
  CHECK_TEXT(r.reason, "not preserved by fault"); /* not by leak: Q says !open, which holds up to the first violation */
  engine_result_free(&r);
  r = engine_run_text(&engine_invuni, helped, 0, 0, coarse);
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "%d, %s", (int)r.verdict, r.reason ? r.reason : "");
  engine_result_free(&r);
  r = engine_run_text(&engine_invuni, helped, 0, 0, (const char *const[]){"strengthen=0", "no-abstraction", NULL});
  CHECK_TEXT(r.reason, "not preserved by leak");
  engine_result_free(&r);
  memory_free(plain);
  memory_free(helped);
}

static GIVE model *brp_with(const char *lemma) {
  char *path = text_format("%s/data/models/brp/brp.whet", TESTS_FOLDER);
  size_t length;
  char *content = read_file(path, &length), *whole = text_format("%s\nlemma %s\n", content, lemma);
  model *m = model_of_text(whole);
  memory_free(whole);
  memory_free(content);
  memory_free(path);
  return m;
}

/* One strengthening by the user, as in section 5 of the paper: with the abstract states every obligation holds, without
 * them 13 of the 21 actions do not preserve it. */
static const char users_lemma[] =
    "((spc = SF || spc = WA) => (if spc = SF && ipend then head = ahead + 1 else if !ctog || stog = rtog then head = "
    "ahead else ahead = head + 1))"
    " && (spc = WA && kfull => kdata = head && (klast <=> head = last)) && (spc = SF && ipend => kdata = ahead && "
    "(klast <=> ahead = last))"
    " && (spc = SC => (head = last => ahead = last || ahead = last + 1) && (head > last => ahead = last + 1) && (head "
    "< last => ahead <= last))";

TEST(the_users_lemma_is_accepted_with_the_abstraction_only) {
  model *m = brp_with(users_lemma);
  engine_result r = engine_run_model(&engine_invuni, m, NULL, 0, 0, (const char *const[]){"strengthen=0", NULL});
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "%d, %s", (int)r.verdict, r.reason ? r.reason : "");
  engine_result_free(&r);
  r = engine_run_model(&engine_invuni, m, NULL, 0, 0, (const char *const[]){"strengthen=0", "no-abstraction", NULL});
  CHECK(r.verdict == VERDICT_UNKNOWN);
  CHECK_TEXT(r.reason, "not preserved by RNEW, IND, RTOI, INOK, REQ, SEND, ACKM, ACKL, TO1R, TO1A, COK, CDK, CNOK");
  engine_result_free(&r);
  model_free(m);
}

/* The property is decided, or not, as if a wrong lemma were not there. */
TEST(wrong_lemmas_are_never_believed) {
  model *m = brp_with("head = 7"); /* not even at first */
  engine_result r = engine_run_model(&engine_invuni, m, NULL, 0, 0, (const char *const[]){"strengthen=3", NULL});
  CHECK(r.verdict == VERDICT_UNKNOWN);
  CHECK(strstr(r.reason, "not preserved by") == r.reason, "%s", r.reason);
  engine_result_free(&r);
  model_free(m);
  m = brp_with("rn <= 1"); /* at first only */
  r = engine_run_model(&engine_invuni, m, NULL, 0, 0, (const char *const[]){"strengthen=3", NULL});
  CHECK(r.verdict == VERDICT_UNKNOWN, "%d", (int)r.verdict);
  engine_result_free(&r);
  model_free(m);
}

static const char steps_to_five[] =
    "var x : 0..10 = 0\naction inc: x < 5 -> x := x + 1\naction stay: x >= 5 -> x := x\nsafe s: x <= %d\n%s";

TEST(a_wrong_lemma_does_not_keep_the_property_from_its_proof) {
  static const char *const lemmas[] = {"lemma x >= 1\n", "lemma x <= 3\n",
                                       "lemma x >= 1\nlemma x <= 3\nlemma x >= 0\n"};
  for (size_t i = 0; i < sizeof lemmas / sizeof lemmas[0]; i++) {
    char *right = text_format(steps_to_five, 5, lemmas[i]), *wrong = text_format(steps_to_five, 2, lemmas[i]);
    engine_result r = engine_run_text(&engine_invuni, right, 0, 0, NULL);
    CHECK(r.verdict == VERDICT_SAFE && r.checked, "%zu: %d, %s", i, (int)r.verdict, r.reason ? r.reason : "");
    engine_result_free(&r);
    r = engine_run_text(&engine_invuni, wrong, 0, 0, (const char *const[]){"no-abstraction", NULL});
    CHECK(r.verdict == VERDICT_UNKNOWN, "%zu: %d", i, (int)r.verdict);
    CHECK_TEXT(r.reason, "an initial state breaks the property within 3 steps");
    engine_result_free(&r);
    memory_free(right);
    memory_free(wrong);
  }
}

TEST(errors_are_not_proved) {
  for (int i = 1; i <= 3; i++) {
    char *path = text_format("brp/brp-e%d.whet", i);
    engine_result r = engine_run_file(&engine_invuni, path, 0, 0, (const char *const[]){"strengthen=4", NULL});
    CHECK(r.verdict == VERDICT_UNKNOWN, "%s: %d", path, (int)r.verdict);
    engine_result_free(&r);
    memory_free(path);
  }
}

TEST(inputs_are_eliminated) {
  engine_result r = engine_run_text(&engine_invuni,
                                    "var x, y : int\ninit x = 0 && y = 0\naction a(i : nat): i <= 3 -> x := x + i, y "
                                    ":= y + 2 * i\nsafe s: y >= x - 1\n",
                                    0, 0, NULL);
  CHECK(r.verdict == VERDICT_SAFE && r.checked, "%d, %s", (int)r.verdict, r.reason ? r.reason : "");
  engine_result_free(&r);
}

TEST_MAIN
