/* Certificates that are refused, and why: a model, a text, and the words of the answer. What engines write never has
 * these faults; what somebody else writes may. */
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

typedef struct refused {
  const char *certificate;
  const char *wanted; /* how the answer begins, or is, after the place of an error */
} refused;

static GIVE model *read_named(const char *name, const char *source) {
  diagnostics d = {0};
  model *m = input_read_text(name, source, strlen(source), &d);
  CHECK(m, "%s", text_string(&d.text));
  text_clear(&d.text);
  return m;
}

/* What was read can be written, and reads as evidence for the same property, whatever it is worth; but for quotients by zero, which have no
 * name in texts. */
static void write_and_read(model *m, size_t property, const evidence *e) {
  text out = {0};
  evidence again = {0};
  size_t property_again;
  char *error = NULL;
  certificate_write(m, property, e, &out);
  bool is_read = certificate_read(m, out.at, out.count, &property_again, &again, &error);
  CHECK(is_read || strstr(text_string(&out), "by-zero!"), "%s: %s", error, text_string(&out));
  if (is_read) CHECK(property_again == property && again.kind == e->kind, "%s", text_string(&out));
  evidence_clear(&again);
  memory_free(error);
  text_clear(&out);
}

/* "error: ..", "accepted", "rejected: .." or "unsure: .." */
static GIVE char *answer_to(model *m, const char *certificate, budget *b) {
  static const char *const words[] = {
      [CHECK_ACCEPTED] = "accepted", [CHECK_REJECTED] = "rejected", [CHECK_UNSURE] = "unsure"};
  evidence e = {0};
  size_t property;
  char *error = NULL;
  if (!certificate_read(m, certificate, strlen(certificate), &property, &e, &error)) {
    const char *after = strchr(error, ' ');
    char *answer = text_format("error: %s", after ? after + 1 : error);
    memory_free(error);
    return answer;
  }
  check_result r = check_evidence(m, property, &e, b, NULL);
  char *answer = text_format("%s%s%s", words[r.kind], r.what ? ": " : "", r.what ? r.what : "");
  memory_free(r.what);
  write_and_read(m, property, &e);
  evidence_clear(&e);
  return answer;
}

static void check_all(const char *name, const char *source, size_t count, const refused *all) {
  for (size_t i = 0; i < count; i++) {
    budget b = {0};
    model *m = read_named(name, source);
    char *answer = m ? answer_to(m, all[i].certificate, &b) : memory_copy_string("");
    CHECK(strstr(answer, all[i].wanted), "%zu: %s, not %s", i, answer, all[i].wanted);
    memory_free(answer);
    model_free(m);
  }
}

#define CHECK_ALL(NAME, SOURCE, CASES) check_all(NAME, SOURCE, ARRAY_LENGTH(CASES), CASES)
#define META(PROPERTY, MORE) "{\"#meta\":{\"whet-certificate\":1,\"property\":\"" PROPERTY "\"" MORE "},"
#define INVARIANT(PROPERTY, PARAMETERS, FORMULA)                                                                     \
  "; whet certificate 1\n(set-info :whet-property \"" PROPERTY "\")\n(define-fun inv (" PARAMETERS ") Bool " FORMULA \
  ")\n"

/* ---- runs ---- */

#define DIVIDES                                                                                                       \
  "var x : int = 2\naction a: x < 3 -> x := 4 / (2 - x)\naction b: x > 5 -> x := x\naction b: x > 7 -> x := x\nsafe " \
  "low: x < 9"
#define FAULT(ACTION, INDEX) ",\"fault\":{\"action\":\"" ACTION "\",\"fault\":" INDEX "}"

