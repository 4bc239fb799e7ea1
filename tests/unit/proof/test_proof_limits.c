/* Where the checker gives up, by name and never with a verdict: solvers that do not know, graphs and formulas that are larger than it
 * looks at. And the ways from a model to its clauses that come to nothing. */
#include <stdlib.h>
#include <unistd.h>

#include "base/instruments/log.h"
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "proof/clause_evidence.h"
#include "proof/clause_rewriting.h"
#include "proof/format/formats.h"
#include "proof/type_and_input_conditions.h"
#include "unit/input/input_helper.h"
#include "unit/proof/proof_models.h"
#include "unit/test.h"

/* An SMT-LIB 2 solver that gives these answers, one to a question, and then none but unknown. */
#define SOLVER(ANSWERS)                                                                                       \
  "set -- " ANSWERS                                                                                           \
  "; while read -r l; do case $l in *echo*) l=${l#*\\\"}; echo \"${l%%\\\"*}\";; "                            \
  "*check-sat*) echo ${1:-unknown}; [ $# = 0 ] || shift;; *get-info*) echo '(:reason-unknown incomplete)';; " \
  "esac; done"

static GIVE model *read_named(const char *name, const char *source) {
  diagnostics d = {0};
  model *m = input_read_text(name, source, strlen(source), &d);
  CHECK(m, "%s", text_string(&d.text));
  text_clear(&d.text);
  return m;
}

static void read_evidence(model *m, const char *certificate, size_t *property, evidence *e) {
  char *error = NULL;
  CHECK(certificate_read(m, certificate, strlen(certificate), property, e, &error), "%s", error);
  memory_free(error);
}

/* What is said of the certificate if `solver` (NULL: Z3) is asked. */
static void check_with(const char *name, const char *source, const char *certificate, const char *solver,
                       check_kind wanted, const char *words) {
  budget b = {0};
  evidence e = {0};
  size_t property = 0;
  model *m = read_named(name, source);
  read_evidence(m, certificate, &property, &e);
  check_result r = check_evidence(m, property, &e, &b, solver);
  CHECK(r.kind == wanted, "%s: %s", name, r.what ? r.what : "accepted");
  CHECK(strstr(r.what ? r.what : "accepted", words), "%s, not %s", r.what ? r.what : "accepted", words);
  memory_free(r.what);
  evidence_clear(&e);
  model_free(m);
}

static variable variable_at(const model *m, size_t i) { return m->variables.at[i].var; }

/* ---- solvers that do not know ---- */

#define META(PROPERTY) "{\"#meta\":{\"whet-certificate\":1,\"property\":\"" PROPERTY "\"},"
#define ROOT "var x : bool = false\naction a(v : int): v * v = 2 -> x := true\n"

/* No square is 2: Z3 knows, and the run ends where nothing can be done. */
TEST(whether_an_action_can_be_taken) {
  static const char stuck[] = META("deadlockfree") "\"states\":[{\"x\":false}]}";
  static const char idles[] = META("moves") "\"states\":[{\"x\":false}],\"loop\":0}";
  static const char deadlock[] = ROOT "deadlockfree", moves[] = ROOT "ltl moves: F x";
  check_with("root.whet", deadlock, stuck, NULL, CHECK_ACCEPTED, "accepted");
  check_with("root.whet", deadlock, stuck, SOLVER(""), CHECK_UNSURE, "last state: whether a can be taken: ");
  check_with("root.whet", deadlock, stuck, SOLVER("unsat"), CHECK_ACCEPTED, "accepted");
  check_with("root.whet", moves, idles, NULL, CHECK_ACCEPTED, "accepted");
  check_with("root.whet", moves, idles, SOLVER(""), CHECK_UNSURE, "state 0: whether a can be taken: ");
}

#define CIRCLE \
  "var x : 0..2 = 0\naction a: x < 2 -> x := x + 1\naction b: x = 2 -> x := 0\nltl low: G x < 2\nltl high: G x < 3\n"
#define QUOTIENT(PROPERTY, CLAIM, BLOCKS, EDGES)                                           \
  META(PROPERTY)                                                                           \
  "\"states\":[],\"quotient\":{\"exact\":true,\"claim\":\"" CLAIM "\",\"blocks\":[" BLOCKS \
  "],\"initial\":[0],"                                                                     \
  "\"edges\":[" EDGES "]}}"

