/* What clauses become: assignments where there are functions, inputs where there are none, places, types; and the way
 * back. */
#include "input/input.h"
#include "proof/certificate.h"
#include "proof/check.h"
#include "proof/clause_evidence.h"
#include "test.h"

static model *read_text(const char *text) {
  diagnostics d = {0};
  model *m = input_read_text("test.smt2", text, strlen(text), &d);
  if (!m) printf("# %s\n", text_string(&d.text));
  text_free(&d.text);
  return m;
}

static size_t inputs_of(const model *m) {
  size_t count = 0;
  for (size_t i = 0; i < m->transitions.count; i++) count += m->transitions.at[i].inputs.count;
  return count;
}

#define DECLARED "(declare-fun P (Int Int) Bool)\n(assert (forall ((x Int) (y Int)) (=> (>= x 0) (P x y))))\n"
#define QUERY "(assert (forall ((x Int) (y Int)) (=> (and (P x y) (< x 0)) false)))"
#define STEP(CONSTRAINT)                                                                            \
  DECLARED "(assert (forall ((x Int) (y Int) (z Int) (u Int) (v Int)) (=> (and (P x y) " CONSTRAINT \
           ") (P u "                                                                                \
           "v))))" QUERY

#define CHECK_NUMBER(GOT, WANTED) CHECK((GOT) == (WANTED), "got %zu, wanted %zu", (size_t)(GOT), (size_t)(WANTED))

typedef struct expected {
  const char *text;
  size_t transitions, inputs, variables;
} expected;

TEST(guarded_commands) {
  static const expected cases[] = {
      {STEP("(= u (+ x 1)) (= v y)"), 1, 0, 2},
      {STEP("(= (- u x) 1) (= (+ v z) y) (= z (* 2 x))"), 1, 0, 2},
      {STEP("(= u (+ x 1)) (or (= v y) (= v (+ y 1)))"), 2, 0, 2},
      {STEP("(= u (ite (> x y) x (+ y 1))) (= v y)"), 2, 0, 2},
      {STEP("(ite (> x y) (and (= u x) (= v 0)) (and (= u y) (= v 1)))"), 2, 0, 2},
      {STEP("(= u x) (= v y) (> z x) (< z y)"), 1, 0, 2},             /* projected */
      {STEP("(= u x) (= v y) (> (* 2 z) x) (< (* 3 z) y)"), 1, 1, 2}, /* cannot be */
      {STEP("(>= u x) (= v y)"), 1, 1, 2},
      {STEP("(= u z) (= v z)"), 1, 1, 2},
      {STEP("(= u x) (= v 0)"), 1, 0, 2},
      {STEP("(= u x) (= v (+ y 1))"), 1, 0, 2},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
    model *m = read_text(cases[i].text);
    CHECK(m, "case %zu", i);
    if (!m) continue;
    int before = test_failures;
    CHECK_NUMBER(m->transitions.count, cases[i].transitions);
    CHECK_NUMBER(inputs_of(m), cases[i].inputs);
    CHECK_NUMBER(m->variables.count, cases[i].variables);
    CHECK_NUMBER(m->processes.count, 0);
    CHECK(test_failures == before, "case %zu", i);
    model_free(m);
  }
}

TEST(places_and_naturals) {
  model *m = read_text(
      "(declare-fun P (Int Int Bool) Bool)\n(assert (P 0 5 true))\n"
      "(assert (forall ((x Int) (b Bool)) (=> (P 0 x b) (P 1 (+ x 1) b))))\n"
      "(assert (forall ((x Int) (b Bool)) (=> (and (P 1 x b) (> x 0)) (P 0 (- x 1) (not b)))))\n"
      "(assert (forall ((p Int) (x Int) (b Bool)) (=> (and (P p x b) (< x 0)) false)))\n");
  CHECK_NUMBER(m->processes.count, 1);
  CHECK_NUMBER(variable_type(m->terms, m->processes.at[0].location)->name_count, 2);
  CHECK_NUMBER(m->variables.count, 3); /* place, x, b */
  CHECK(variable_type(m->terms, m->variables.at[1].var)->has_low);
  CHECK_NUMBER(m->clauses->images.count, 2);
  model_free(m);
}

