/* What clauses become: assignments if there are functions, inputs if there are none, places, types; and the way
 * back. */
#include "input/input.h"
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "proof/clause_evidence.h"
#include "proof/replay/clause_plan.h"
#include "term/evaluate.h"
#include "unit/test.h"

static model *read_text(const char *text) {
  diagnostics d = {0};
  model *m = input_read_text("test.smt2", text, strlen(text), &d);
  if (!m) printf("# %s\n", text_string(&d.text));
  text_clear(&d.text);
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

enum { PARTS = 6 };

/* PARTS counters, each of which goes up or down in every step. */
static GIVE char *synchronous_step(void) {
  text t = {0}, declared = {0}, before = {0}, after = {0}, how = {0};
  text_add(&t, "(declare-fun P (");
  for (int i = 0; i < PARTS; i++) {
    text_add(&t, " Int");
    text_add(&declared, "(x%d Int) (y%d Int) (i%d Int) ", i, i, i);
    text_add(&before, " x%d", i);
    text_add(&after, " y%d", i);
    text_add(&how, " (= y%d (ite (> i%d (* 3 x%d)) (+ x%d 1) (- x%d 1)))", i, i, i, i, i);
  }
  text_add(&t, " ) Bool)\n(assert (forall (%s) (=> (= x0 0) (P%s))))\n", declared.at, before.at);
  text_add(&t, "(assert (forall (%s) (=> (and (P%s)%s) (P%s))))\n", declared.at, before.at, how.at, after.at);
  text_add(&t, "(assert (forall (%s) (=> (and (P%s) (> x0 9)) false)))\n", declared.at, before.at);
  text_clear(&declared);
  text_clear(&before);
  text_clear(&after);
  text_clear(&how);
  return text_give(&t);
}

static void add_bits(text *t, const char *name, int value) {
  for (int i = 0; i < PARTS; i++) text_add(t, value >> i & 1 ? " %s%d" : " (not %s%d)", name, i);
}

/* A program whose counter is kept in PARTS bits, with an assignment of its own at each of its places. */
static GIVE char *program_in_bits(void) {
  text t = {0}, declared = {0}, before = {0}, after = {0}, how = {0};
  text_add(&t, "(declare-fun P (Int");
  for (int i = 0; i < PARTS; i++) {
    text_add(&t, " Bool");
    text_add(&declared, "(b%d Bool) (c%d Bool) ", i, i);
    text_add(&before, " b%d", i);
    text_add(&after, " c%d", i);
  }
  for (int i = 0; i < 1 << PARTS; i++) {
    text_add(&how, " (=> (and");
    add_bits(&how, "b", i);
    text_add(&how, ") (and (= y (+ (* %d x) %d))", i + 2, i);
    add_bits(&how, "c", (i + 1) % (1 << PARTS));
    text_add(&how, "))");
  }
  text_add(&t, ") Bool)\n(assert (forall ((x Int) %s) (=> (and (= x 0)", declared.at);
  add_bits(&t, "b", 0);
  text_add(&t, ") (P x%s))))\n", before.at);
  text_add(&t, "(assert (forall ((x Int) (y Int) %s) (=> (and (P x%s)%s) (P y%s))))\n", declared.at, before.at, how.at,
           after.at);
  text_add(&t, "(assert (forall ((x Int) %s) (=> (and (P x%s) (< x 0)) false)))\n", declared.at, before.at);
  text_clear(&declared);
  text_clear(&before);
  text_clear(&after);
  text_clear(&how);
  return text_give(&t);
}

TEST(a_step_is_split_only_if_its_cases_say_less) {
  char *step = synchronous_step(), *program = program_in_bits();
  model *m = read_text(step);
  CHECK_NUMBER(m->transitions.count, 1);
  CHECK_NUMBER(inputs_of(m), PARTS);
  model_free(m);
  m = read_text(program);
  CHECK(m->transitions.count >= 1 << PARTS, "%zu", m->transitions.count);
  model_free(m);
  memory_free(step);
  memory_free(program);
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
    text_clear(&written);
    evidence_clear(&again);
    evidence_clear(&e);
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
  evidence_clear(&e);
  model_free(m);
  text_clear(&d.text);
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

/* Does the instance lead from (x, y) to (u, v)? */
static bool is_instance(const model *m, const clause *c, const number_vector *values, const int64_t *body,
                        const int64_t *head) {
  number_vector assignment = {0};
  for (size_t i = 0; i < variable_count(m->terms); i++) VECTOR_PUSH(assignment, number_of(0));
  for (size_t i = 0; i < c->variables.count; i++) assignment.at[c->variables.at[i].x] = values->at[i];
  bool right =
      values->count == c->variables.count && number_is(term_evaluate(m->terms, c->constraint, assignment.at), 1);
  for (size_t i = 0; i < 2; i++) {
    right &= number_is(term_evaluate(m->terms, c->body.at[0].arguments.at[i], assignment.at), body[i]);
    right &= number_is(term_evaluate(m->terms, c->head_arguments.at[i], assignment.at), head[i]);
  }
  VECTOR_FREE(assignment);
  return right;
}

/* A plan gives instances of the clause and nothing else, and all there are if equations give the variables. */
TEST(values_by_equations) {
  static const struct {
    const char *text;
    bool always; /* equations are enough */
  } cases[] = {
      {STEP("(= u (+ x 1)) (= v y)"), true},
      {STEP("(= (- u x) 1) (= (+ v z) y) (= z (* 2 x))"), true},
      {STEP("(= u (ite (> x y) x (+ y 1))) (= v (- y z)) (= z 1)"), true},
      {STEP("(= u (+ x 1)) (or (= v y) (= v (+ y 1)))"), true},
      {STEP("(= u x) (= v y) (> (* 2 z) x) (< (* 3 z) y)"), false},
      {STEP("(= u (* 2 z)) (= v z) (>= x 0)"), true},
  };
  for (size_t k = 0; k < ARRAY_LENGTH(cases); k++) {
    model *m = read_text(cases[k].text);
    const clause *c = NULL;
    for (size_t i = 0; m && i < m->clauses->clauses.count; i++)
      if (m->clauses->clauses.at[i].body.count && m->clauses->clauses.at[i].head != NO_PREDICATE)
        c = &m->clauses->clauses.at[i];
    CHECK(c, "case %zu", k);
    if (!c) continue;
    clause_plan *p = clause_plan_new(m->terms, c, true);
    size_t found = 0;
    for (int64_t n = 0; n < 6 * 6 * 6 * 6; n++) {
      int64_t body[] = {n % 6 - 2, n / 6 % 6 - 2}, head[] = {n / 36 % 6 - 2, n / 216 - 2};
      number_vector before = {0}, after = {0}, values = {0}, derived = {0};
      for (size_t i = 0; i < 2; i++) VECTOR_PUSH(before, number_of(body[i]));
      for (size_t i = 0; i < 2; i++) VECTOR_PUSH(after, number_of(head[i]));
      bool given = clause_plan_apply(p, &(const number_vector *){&before}, &after, &values, &derived), exists = given;
      if (given) CHECK(is_instance(m, c, &values, body, head), "case %zu, %d", k, (int)n);
      found += given;
      number_vector tried = {0};
      for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(tried, number_of(0));
      for (int64_t z = -8; z <= 8 && !exists && cases[k].always; z++) {
        /* by name: x, y, u, v and what is left */
        for (size_t i = 0; i < c->variables.count; i++) {
          char *name = clause_variable_name(m->terms, c->variables.at[i]);
          tried.at[i] = number_of(*name == 'x'   ? body[0]
                                  : *name == 'y' ? body[1]
                                  : *name == 'u' ? head[0]
                                  : *name == 'v' ? head[1]
                                                 : z);
          memory_free(name);
        }
        exists = is_instance(m, c, &tried, body, head);
      }
      CHECK(!cases[k].always || exists == given, "case %zu, %d", k, (int)n);
      VECTOR_FREE(tried);
      VECTOR_FREE(before);
      VECTOR_FREE(after);
      VECTOR_FREE(values);
      VECTOR_FREE(derived);
    }
    CHECK(found || !cases[k].always, "case %zu", k);
    clause_plan_free(p);
    model_free(m);
  }
}

/* ---- arguments that clauses can do without ---- */

/* Clauses with several atoms in a body are rewritten; these stay trees. */
#define TREE                                                                                                       \
  "(declare-fun T (Int) Bool)(assert (T 1))(assert (forall ((x Int) (y Int)) (=> (and (T x) (T y)) (T (+ x y)))))" \
  "(assert (forall ((x Int)) (=> (T x) (> x 0))))"

/* Which arguments of the first predicate are left out: `.` none, `-` nobody reads it, or the number of the one that it is equal to. */
static void expect_dropped(const char *clauses, const char *wanted) {
  diagnostics d = {0};
  char *content = text_format("(set-logic HORN)%s%s", clauses, TREE);
  model *m = input_read_text("arguments.smt2", content, strlen(content), &d);
  CHECK(m, "%s", text_string(&d.text));
  text got = {0};
  const clause_predicate *p = &m->clauses->predicates.at[0];
  for (uint32_t i = 0; i < p->parameters.count; i++) {
    char how = '.';
    const clause_predicate *after = &clauses_lowered(m->clauses)->predicates.at[0];
    for (size_t j = 0; j < after->dropped.count; j++) {
      dropped_argument gone = after->dropped.at[j];
      if (gone.argument == i) how = gone.same_as == NO_ARGUMENT ? '-' : (char)('0' + gone.same_as);
    }
    text_add_char(&got, how);
    CHECK(after->parameters.count + after->dropped.count == p->parameters.count);
  }
  CHECK(!strcmp(text_string(&got), wanted), "%s: %s, not %s", clauses, text_string(&got), wanted);
  text_clear(&got);
  text_clear(&d.text);
  model_free(m);
  memory_free(content);
}

#define P_OF(SORTS) "(declare-fun P (" SORTS ") Bool)"
#define FOR(VARIABLES, CLAUSE) "(assert (forall (" VARIABLES ") (=> " CLAUSE ")))"
#define XY "(x Int) (y Int)"
#define XYZ XY " (z Int)"

TEST(arguments_that_nobody_reads) {
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR(XY, "(P x y) (P (+ x 1) (+ y x))") FOR(XY, "(P x y) (> x 0)"),
                 ".-");
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR(XYZ, "(and (P x y) (= z (+ y 1))) (P (+ x 1) z)")
                     FOR(XY, "(P x y) (> x 0)"),
                 ".-");
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR(XYZ, "(and (P x y) (= (* 2 z) y)) (P (+ x 1) z)")
                     FOR(XY, "(P x y) (> x 0)"),
                 "..");
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR(XYZ, "(and (P x y) (= z (+ y 1)) (= z 5)) (P x z)")
                     FOR(XY, "(P x y) (> x 0)"),
                 "..");
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR("(x Int)", "(P x x) (P 2 x)") FOR(XY, "(P x y) (> x 0)"), "..");
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR("(x Int)", "(P x 3) (P 2 x)") FOR(XY, "(P x y) (> x 0)"), "..");
  expect_dropped(
      P_OF("Int Int") "(assert (P 0 1))" FOR(XYZ, "(and (P x y) (P y z)) (P z x)") FOR(XY, "(P x y) (> x 0)"), "..");
  expect_dropped(P_OF("Int Int") "(assert (P 0 1))" FOR(XYZ " (u Int)", "(and (P x y) (P z u)) (P (+ x z) u)")
                     FOR(XY, "(P x y) (> x 0)"),
                 ".-");
}