TEST(quotients) {
  static const char fails[] =
      QUOTIENT("low", "fails", "\"(= |x| 0)\",\"(= |x| 1)\",\"(= |x| 2)\"", "[0,0,1],[1,0,2],[2,1,0]");
  static const char holds[] = QUOTIENT("high", "holds", "\"(< |x| 2)\",\"(= |x| 2)\"", "[0,0,0],[0,0,1],[1,1,0]");
  check_with("circle.whet", CIRCLE, fails, NULL, CHECK_ACCEPTED, "accepted");
  check_with("circle.whet", CIRCLE, fails, SOLVER(""), CHECK_UNSURE, "initial: solver process: unknown");
  check_with("circle.whet", CIRCLE, fails, SOLVER("unsat"), CHECK_UNSURE, "solver process: unknown");
  check_with("circle.whet", CIRCLE, holds, NULL, CHECK_REJECTED, "block 0: not all of it can step by a to block 0");
  check_with("circle.whet", CIRCLE, holds, SOLVER("unsat"), CHECK_UNSURE,
             "block 0: not all of it can step by a to block 0: ");
}

#define HORN                                                                                 \
  "(set-logic HORN)(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (P x))))" \
  "(assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ x 1))) (P y))))"                 \
  "(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))(check-sat)"

TEST(interpretations) {
  static const char model_of[] = "(define-fun P ((x Int)) Bool (>= x 0))";
  check_with("clauses.smt2", HORN, model_of, NULL, CHECK_ACCEPTED, "accepted");
  check_with("clauses.smt2", HORN, model_of, SOLVER(""), CHECK_UNSURE, "the clause at line 1, column ");
}

TEST(an_invariant) {
  check_with("up.whet", "var x : int = 0\nvar y : int = 1\naction a: true -> x := x + y\nsafe up: x + y > 0",
             "; whet certificate 1\n(set-info :whet-property \"up\")\n(define-fun inv ((|x| Int) (|y| Int)) Bool (and "
             "(<= 0 |x|) (< 0 |y|)))\n",
             NULL, CHECK_ACCEPTED, "accepted");
}

/* Whose lines are printed is read from the environment at the start: this program runs itself for one case. */
TEST(the_log_says_what_was_asked) {
#ifdef WHET_LOGS
  char program[4096], line[1000];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) SKIP("there is no /proc");
  program[length] = 0;
  char *command = text_format("WHET_LOG=check '%s' an_invariant 2>&1", program);
  FILE *out = popen(command, "r");
  bool found = false;
  while (out && fgets(line, sizeof line, out)) found |= strstr(line, " check: ") && strstr(line, ": holds");
  CHECK(out && pclose(out) == 0 && found);
  memory_free(command);
#else
  SKIP("this build has no logs");
#endif
}

/* ---- k-inductive invariants ---- */

/* What the checker says of `x < bound` and, of the file that is written, two other solvers. */
static void check_k_inductive(const char *source, const char *property, size_t depth, int64_t bound, check_kind wanted,
                              const char *words) {
  static const char *const others[] = {"z3 -smt2", "cvc5 --incremental"};
  model *m = read_named("k.whet", source);
  budget b = {0};
  evidence e = {.kind = EVIDENCE_K_INDUCTIVE, .depth = depth};
  size_t at = 0;
  char *error = NULL;
  CHECK(property_named(m, property, &at, &error), "%s", error);
  evidence_add_part(m->terms, &e,
                    term_lt(m->terms, term_of_variable(m->terms, variable_at(m, 0)), term_int(m->terms, bound)));
  check_result r = check_evidence(m, at, &e, &b, NULL);
  CHECK(r.kind == wanted && strstr(r.what ? r.what : "accepted", words), "%s", r.what ? r.what : "accepted");
  text written = {0};
  if (depth) certificate_write(m, at, &e, &written);
  for (size_t i = 0; i < ARRAY_LENGTH(others) && written.count && wanted != CHECK_UNSURE; i++)
    CHECK((ask_other(others[i], text_string(&written)) == OTHER_CONFIRMS) == (wanted == CHECK_ACCEPTED), "%s",
          others[i]);
  text_clear(&written);
  memory_free(r.what);
  evidence_clear(&e);
  model_free(m);
}

#define DIVIDES "var x : int = 1\nvar y : int = 5\naction a: x < 40 -> x := 5 - x, y := y / (6 - x)\n"