/* An invariant of the model is an interpretation; a wrong one is none. */
TEST(way_back) {
  model *m = read_text(
      "(declare-fun P (Int Int) Bool) (assert (P 0 0)) (assert (forall ((x Int) (y Int)) (=> (and (P x y) (< x 5)) (P "
      "(+ x 1) (+ y 2)))))" QUERY);
  budget b = budget_unlimited();
  for (int64_t factor = 1; factor <= 2; factor++) {
    term x = term_of_variable(m->terms, m->variables.at[0].var), y = term_of_variable(m->terms, m->variables.at[1].var);
    evidence e = {.kind = EVIDENCE_INVARIANT};
    evidence_add_part(m->terms, &e, term_eq(m->terms, y, term_scale(m->terms, number_of(factor), x)));
    CHECK(!clause_evidence(m, 0, &e, &b));
    CHECK(e.kind == EVIDENCE_INTERPRETATION && e.interpretation.count == 1);
    text written = {0};
    certificate_write(m, 0, &e, &written);
    evidence again = {0};
    char *error = NULL;
    size_t property;
    CHECK(certificate_read(m, text_string(&written), written.count, &property, &again, &error));
    CHECK(term_same(again.interpretation.at[0], e.interpretation.at[0]));
    check_result r = check_evidence(m, 0, &again, &b, NULL);
    CHECK(r.kind == (factor == 2 ? CHECK_ACCEPTED : CHECK_REJECTED));
    memory_free(r.what);
    memory_free(error);
    text_free(&written);
    evidence_free(&again);
    evidence_free(&e);
  }
  model_free(m);
}

static void check_refused(const char *path, const char *file, const char *certificate, const char *message) {
  diagnostics d = {0};
  model *m = input_read_text(path, file, strlen(file), &d);
  CHECK(m, "%s", text_string(&d.text));
  evidence e = {0};
  char *error = NULL;
  size_t property;
  budget b = budget_unlimited();
  CHECK(certificate_read(m, certificate, strlen(certificate), &property, &e, &error), "%s", error);
  check_result r = check_evidence(m, property, &e, &b, NULL);
  CHECK(r.kind == CHECK_UNSURE, "%d", r.kind);
  if (r.what) CHECK_TEXT(r.what, message);
  memory_free(r.what);
  memory_free(error);
  evidence_free(&e);
  model_free(m);
  text_free(&d.text);
}

/* The model may do more than the clauses say: a division by 0 is any value there, and a system without a next state
 * idles. */
TEST(evidence_about_the_model_says_nothing_about_the_clauses) {
  const char *clauses =
      "(declare-fun P (Int Int) Bool)\n"
      "(assert (forall ((x Int) (z Int)) (=> (and (= z 0) (= x (div 1 z))) (P x z))))\n"
      "(assert (forall ((x Int) (z Int)) (=> (and (P x z) (= x 0)) false)))\n";
  check_refused("a.smt2", clauses, "{\"#meta\":{\"whet-certificate\":1,\"property\":\"query\"},\"states\":[{\"x\":0}]}",
                "it is not about the clauses that were read");
  check_refused("a.smt2", DECLARED QUERY,
                "; whet certificate 1\n(set-info :whet-property query)\n(define-fun inv ((x Int)) Bool (>= x 0))",
                "it is not about the clauses that were read");
  const char *ends =
      "(declare-fun x () Int) (declare-fun y () Int) (define-fun n () Int (! x :next y))\n"
      "(define-fun i () Bool (! (= x 0) :init true)) (define-fun l () Bool (! (< x 1) :live-property 0))\n"
      "(define-fun t () Bool (! (and (< x 1) (= y (+ x 1))) :trans true))";
  check_refused("a.vmt", ends,
                "{\"#meta\":{\"whet-certificate\":1,\"property\":\"live0\"},\"loop\":1,"
                "\"states\":[{\"x\":0},{\"#meta\":{\"transition\":0},\"x\":1}]}",
                "only a run that ends was found against it, which is no run of the system as read");
}

TEST_MAIN