TEST(arguments_that_nobody_reads_of_other_sorts) {
  expect_dropped(P_OF("Int Bool") "(assert (P 0 true))" FOR("(x Int) (b Bool)", "(P x b) (P (+ x 1) (not b))")
                     FOR("(x Int) (b Bool)", "(P x b) (> x 0)"),
                 ".-");
  expect_dropped(P_OF("Int Bool") "(assert (P 0 true))" FOR("(x Int) (b Bool)", "(P x (not b)) (P (+ x 1) b)")
                     FOR("(x Int) (b Bool)", "(P x b) (> x 0)"),
                 "..");
  expect_dropped(P_OF("Int Real") "(assert (P 0 0.5))" FOR("(x Int) (k Int)", "(P x (to_real k)) (P (+ x 1) 1.0)")
                     FOR("(x Int) (r Real)", "(P x r) (> x 0)"),
                 "..");
  expect_dropped(P_OF("Int Real") "(assert (P 0 0.5))" FOR("(x Int) (r Real)", "(P x r) (P (+ x 1) (/ r 3.0))")
                     FOR("(x Int) (r Real)", "(P x r) (> x 0)"),
                 ".-");
}

#define SWITCH "(declare-datatype S ((on) (off)))"

/* That a variable is a value of its enumeration reads nothing; what a constant is compared with does. */
TEST(arguments_that_nobody_reads_of_enumerations) {
  expect_dropped(SWITCH P_OF("Int S") "(assert (P 0 on))" FOR("(x Int) (s S)", "(P x s) (P (+ x 1) s)")
                     FOR("(x Int) (s S)", "(P x s) (> x 0)"),
                 ".-");
  expect_dropped(SWITCH P_OF("Int S") "(assert (P 0 on))" FOR("(x Int) (s S)", "(and (P x s) (= s off)) (P (+ x 1) s)")
                     FOR("(x Int) (s S)", "(P x s) (> x 0)"),
                 "..");
  expect_dropped("(declare-fun P (Int Int) Bool)(declare-const c Int)(assert (P 0 1))" FOR(
                     "(x Int)", "(P x c) (P (+ x 1) c)") FOR(XY, "(P x y) (> x 0)"),
                 "..");
}