TEST(k_inductive_invariants) {
  check_k_inductive(DIVIDES, "no-runtime-error", 2, 6, CHECK_ACCEPTED, "accepted");
  check_k_inductive(DIVIDES, "no-runtime-error", 1, 6, CHECK_REJECTED, "holds after 1 states in which it holds");
  check_k_inductive(DIVIDES, "no-runtime-error", 2, 7, CHECK_REJECTED, "excludes faults of a");
  check_k_inductive(DIVIDES "deadlockfree", "deadlockfree", 1, 99, CHECK_REJECTED, "excludes deadlock");
  check_k_inductive("var x : int = 0\naction a: x < 7 -> x := 3 - x\ndeadlockfree", "deadlockfree", 2, 4,
                    CHECK_ACCEPTED, "accepted");
  check_k_inductive("var x : int = 0\naction a(v : int): v * v = 4 -> x := 0\ndeadlockfree", "deadlockfree", 1, 4,
                    CHECK_UNSURE, "excludes deadlock");
  check_k_inductive(DIVIDES, "no-runtime-error", 0, 6, CHECK_REJECTED, "a depth from 1 to ");
}

/* ---- graphs of heaps ---- */

#define LISTS "program {\n var p, q : node = null\n p := new;\n p.data := true;\n assert ok: true\n}"
#define HEAP "whet-heap 1\n(property \"ok\")\n(variables |p| |q|)\n"
#define EMPTY "(part true (at 0 0))\n"

/* A list of `count` nodes at q. */
static void add_list(text *out, size_t count) {
  text_add(out, "(part true (at 0 1)");
  for (size_t i = 1; i <= count; i++) text_add(out, " (node (data 0) (next %zu))", i < count ? i + 1 : 0);
  text_add(out, ")\n");
}

TEST(a_graph_without_room_for_a_node) {
  text full = {0};
  text_add(&full, HEAP);
  add_list(&full, 63);
  text_add(&full, EMPTY);
  check_with("lists.whet", LISTS, text_string(&full), NULL, CHECK_UNSURE, "too many nodes");
  text_clear(&full);
}

TEST(a_graph_with_more_nodes_than_there_can_be) {
  text full = {0};
  evidence e = {0};
  size_t property;
  char *error = NULL;
  text_add(&full, HEAP);
  text_add(&full, "(part true (at 0 1)");
  for (int i = 0; i < 64; i++) text_add(&full, " (node (data 0) (next 0))");
  text_add(&full, ")\n");
  model *m = read_named("lists.whet", LISTS);
  CHECK(!certificate_read(m, text_string(&full), full.count, &property, &e, &error));
  CHECK(error && strstr(error, "too many nodes"), "%s", error);
  memory_free(error);
  evidence_clear(&e);
  model_free(m);
  text_clear(&full);
}

/* The node of q leads to any of `count` others, of which none leads on. */
static void add_fan(text *out, const char *at, size_t first, size_t count) {
  text_add(out, "(part true (at %s)", at);
  if (first > 1) text_add(out, " (node (data 0 1) (next 0))");
  text_add(out, " (node (data 0) (next");
  for (size_t i = 0; i < count; i++) text_add(out, " %zu", first + 1 + i);
  text_add(out, "))");
  for (size_t i = 0; i < count; i++) text_add(out, " (node (data 0) (next 0))");
  text_add(out, ")\n");
}

/* Eleven nodes fit into ten in none of very many ways. */
TEST(more_ways_to_map_nodes_than_are_tried) {
  text many = {0};
  text_add(&many, HEAP);
  add_fan(&many, "0 1", 1, 11);
  add_fan(&many, "1 2", 2, 10);
  text_add(&many, EMPTY);
  check_with("lists.whet", LISTS, text_string(&many), NULL, CHECK_UNSURE, "too many ways to map nodes");
  text_clear(&many);
}

/* ---- sets of states ---- */

#define STATES(PROPERTY, VALUE) \
  "whet-states 1\nmodel m\nproperty " PROPERTY "\nvariables 1\nx\nnodes 1\n0 " VALUE ":0\nroot 1\n"

TEST(values_beyond_64_bits) {
  static const char source[] = "var x : int = 4000000000\naction a: true -> x := x + 1 / (x * x * x)\nsafe up: x > 0";
  check_with("large.whet", source, STATES("no-runtime-error", "4000000000..4000000001"), NULL, CHECK_UNSURE,
             "a: values beyond 64 bits");
}