TEST(runs) {
  static const refused cases[] = {
      {META("no-runtime-error", FAULT("a", "0")) "\"states\":[{\"x\":2}]}", "accepted"},
      {META("no-runtime-error", FAULT("a", "1")) "\"states\":[{\"x\":2}]}", "no such fault"},
      {META("no-runtime-error", FAULT("b", "0")) "\"states\":[{\"x\":2}]}", "error: "},
      {META("no-runtime-error", "") "\"states\":[{\"x\":2}]}", "error: no \"fault\""},
      {META("low", "") "\"states\":[{\"x\":2},{\"#meta\":{\"transition\":7},\"x\":2}]}", "error: no such transition"},
      {META("low", "") "\"states\":[{\"x\":2},{\"#meta\":{\"transition\":1,\"action\":\"a\"},\"x\":2}]}",
       "error: transition 1 is not called a"},
      {META("low", "") "\"states\":[{\"x\":2},{\"#meta\":{\"action\":\"b\"},\"x\":2}]}",
       "error: several transitions are called b"},
      {META("low", "") "\"states\":[{\"x\":2}]}", "rejected: last state: it does not violate low"},
      {META("\\u006c\\u006fw", "") "\"states\":[{\"x\":2}]}", "rejected: last state: it does not violate low"},
      {META("low\\u00zz", "") "\"states\":[{\"x\":2}]}", "error: expected four hexadecimal digits"},
      {META("low\\u0000", "") "\"states\":[{\"x\":2}]}", "error: a zero character in a string"},
      {META("low\\ud83d\\u0041", "") "\"states\":[{\"x\":2}]}", "error: expected the second half of a pair"},
      {META("\\u00e9\\u20ac\\ud83d\\ude00", "") "\"states\":[{\"x\":2}]}",
       "has no property called \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
      {META("low", ",\"other\":[null,{\"a\":[]}]") "\"states\":[{\"x\":2}]}", "rejected: last state"},
      {META("low", "") "\"other\":null}", "error: no \"states\""},
  };
  CHECK_ALL("runs.whet", DIVIDES, cases);
}

#define LISTS "program {\n var p, q : node = null\n p := new;\n p.data := true;\n p.next := p;\n assert ok: !p.data\n}"
#define FIRST(CELLS, P) "\"states\":[{\"#meta\":{\"heap\":[" CELLS "]},\"program\":\"line3\",\"p\":" P ",\"q\":0}]}"
#define EMPTY "\"states\":[{\"#meta\":{\"heap\":[]},\"program\":\"line3\",\"p\":0,\"q\":0}"
#define MADE(CELLS, P)                                                                                   \
  ",{\"#meta\":{\"action\":\"program.line3\",\"inputs\":{\"program.line3.data\":false},\"heap\":[" CELLS \
  "]},\"program\":\"line4\",\"p\":" P ",\"q\":0}"
#define MARKED(CELLS, P) \
  ",{\"#meta\":{\"action\":\"program.line4\",\"heap\":[" CELLS "]},\"program\":\"line5\",\"p\":" P ",\"q\":0}"
#define LINKED(CELLS) \
  ",{\"#meta\":{\"action\":\"program.line5\",\"heap\":[" CELLS "]},\"program\":\"line6\",\"p\":1,\"q\":0}"
#define CELL(VALUE, NEXT) "{\"value\":" VALUE ",\"pointers\":[" NEXT "]}"

TEST(runs_with_lists) {
  static const refused cases[] = {
      {META("ok", "") EMPTY MADE(CELL("0", "0"), "1") MARKED(CELL("1", "0"), "1") LINKED(CELL("1", "1")) "]}",
       "accepted"},
      {META("ok", "") EMPTY MADE(CELL("0", "0"), "1") MARKED(CELL("1", "0"), "1") LINKED(CELL("1", "0")) "]}",
       "rejected: step 3 (program.line5): the next node of node 1 is another"},
      {META("ok", "") EMPTY MADE(CELL("0", "0"), "1") MARKED(CELL("0", "0"), "1") "]}",
       "rejected: step 2 (program.line4): the data of node 1 is another"},
      {META("ok", "") EMPTY MADE(CELL("0", "0"), "1") MARKED(CELL("1", "0"), "0") "]}",
       "rejected: step 2 (program.line4): p is another node"},
      {META("ok", "") EMPTY MADE("", "0") "]}", "rejected: step 1 (program.line3): there are 0 nodes, not 1"},
      {META("ok", "") FIRST(CELL("0", "7"), "1"), "node 1 has no such next node"},
      {META("ok", "") FIRST(CELL("0", "0"), "5"), "p is no node"},
      {META("ok", "") EMPTY MADE("{\"colour\":1}", "1") "]}", "error: a node has a value and pointers"},
      {META("ok", "") EMPTY MADE("{\"value\":0,\"pointers\":[-1]}", "1") "]}", "error: no such node"},
      {INVARIANT("ok", "", "true"), "unsure: this evidence says nothing about the heap"},
  };
  CHECK_ALL("lists.whet", LISTS, cases);
}

/* ---- graphs of the heap ---- */

#define HEAP "whet-heap 1\n(property \"ok\")\n(variables |p| |q|)\n"

TEST(graphs_of_heaps) {
  static const refused cases[] = {
      {"whet-heap 2\n", "error: this certificate is of another version"},
      {"whet-heap 1\n(property \"ok\")\n(variables |q| |p|)\n", "error: expected p"},
      {HEAP "part", "error: expected a part"},
      {HEAP "(part true (at 1 0) (node (data 0) (next 0) large))",
       "error: expected summary, shared, reached, back or )"},
      {HEAP "(part true (at 1 0) (node (colour 0) (next 0)))", "error: expected data"},
      {HEAP "(part true (at 1 0) (node data (next 0)))", "error: expected ("},
      {HEAP "(part true (at 0 0))", "rejected: "},
      {HEAP "(part true (at 1 0) (node (data 0) (next 0 9)))", "rejected: "},
      {HEAP "(part true (at 1 0) (node (data 0) (next 0) summary (shared 0)))", "rejected: "},
      {HEAP "(part true)", "rejected: "},
  };
  static const refused elsewhere[] = {{HEAP, "error: the model has no heap"}};
  CHECK_ALL("lists.whet", LISTS, cases);
  CHECK_ALL("runs.whet", DIVIDES, elsewhere);
}

/* ---- quotients ---- */

#define CIRCLE                                                                                                         \
  "var x : 0..2 = 0\naction a: x < 2 -> x := x + 1\naction b: x = 2 -> x := 0\nltl live: G F x = 2\nctl some: EF x = " \
  "2\n"                                                                                                                \
  "safe low: x < 3\nltl far: X X X X X X X X X X X X X X x < 3"
#define QUOTIENT(PROPERTY, EXACT, CLAIM, BLOCKS, EDGES)                                         \
  META(PROPERTY, "")                                                                            \
  "\"states\":[],\"quotient\":{\"exact\":" EXACT ",\"claim\":\"" CLAIM "\",\"blocks\":[" BLOCKS \
  "],\"initial\":[0],\"edges\":[" EDGES "]}}"
#define THREE "\"(= |x| 0)\",\"(= |x| 1)\",\"(= |x| 2)\""
#define ROUND "[0,0,1],[1,0,2],[2,1,0]"

/* Every state of the one block can step by either action to it; what it is said to decide it does not. */
#define ALL "\"true\""
#define ITSELF "[0,0,0],[0,1,0]"

TEST(quotients) {
  static const refused cases[] = {
      {QUOTIENT("live", "true", "holds", THREE, ROUND ",[0,0,2]"),
       "rejected: block 0: no step by a leads to where an edge does"},
      {QUOTIENT("live", "false", "holds", ALL, ITSELF),
       "unsure: block 0 does not decide state formula 1 of the property"},
      {QUOTIENT("far", "true", "holds", THREE, ROUND),
       "unsure: the formula and the graph are too large to be looked at together"},
      {QUOTIENT("live", "true", "holds", THREE, ROUND), "accepted"},
      {QUOTIENT("live", "true", "holds", THREE, ROUND "],\"other\":[null"), "accepted"},
      {QUOTIENT("low", "true", "holds", THREE, ROUND), "unsure: a quotient is evidence for temporal properties only"},
      {QUOTIENT("live", "false", "fails", THREE, ROUND),
       "rejected: only an exact quotient shows that a property fails"},
      {QUOTIENT("some", "false", "holds", THREE, ROUND), "rejected: the quotient is not exact, and some"},
      {QUOTIENT("live", "true", "perhaps", THREE, ROUND), "error: expected \"holds\" or \"fails\""},
      {QUOTIENT("live", "true", "holds", "\"true true\"", ROUND), "error: expected one formula"},
      {QUOTIENT("live", "true", "holds", "\"(= |y| 0)\"", ROUND), "error: "},
      {QUOTIENT("live", "true", "holds", THREE, "[0,0,-1]"), "error: no such number"},
      {QUOTIENT("live", "true", "holds", THREE, "[0,0,9]"), "rejected: edge 0: no such block or transition"},
      {META("live", "") "\"states\":[{\"x\":0}],\"loop\":4}",
       "rejected: the loop starts at state 4, which is not there"},
      {META("live", "") "\"states\":[{\"x\":0}],\"loop\":0}", "rejected: the last state does not idle: it has a step"},
      {META("live", "") "\"states\":[{\"x\":0}]}", "rejected: the run has no loop"},
      {INVARIANT("live", "(|x| Int)", "true"), "unsure: this kind of evidence says nothing about temporal properties"},
  };
  CHECK_ALL("circle.whet", CIRCLE, cases);
}

TEST(quotients_and_fair_states) {
  static const refused cases[] = {
      {QUOTIENT("sure", "true", "holds", "\"true\"", "[0,0,0]"),
       "unsure: block 0 does not decide the states of a fairness condition"},
  };
  CHECK_ALL("fair.whet", "var x : bool\naction a: true -> x := !x\nfair when x\nltl sure: G true", cases);
}

/* ---- clauses ---- */

#define HORN                                                                                 \
  "(set-logic HORN)(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (P x))))" \
  "(assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ x 1))) (P y))))"                 \
  "(assert (forall ((x Int)) (=> (and (P x) (= x 1)) false)))(check-sat)"
#define DERIVATION "; whet derivation 2\n"

TEST(clauses) {
  static const refused cases[] = {
      {DERIVATION "(step 1 (P 0) () ((x 0)))(step 2 (P 1) (0) ((x 0) (y 1)))(step 3 false (1) ((x 1)))", "accepted"},
      {" \n" DERIVATION "(step 1 (P 0) () ((x 0)))", "rejected: the derivation does not end with a query"},
      {DERIVATION
       "(step 1 (P 0) () ((x 0)))(step 2 (P 1) (0) ((x 0) (y 1)))(step 3 false (1) ((x 1)))(step 1 (P 0) () ((x 0)))",
       "rejected: step 2 derives nothing, and is not the last"},
      {DERIVATION "(step 9 false () ())", "error: there is no clause of this number"},
      {DERIVATION "(step 1 (P 3) () ((x 0)))", "rejected: step 0 derives something other than it says"},
      {DERIVATION "(step 1 (P 0) () ())", "rejected: step 0"},
      {DERIVATION "(step 1 (P (+ 1)) () ((x 0)))", "error: expected -"},
      {DERIVATION "(step 1 (P |a|) () ((x 0)))", "error: expected a value"},
      {DERIVATION "(step 1 (P 0) () (x 0))", "error: expected a variable and its value"},
      {DERIVATION "(step 1 (P 0) (0) ((x 0)))", "error: expected the number of an earlier step"},
      {DERIVATION "(step 0 (P 0) () ((x 0)))", "error: there is no clause of this number"},
      {DERIVATION "(step 1 (P 0) () ((x 0)))(step 2 (P 1) () ((x 0) (y 1)))", "rejected: step 1"},
      {DERIVATION "(step 1 (P 0) () ((x 0)))(step 2 (P 1) (0 0) ((x 0) (y 1)))", "rejected: step 1"},
      {DERIVATION "(step 1 (P 0) () ((x 0)))(step 2 (P 2) (0) ((x 1) (y 2)))", "rejected: step 1"},
      {DERIVATION "(step 1 (P 0) 0 ((x 0)))", "error: expected the premises"},
      {"; whet derivation 1\n(step 1 (P 0) ((x 0)))", "error: "},
      {DERIVATION "(stop)", "error: expected a step"},
      {DERIVATION "(set-info :colour red)", "error: expected :whet-property"},
      {"sat (model (define-fun P ((x Int)) Bool (= x 0)))", "rejected: "},
      {"((define-fun P ((x Int)) Bool true) (declare-fun Q () Bool))", "error: expected define-fun"},
      {"(define-fun P ((x Int)) Bool true)(define-fun P ((x Int)) Bool true)", "error: `P` is defined twice"},
      {"(set-info :whet-property |nothing|)", "error: "},
      {"", "error: `P` is not defined"},
      {"(define-fun P () Bool true)", "error: `P` has 1 arguments"},
      {"(define-fun P ((x Bool)) Bool x)", "error: this argument of `P` is of sort Int"},
      {"(define-fun P ((x Int)) Bool (< (- x 1 1) 0))", "rejected: "},
      {DERIVATION "(step 1 (Q 0) () ((x 0)))", "error: there is no predicate of this name"},
  };
  CHECK_ALL("clauses.smt2", HORN, cases);
}

#define LIGHTS                                                                                   \
  "(set-logic HORN)(declare-datatype L ((red) (green)))(declare-fun P (L) Bool)(assert (P red))" \
  "(assert (forall ((l L)) (=> (P l) (P l))))(assert (forall ((l L)) (=> (P l) (= l red))))(check-sat)"
#define OF_LIGHT(FORMULA) "(define-fun P ((x L)) Bool " FORMULA ")"

/* Values of enumerations are numbers; there are none but those with a name. */
TEST(clauses_with_an_enumeration) {
  static const refused cases[] = {
      {OF_LIGHT("(= x red)"), "accepted"},
      {OF_LIGHT("((_ is red) x)"), "accepted"},
      {OF_LIGHT("(is-red x)"), "accepted"},
      {OF_LIGHT("(not (is-green x))"), "accepted"},
      {OF_LIGHT("(let ((x (ite (= x red) 0 1))) (< x 1))"), "accepted"},
      {OF_LIGHT("(is-green x)"), "rejected: the clause at line 1, column 77 is not valid"},
      {OF_LIGHT("true"), "rejected: "},
      {OF_LIGHT("(is-blue x)"), "error: there is no constructor blue"},
      {OF_LIGHT("((_ is x) x)"), "error: there is no constructor x"},
      {OF_LIGHT("((_ isnt red) x)"), "error: expected an operator"},
      {OF_LIGHT("((_ is red x) x)"), "error: expected )"},
      {OF_LIGHT("((_ is red) x x)"), "error: 3 arguments for is"},
      {OF_LIGHT("(= x blue)"), "error: unknown symbol blue"},
      {"(define-fun P ((x Int)) Bool (= x 0))", "error: this argument of `P` is of sort L"},
      {DERIVATION "(step 1 (P green) () ())", "rejected: step 0 derives something other than it says"},
      {DERIVATION "(step 1 (P blue) () ())", "error: expected a value"},
      {DERIVATION "(step 1 (P red) () ())(step 2 (P red) (0) ((l red)))(step 3 false (1) ((l red)))",
       "rejected: step 2, the clause at line 1, column 135, has a constraint that does not hold"},
      {DERIVATION "(step 1 (P 0) () ())(step 2 (P 0) (0) ((l 0)))",
       "rejected: the derivation does not end with a query"},
  };
  CHECK_ALL("lights.smt2", LIGHTS, cases);
}

/* A value that has no name makes no instance of a clause. */
TEST(values_outside_of_an_enumeration) {
  static const refused cases[] = {
      {DERIVATION "(step 1 (P 2) () ((l 2)))",
       "rejected: step 0, the clause at line 1, column 77, has a constraint that does not hold"},
      {DERIVATION "(step 1 (P 1) () ((l 1)))(step 2 false (0) ((l green)))", "accepted"},
  };
  CHECK_ALL("lights.smt2",
            "(set-logic HORN)(declare-datatype L ((red) (green)))(declare-fun P (L) Bool)"
            "(assert (forall ((l L)) (P l)))(assert (forall ((l L)) (=> (P l) (= l red))))(check-sat)",
            cases);
}

#define TREES                                                                                        \
  "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)(assert (P 1))(assert (Q 2))" \
  "(assert (forall ((x Int) (y Int)) (=> (and (P x) (Q y)) (P (+ x y)))))"                           \
  "(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y) (= (+ x y) 6)) false)))(check-sat)"
#define P1_Q2 DERIVATION "(step 1 (P 1) () ())(step 2 (Q 2) () ())"

TEST(clauses_with_several_atoms) {
  static const refused cases[] = {
      {P1_Q2 "(step 3 (P 3) (0 1) ((x 1) (y 2)))(step 4 false (2 2) ((x 3) (y 3)))", "accepted"},
      {P1_Q2 "(step 3 (P 3) (1 0) ((x 1) (y 2)))", "rejected: step 2"},
      {P1_Q2 "(step 3 (P 3) (0) ((x 1) (y 2)))", "rejected: step 2"},
      {P1_Q2 "(step 3 (P 3) (0 1 1) ((x 1) (y 2)))", "rejected: step 2"},
      {P1_Q2 "(step 3 (P 3) (0 2) ((x 1) (y 2)))", "error: expected the number of an earlier step"},
      {P1_Q2 "(step 3 (P 3) (0 1) ((x 2) (y 1)))", "rejected: step 2"},
      {P1_Q2 "(step 3 (P 3) (0 1) ((x 1) (y 2)))(step 4 false (2 0) ((x 3) (y 3)))", "rejected: step 3"},
      {P1_Q2 "(step 4 false (0 0) ((x 1) (y 1)))", "rejected: step 2"},
      {"(define-fun P ((x Int)) Bool (> x 0))(define-fun Q ((x Int)) Bool (> x 0))", "rejected: "},
      {"(define-fun P ((x Int)) Bool (= x 1))(define-fun Q ((x Int)) Bool (= x 2))", "rejected: "},
      {"(define-fun P ((x Int)) Bool (> x 0))(define-fun Q ((x Int)) Bool false)", "rejected: "},
  };
  CHECK_ALL("trees.smt2", TREES, cases);
}

/* The second atom of a body has its own value of a division by 0: this model is right for none but equal ones. */
TEST(division_by_zero_in_several_atoms) {
  static const refused cases[] = {
      {"(define-fun P ((x Int)) Bool (= (div x 0) x))", "unsure: "},
      {"(define-fun P ((x Int)) Bool (or (= x 0) (= (div x 0) (mod x 0) (- 1))))",
       "unsure: the clause at line 1, column 89 is not known to be valid whatever a division by 0 is"},
      {"(define-fun P ((x Int)) Bool (= x 0))", "accepted"},
  };
  CHECK_ALL("divisions.smt2",
            "(set-logic HORN)(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (P x))))"
            "(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (= x y))))(check-sat)",
            cases);
}

/* Whatever it is, one dividend divided by 0 is the same in both atoms of a body. */
TEST(division_by_zero_is_a_function) {
  static const refused cases[] = {
      {"(define-fun P ((x Int) (a Int)) Bool (= a (div x 0)))", "accepted"},
      {"(define-fun P ((x Int) (a Int)) Bool (= a (div (+ x a) 0)))", "unsure: "},
      {"(define-fun P ((x Int) (a Int)) Bool (= (ite (= a 0) 0 (div x a)) 3))", "rejected: "},
      {"(define-fun P ((x Int) (a Int)) Bool (and (= a 3) (= x (ite (= a 0) 0 (div x a)))))", "accepted"},
  };
  CHECK_ALL("function.smt2",
            "(set-logic HORN)(declare-fun P (Int Int) Bool)"
            "(assert (forall ((x Int) (a Int) (b Int)) (=> (and (P x a) (P x b)) (= a b))))(check-sat)",
            cases);
}

TEST(too_many_divisions) {
  text certificate = {0};
  budget b = {0};
  text_add(&certificate, "(define-fun P ((x Int)) Bool (= 0");
  for (int i = 0; i < 1002; i++) text_add(&certificate, " (div (+ x %d) x)", i);
  text_add(&certificate, "))");
  model *m = read_named("clauses.smt2", HORN);
  char *answer = answer_to(m, text_string(&certificate), &b);
  CHECK_TEXT(answer, "error: more than 1000 divisions by what may be 0");
  memory_free(answer);
  model_free(m);
  text_clear(&certificate);
}

TEST(clauses_about_reals) {
  static const refused cases[] = {
      {"(define-fun P ((x Real)) Bool (= (/ x 0.0) 1.0))", "error: / by what is no constant other than 0"},
      {"(define-fun P ((x Real)) Bool (= (/ x x) 1.0))", "error: / by what is no constant other than 0"},
      {"(define-fun P ((x Real)) Bool (= (/ x 2.0) 0.25))", "accepted"},
  };
  CHECK_ALL("real.smt2",
            "(set-logic HORN)(declare-fun P (Real) Bool)(assert (P 0.5))"
            "(assert (forall ((x Real)) (=> (P x) (< x 1.0))))(check-sat)",
            cases);
}

/* A derivation for one value of a constant, or with a division by 0, is none for all. */
TEST(derivations_that_prove_nothing) {
  static const refused constants[] = {{DERIVATION "(step 1 (P 1) () ((c 1)))(step 2 false (0) ((x 1)))",
                                       "unsure: the clause at line 1, column 64 is about a declared constant"}};
  static const refused divisions[] = {
      {DERIVATION "(step 1 (P 1) () ())(step 2 (P 0) (0) ((x 1) (y 0) (z 0) (by-zero 0)))(step 3 false (1) ((x 0)))",
       "unsure: step 1, the clause at line 1, column 57, divides by 0"},
      {DERIVATION "(step 1 (P 1) () ())(step 2 (P 0) (0) ((x 1) (y 2) (z 0) (by-zero 0)))(step 3 false (1) ((x 0)))",
       "accepted"}};
  CHECK_ALL("constant.smt2",
            "(set-logic HORN)(declare-fun P (Int) Bool)(declare-const c Int)(assert (P c))"
            "(assert (forall ((x Int)) (=> (P x) (not (= x 1)))))(check-sat)",
            constants);
  CHECK_ALL("division.smt2",
            "(set-logic HORN)(declare-fun P (Int) Bool)(assert (P 1))"
            "(assert (forall ((x Int) (y Int) (z Int)) (=> (and (P x) (= z (div x y))) (P z))))"
            "(assert (forall ((x Int)) (=> (P x) (not (= x 0)))))(check-sat)",
            divisions);
}

#define TWO                                                                                                  \
  "(declare-fun x () Int)(declare-fun x.next () Int)(define-fun .x () Int (! x :next x.next))"               \
  "(define-fun .i () Bool (! (= x 0) :init true))(define-fun .t () Bool (! (= x.next (+ x 1)) :trans true))" \
  "(define-fun .a () Bool (! (< x 1) :invar-property 0))(define-fun .b () Bool (! (< x 1) :invar-property 1))"
#define UP_TO_ONE "(step 1 (state 0) () ((x 0)))(step 2 (state 1) (0) ((x 0) (x.next 1)))"

TEST(clauses_of_several_properties) {
  static const refused cases[] = {
      {DERIVATION "(set-info :whet-property |invar0|)" UP_TO_ONE "(step 3 false (1) ((x 1)))", "accepted"},
      {DERIVATION "(set-info :whet-property |invar0|)" UP_TO_ONE "(step 4 false (1) ((x 1)))",
       "rejected: the derivation ends with a query of another property"},
      {DERIVATION UP_TO_ONE "(step 3 false (1) ((x 1)))",
       "error: no (set-info :whet-property ..) says which property it is about"},
  };
  CHECK_ALL("two.vmt", TWO, cases);
}

/* ---- what is made by hand, not read ---- */

static GIVE char *answer_about(const model *m, size_t property, const evidence *e) {
  budget b = {0};
  check_result r = check_evidence(m, property, e, &b, NULL);
  CHECK(r.kind != CHECK_ACCEPTED);
  return r.what ? r.what : memory_copy_string("accepted");
}

static void check_made(const char *name, const char *source, void (*make)(model *, evidence *), const char *wanted) {
  model *m = read_named(name, source);
  evidence e = {0};
  make(m, &e);
  char *answer = answer_about(m, 0, &e);
  CHECK(strstr(answer, wanted), "%s, not %s", answer, wanted);
  memory_free(answer);
  evidence_clear(&e);
  model_free(m);
}

static void make_nothing(model *m, evidence *e) { (void)m, (void)e; }

static void make_no_interpretation(model *m, evidence *e) {
  (void)m;
  e->kind = EVIDENCE_INTERPRETATION;
}

static variable stranger(model *m) {
  type any = {.sort = SORT_INT};
  return variable_fresh(m->terms, "stranger", &any);
}

static void make_strange_interpretation(model *m, evidence *e) {
  e->kind = EVIDENCE_INTERPRETATION;
  VECTOR_PUSH(e->interpretation, term_eq(m->terms, term_of_variable(m->terms, stranger(m)), term_int(m->terms, 0)));
}

static void make_strange_step(model *m, evidence *e) {
  (void)m;
  e->kind = EVIDENCE_DERIVATION;
  VECTOR_PUSH(e->derivation, (derivation_step){.clause = 99});
}

static void make_strange_invariant(model *m, evidence *e) {
  e->kind = EVIDENCE_INVARIANT;
  evidence_add_part(m->terms, e, term_lt(m->terms, term_of_variable(m->terms, stranger(m)), term_int(m->terms, 5)));
}

static void make_strange_value(model *m, evidence *e) {
  e->kind = EVIDENCE_INVARIANT;
  evidence_add_part(m->terms, e, fixed_term(m->terms, stranger(m), number_of(3)));
}

static void make_number(model *m, evidence *e) {
  e->kind = EVIDENCE_INVARIANT;
  VECTOR_PUSH(e->parts, (invariant_part){.formula = term_int(m->terms, 7)});
}

static void make_run(evidence *e, uint32_t transition) {
  e->kind = EVIDENCE_TRACE;
  for (int i = 0; i < 2; i++) {
    trace_step s = {.transition = transition};
    VECTOR_PUSH(s.values, number_of(2));
    VECTOR_PUSH(e->steps, s);
  }
}

static void make_strange_run(model *m, evidence *e) { make_run(e, (uint32_t)m->transitions.count); }

static void make_short_state(model *m, evidence *e) {
  (void)m;
  make_run(e, 0);
  e->steps.at[0].values.count = 0;
}

TEST(evidence_of_another_form) {
  check_made("runs.whet", DIVIDES, make_strange_run, "step 1: no such transition");
  check_made("runs.whet", DIVIDES, make_short_state, "state 0");
  check_made("runs.whet", DIVIDES, make_nothing, "there is no evidence");
  check_made("clauses.smt2", HORN, make_no_interpretation, "not every predicate is interpreted");
  check_made("clauses.smt2", HORN, make_strange_interpretation, "`P` speaks of more than its arguments");
  check_made("clauses.smt2", HORN, make_strange_step, "step 0 is of no clause");
  check_made("runs.whet", DIVIDES, make_no_interpretation, "the model was not made from clauses");
  check_made("clauses.smt2", HORN, make_strange_value, "it is not about the clauses that were read");
  check_made("runs.whet", DIVIDES, make_strange_invariant, "which is no state variable");
  check_made("runs.whet", DIVIDES, make_strange_value, "stranger");
  check_made("runs.whet", DIVIDES, make_number, "part 1 is no formula");
  check_made("lists.whet", LISTS, make_number, "this evidence says nothing about the heap");
}

TEST(nothing_is_proved_inductive_with_a_heap) {
  model *m = read_named("lists.whet", LISTS);
  evidence e = {.kind = EVIDENCE_INVARIANT};
  budget b = {0};
  evidence_add_part(m->terms, &e, TERM_TRUE);
  check_result r = check_inductive(m, &e, &b);
  CHECK(r.kind == CHECK_UNSURE && !strcmp(r.what, "it says nothing about the heap"));
  memory_free(r.what);
  evidence_clear(&e);
  model_free(m);
}

/* Faults that a run may be said to end with: there is one, of the first transition, when x is 2. */
TEST(strange_faults) {
  static const struct {
    uint32_t transition, fault;
    int64_t x;
    const char *wanted;
  } cases[] = {{0, 0, 2, "accepted"},
               {9, 0, 2, "last state: no such transition"},
               {0, 9, 2, "last state: a has no such fault"},
               {0, 0, 1, "last state: a does not have this fault"}};
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
    char *source = text_format("var x : int = %d\naction a: x < 3 -> x := 4 / (2 - x)", (int)cases[i].x);
    model *m = read_named("faults.whet", source);
    evidence e = {.kind = EVIDENCE_TRACE, .fault_transition = cases[i].transition, .fault = cases[i].fault};
    trace_step s = {0};
    budget b = {0};
    VECTOR_PUSH(s.values, number_of(cases[i].x));
    VECTOR_PUSH(e.steps, s);
    check_result r = check_evidence(m, 0, &e, &b, NULL);
    CHECK(strstr(r.what ? r.what : "accepted", cases[i].wanted), "%zu: %s", i, r.what ? r.what : "accepted");
    memory_free(r.what);
    evidence_clear(&e);
    model_free(m);
    memory_free(source);
  }
}

/* A budget that is spent before the check begins settles nothing. */
TEST(a_spent_budget_is_unsure) {
  static const char *const certificates[] = {
      INVARIANT("low", "(|x| Int)", "(and (<= 0 |x|) (<= |x| 2))"),
      META("low", "") "\"states\":[{\"x\":0},{\"#meta\":{\"action\":\"a\"},\"x\":1}]}",
      QUOTIENT("live", "true", "holds", THREE, ROUND)};
  for (size_t i = 0; i < ARRAY_LENGTH(certificates); i++) {
    atomic_bool stop = true;
    budget b = {.stop = &stop};
    model *m = read_named("circle.whet", CIRCLE);
    char *answer = answer_to(m, certificates[i], &b);
    CHECK(!strncmp(answer, "unsure: ", 8), "%zu: %s", i, answer);
    memory_free(answer);
    model_free(m);
  }
}

TEST_MAIN