TEST(arguments_that_are_equal) {
  expect_dropped(
      P_OF("Int Int") "(assert (P 1 1))" FOR(XY, "(P x y) (P (+ x 1) (+ y 1))") FOR(XY, "(P x y) (> (+ x y) 0)"), ".0");
  expect_dropped(P_OF("Int Int Int") "(assert (P 1 2 1))" FOR(XYZ, "(P x y z) (P (+ x 1) (+ z y) (+ z 1))")
                     FOR(XYZ, "(and (P x y z) (< y 2)) (< x (+ y z))"),
                 "..0");
  expect_dropped(
      P_OF("Int Int") "(assert (P 1 1))" FOR(XY, "(P x y) (P (+ x 1) (+ y 2))") FOR(XY, "(P x y) (> (+ x y) 0)"), "..");
  expect_dropped(P_OF("Int Int") "(assert (P 1 2))" FOR(XY, "(P x y) (P x x)") FOR(XY, "(P x y) (> (+ x y) 0)"), "..");
  expect_dropped(P_OF("Int Int") FOR(XY, "(= x y) (P x y)")
                     FOR(XYZ " (u Int)", "(and (P x y) (= z (+ x 1)) (= u (+ y 1))) (P z u)")
                         FOR(XY, "(P x y) (> (+ x y) 0)"),
                 ".0");
  expect_dropped(P_OF("Bool Bool") "(assert (P true true))" FOR("(a Bool) (b Bool)", "(P a b) (P (not b) (not a))")
                     FOR("(a Bool) (b Bool)", "(P a b) (or a b)"),
                 ".0");
  expect_dropped(P_OF("Int Real") "(assert (P 1 1.0))" FOR("(x Int) (r Real)", "(P x r) (P (+ x 1) (+ r 1.0))")
                     FOR("(x Int) (r Real)", "(P x r) (= (to_real x) r)"),
                 "..");
}

TEST_MAIN