/* Facts about a set: a variable that it does not list gets one value, whatever else is said adds nothing. */
TEST(facts_about_a_set_of_states) {
  static const char source[] =
      "var x : int = 7\nvar y : int = 3\nvar z : bool = true\naction a: y < 5 -> y := y + 1\nsafe s: x + y < 13 && z";
  model *m = read_named("facts.whet", source);
  evidence e = {.kind = EVIDENCE_STATES};
  budget b = {0};
  variable x = variable_at(m, 0), y = variable_at(m, 1), z = variable_at(m, 2);
  e.states = diagram_new(1, &y);
  diagram_builder *builder = diagram_builder_new(e.states);
  for (int64_t i = 3; i <= 5; i++) diagram_builder_add(builder, &i);
  diagram_builder_finish(builder);
  check_result r = check_evidence(m, 0, &e, &b, NULL);
  CHECK(r.kind != CHECK_ACCEPTED);
  memory_free(r.what);
  term facts[] = {fixed_term(m->terms, x, number_of(7)), fixed_term(m->terms, y, number_of(4)),
                  term_le(m->terms, term_of_variable(m->terms, y), term_int(m->terms, 9)),
                  fixed_term(m->terms, z, number_of(1))};
  evidence_add_facts(m->terms, &e, term_and_all(m->terms, ARRAY_LENGTH(facts), facts));
  CHECK(e.states->levels.count == 3 && diagram_count(e.states) == 3);
  r = check_evidence(m, 0, &e, &b, NULL);
  CHECK(r.kind == CHECK_ACCEPTED, "%s", r.what);
  memory_free(r.what);
  evidence_add_facts(m->terms, &e, TERM_TRUE);
  CHECK(e.states->levels.count == 3);
  evidence_clear(&e);
  model_free(m);
}

TEST(facts_about_no_state) {
  model *m = read_named("facts.whet", "var x : int = 7\naction a: true -> x := 7\nsafe s: x > 0");
  evidence e = {.kind = EVIDENCE_STATES, .states = diagram_new(0, NULL)};
  evidence_add_facts(m->terms, &e, fixed_term(m->terms, variable_at(m, 0), number_of(7)));
  CHECK(evidence_is_empty(&e) && e.states->levels.count == 1 && diagram_count(e.states) == 0);
  evidence_clear(&e);
  model_free(m);
}

/* No two values of x go with the same values of y, so that each needs a node of its own. */
TEST(a_diagram_of_many_nodes) {
  enum { VALUES = 2000 };
  model *m = read_named("many.whet", "var x : int = 0\nvar y : int = 0\naction a: true -> x := 0\nsafe s: x >= 0");
  variable levels[] = {variable_at(m, 0), variable_at(m, 1)};
  diagram *d = diagram_new(2, levels);
  diagram_builder *b = diagram_builder_new(d);
  for (int64_t i = 0; i < 2 * VALUES; i++) diagram_builder_add(b, (int64_t[]){i, i % VALUES * (i % VALUES)});
  diagram_builder_finish(b);
  CHECK(d->nodes.count == VALUES + 2, "%zu", (size_t)d->nodes.count);
  CHECK(diagram_count(d) == 2 * VALUES);
  for (int64_t i = 0; i < VALUES; i++) CHECK(diagram_has(d, (int64_t[]){VALUES + i, i * i}));
  CHECK(!diagram_has(d, (int64_t[]){2, 5}));
  diagram_free(d);
  model_free(m);
}

TEST(a_part_that_fixes_a_variable_twice) {
  model *m = read_named("twice.whet", "var x : int = 0\naction a: true -> x := 0\nsafe s: x >= 0");
  evidence e = {.kind = EVIDENCE_INVARIANT};
  term one = fixed_term(m->terms, variable_at(m, 0), number_of(1));
  evidence_add_part(m->terms, &e, term_and(m->terms, one, fixed_term(m->terms, variable_at(m, 0), number_of(2))));
  CHECK(e.parts.count == 1 && term_is_false(part_formula(m->terms, &e.parts.at[0])) && evidence_is_empty(&e));
  evidence_clear(&e);
  model_free(m);
}

/* A boolean has two values: what fixes a third one is false, as a formula and in a file. */
TEST(a_boolean_with_a_third_value) {
  model *m = read_named("third.whet", "var b : bool = true\naction a: true -> b := b\nsafe s: b");
  evidence e = {.kind = EVIDENCE_INVARIANT}, read = {0};
  invariant_part third = {.formula = TERM_TRUE};
  VECTOR_PUSH(third.fixed, (fixed_value){variable_at(m, 0), number_of(2)});
  VECTOR_PUSH(e.parts, third);
  evidence_add_part(m->terms, &e, term_of_variable(m->terms, variable_at(m, 0)));
  text written = {0};
  size_t property;
  certificate_write(m, 0, &e, &written);
  read_evidence(m, text_string(&written), &property, &read);
  CHECK(term_is_false(part_formula(m->terms, &e.parts.at[0])));
  CHECK(term_same(evidence_formula(m->terms, &read), evidence_formula(m->terms, &e)));
  text_clear(&written);
  evidence_clear(&e);
  evidence_clear(&read);
  model_free(m);
}

/* The first error of a line is the one that is named. */
TEST(a_file_that_ends_in_the_name_of_a_variable) {
  static const char cut[] = "whet-states 1\nmodel m\nproperty s\nvariables 1\nnone";
  model *m = read_named("cut.whet", "var b : bool = true\naction a: true -> b := b\nsafe s: b");
  evidence e = {0};
  size_t property;
  char *error = NULL;
  CHECK(!certificate_read(m, cut, strlen(cut), &property, &e, &error));
  CHECK_TEXT(error ? error : "", "5:5: expected the end of the line");
  memory_free(error);
  evidence_clear(&e);
  model_free(m);
}

/* ---- inputs ---- */

/* With more cases than are looked at what comes out only implies what was asked for. */
TEST(an_input_with_too_many_cases) {
  terms *ts = terms_new();
  type integer = {.sort = SORT_INT};
  variable v = variable_new(ts, "v", &integer), x = variable_new(ts, "x", &integer);
  for (int round = 0; round < 2; round++) {
    term_vector parts = {0};
    bool exact = true;
    for (int i = 0; i < (round ? 1400 : 14); i++)
      VECTOR_PUSH(parts, term_not(term_eq(ts, term_of_variable(ts, v),
                                          term_add(ts, term_of_variable(ts, x), term_int(ts, 3 * i)))));
    term some = condition_for_some(ts, term_and_all(ts, parts.count, parts.at), 1, &v, &exact);
    CHECK(!term_mentions(ts, some, v));
    CHECK(exact == !round);
    VECTOR_FREE(parts);
  }
  terms_free(ts);
}

/* ---- from a model to its clauses ---- */

static const char UNFOLDED[] =
    "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun U (Int) Bool)(assert (P 1))(assert (U 2))"
    "(assert (forall ((x Int) (y Int)) (=> (and (P x) (U y)) (P (+ x y)))))"
    "(assert (forall ((x Int)) (=> (and (P x) (= x 0)) false)))(check-sat)";

static void expect_no_evidence(const model *m, TAKE evidence *e, const char *words) {
  budget b = {0};
  char *why = clause_evidence(m, 0, e, &b);
  CHECK(why && strstr(why, words), "%s, not %s", why ? why : "evidence", words);
  CHECK(e->kind == EVIDENCE_NONE);
  memory_free(why);
  evidence_clear(e);
}

/* Atoms that stand for states which differ need not differ; and a step may be several clauses. */
TEST(a_k_inductive_property_is_not_always_an_interpretation) {
  const char *const texts[] = {HORN, UNFOLDED};
  for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
    model *m = read_named("clauses.smt2", texts[i]);
    evidence e = {.kind = EVIDENCE_K_INDUCTIVE, .depth = 2, .states_differ = i == 0};
    evidence_add_part(m->terms, &e, TERM_TRUE);
    expect_no_evidence(m, &e, "the property is 2-inductive");
    model_free(m);
  }
}

/* One initial state, from which no query can be derived. */
TEST(a_run_that_breaks_nothing_is_no_derivation) {
  model *m = read_named("clauses.smt2", HORN);
  evidence e = {.kind = EVIDENCE_TRACE};
  trace_step s = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(s.values, number_of(0));
  VECTOR_PUSH(e.steps, s);
  expect_no_evidence(m, &e, "no derivation was found for the run, beyond step ");
  model_free(m);
}

/* U is unfolded; with what P is said to be it can be nothing. */
TEST(no_formula_for_an_unfolded_predicate) {
  model *m = read_named("unfold.smt2", UNFOLDED);
  CHECK(m->clauses->rewritten && m->clauses->rewritten->treatments.at[1] == PREDICATE_UNFOLDED);
  for (int round = 0; round < 2; round++) {
    budget b = {0};
    evidence e = {.kind = EVIDENCE_INTERPRETATION};
    term x = term_of_variable(m->terms, m->clauses->predicates.at[0].parameters.at[0]);
    VECTOR_PUSH(e.interpretation,
                round ? term_gt(m->terms, x, term_int(m->terms, 0)) : term_eq(m->terms, x, term_int(m->terms, 1)));
    VECTOR_PUSH(e.interpretation, TERM_FALSE);
    char *why = clause_rewriting_back(m, 0, &e, &b);
    if (round)
      CHECK(!why && e.kind == EVIDENCE_INTERPRETATION && !term_is_false(e.interpretation.at[1]), "%s", why);
    else
      CHECK(why && strstr(why, "no formulas were found for predicates that were unfolded: there are none"), "%s",
            why ? why : "found");
    memory_free(why);
    evidence_clear(&e);
  }
  model_free(m);
}

TEST_MAIN
