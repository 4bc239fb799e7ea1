/* What models mean once they are read: steps are run on states, by hand-computed tables. */
#include "term/print.h"
#include "unit/input/input_helper.h"
#include "unit/step_helper.h"
#include "unit/test.h"

static void check_step(const model *m, const char *name, const char *state, const char *inputs, const char *wanted) {
  char *got = step_text(m, name, state, inputs);
  CHECK(!strcmp(got, wanted), "%s in %s: got `%s`, wanted `%s`", name, state, got, wanted);
  memory_free(got);
}

/* A table of conditions over x, y, z : int and a, b, c : bool. */
static void check_conditions(const char *const (*table)[3], size_t count) {
  model *m = read_good_model("var x, y, z : int var a, b, c : bool const K = 5 var s : {N, W, C} safe p: true");
  for (size_t i = 0; i < count; i++) {
    const char *got = condition_text(m, read_condition(m, table[i][0]), table[i][1]);
    CHECK(!strcmp(got, table[i][2]), "%s in %s is %s", table[i][0], table[i][1], got);
  }
  model_free(m);
}

TEST(precedence) {
  static const char *const table[][3] = {
      {"x + y * z = 7", "x=1 y=2 z=3", "true"},
      {"(x + y) * z = 9", "x=1 y=2 z=3", "true"},
      {"x - y - z = -4", "x=1 y=2 z=3", "true"},
      {"x - (y - z) = 2", "x=1 y=2 z=3", "true"},
      {"24 / x / y = 6", "x=2 y=2", "true"},
      {"24 / x * y = 24", "x=2 y=2", "true"},
      {"-x * y = -6", "x=2 y=3", "true"},
      {"- -x = 2", "x=2", "true"},
      {"x - -y = 5", "x=2 y=3", "true"},
      {"!x = y", "x=2 y=3", "true"},
      {"!a && b", "a=true b=true", "false"},
      {"!!a", "a=true", "true"},
      {"a || b && c", "a=true", "true"},
      {"(a || b) && c", "a=true", "false"},
      {"a => b => c", "a=false b=true c=false", "true"},
      {"(a => b) => c", "a=false b=true c=false", "false"},
      {"a <=> b <=> c", "a=true b=false c=false", "true"},
      {"a <=> b || c", "a=true b=false c=true", "true"},
      {"a = !b", "a=true b=false", "true"},
      {"a = !b && c", "a=true b=false c=false", "false"},
      {"a != b", "a=true b=false", "true"},
      {"x == y", "x=2 y=2", "true"},
      {"(if a then x else y + 1) = 3", "x=3 y=5 a=true", "true"},
      {"(if a then x else y + 1) = 6", "x=3 y=5", "true"},
      {"(if a then 1 else if b then 2 else if c then 3 else 4) = 3", "c=true", "true"},
      {"(if a then 1 else if b then 2 else if c then 3 else 4) = 4", "", "true"},
      {"1 + (if a then x else y) + 1 = 6", "x=3 y=4", "true"},
      {"min(x, y, z) = 1 && max(x, y, z) = 3", "x=2 y=1 z=3", "true"},
      {"abs(x - y) = 4", "x=-1 y=3", "true"},
      {"a = (x < y)", "x=2 y=3 a=true", "true"},
      {"s = W", "s=W", "true"},
      {"K + x > 5", "x=1", "true"},
      {"forall i : 1..3 . x != i", "x=4", "true"},
      {"forall i : 1..3 . x != i", "x=2", "false"},
      {"exists i : 1..3 . x = i", "x=3", "true"},
      {"exists i : 1..3, j : i + 1..3 . x = 10 * i + j", "x=23", "true"},
      {"exists i : 1..3, j : i + 1..3 . x = 10 * i + j", "x=22", "false"},
      {"exists i, j : 1..2 . x = 10 * i + j", "x=22", "true"},
      {"forall i : 3..2 . false", "", "true"},
      {"exists i : 3..2 . true", "", "false"},
      {"(sum i : 1..4 . i * x) = 20", "x=2", "true"},
      {"(sum i : 2..1 . i) = 0", "", "true"},
      {"forall i : 1..2 . exists j : 1..2 . x = i + j || y = i", "x=2 y=2", "true"},
      {"123456789012345678901234567890 > x", "x=5", "overflow"},
  };
  check_conditions(table, ARRAY_LENGTH(table));
}

TEST(division_is_euclidean) {
  static const char *const table[][3] = {
      {"x / y = -4 && x % y = 1", "x=-7 y=2", "true"}, {"x / y = 4 && x % y = 1", "x=-7 y=-2", "true"},
      {"x / y = -3 && x % y = 1", "x=7 y=-2", "true"}, {"x / y = 3 && x % y = 1", "x=7 y=2", "true"},
      {"x / y = 0 && x % y = 7", "x=7 y=0", "true"},   {"x / 3 = -3 && x % 3 = 2", "x=-7", "true"},
  };
  check_conditions(table, ARRAY_LENGTH(table));
}

TEST(actions) {
  model *m = read_good_model(
      "var x, y : int var st : {N, W, C} var b : bool\n"
      "action add: x > 0 -> x := x + 1, y := x\n"
      "action swap: x > y -> x, y := y, x\n"
      "action skip: true -> ;\n"
      "action pick(i : nat, c : bool): x < i && c -> x := i\n"
      "action any: true -> x := *, st := *\n"
      "action mixed: b -> x, y := y, x, b := false, st := if x > 0 then W else C\n"
      "safe p: true");
  check_step(m, "add", "x=3", "", "x=4 y=3");
  check_step(m, "add", "x=0", "", "disabled");
  check_step(m, "swap", "x=3 y=1", "", "x=1 y=3");
  check_step(m, "skip", "x=3 y=1", "", "");
  check_step(m, "pick", "x=3", "5 1", "x=5");
  check_step(m, "pick", "x=3", "5 0", "disabled");
  check_step(m, "any", "x=3", "-5 2", "x=-5 st=C");
  check_step(m, "mixed", "x=3 y=1 b=true", "", "x=1 y=3 st=W b=false");
  CHECK(m->transitions.at[3].inputs.count == 2);
  CHECK_TEXT(variable_name(m->terms, m->transitions.at[3].inputs.at[0]), "pick.i");
  CHECK(variable_type(m->terms, m->transitions.at[4].inputs.at[1])->name_count == 3);
  CHECK(m->properties.count == 1, "no step can fail");
  model_free(m);
}

TEST(values_that_leave_their_type) {
  model *m = read_good_model(
      "var n : nat = 0 var r : 0..7 var x : int\n"
      "action down: true -> n := n - 1\n"
      "action safe_down: n >= 1 -> n := n - 1\n"
      "action up: true -> r := r + 1\n"
      "action far: x > 0 -> r := x\n"
      "action same: true -> n := r\n"
      "safe p: true");
  check_step(m, "down", "n=1", "", "n=0");
  check_step(m, "down", "n=0", "", "fault: n := n - 1 becomes negative");
  check_step(m, "safe_down", "n=0", "", "disabled");
  check_step(m, "up", "r=7", "", "fault: r := r + 1 leaves 0..7");
  check_step(m, "far", "x=8", "", "fault: r := x leaves 0..7");
  check_step(m, "far", "x=-1", "", "disabled");
  CHECK(m->transitions.at[1].faults.count == 0, "the guard excludes it");
  CHECK(m->transitions.at[4].faults.count == 0, "the type excludes it");
  CHECK_TEXT(m->properties.at[m->properties.count - 1].name, "no-runtime-error");
  CHECK(m->transitions.at[0].faults.at[0].place.line == 2);
  model_free(m);
}

TEST(evaluation_stops_where_the_result_is_known) {
  model *m = read_good_model(
      "var x, y, r : int\n"
      "define q = x / y\n"
      "action plain: x / y > 1 ->\n"
      "action and: y != 0 && x / y > 1 ->\n"
      "action and_late: x / y > 1 && y != 0 ->\n"
      "action or: y = 0 || x / y > 1 ->\n"
      "action implies: y != 0 => x / y > 1 ->\n"
      "action conditional: true -> r := if y = 0 then 0 else x / y\n"
      "action conditional_condition: true -> r := if x / y = 0 then 0 else 1\n"
      "action defined: y != 0 && q > 1 ->\n"
      "action defined_late: q > 1 ->\n"
      "action update: y > 0 -> r := x / y\n"
      "action update_late: true -> r := x % y\n"
      "action forall_ok: forall i : 1..2 . y != 0 => x / y > i ->\n"
      "action nested: y != 0 && (x = 1 || x / y = 2 && (if x > 2 then x / y else 5) > 0) ->\n"
      "safe p: true");
  check_step(m, "plain", "x=4 y=2", "", "");
  check_step(m, "plain", "x=4", "", "fault: division by zero in x / y");
  check_step(m, "and", "x=4", "", "disabled");
  check_step(m, "and_late", "x=4", "", "fault: division by zero in x / y");
  check_step(m, "or", "x=4", "", "");
  check_step(m, "implies", "x=4", "", "");
  check_step(m, "conditional", "x=4 r=3", "", "r=0");
  check_step(m, "conditional_condition", "x=4", "", "fault: division by zero in x / y");
  check_step(m, "defined", "x=4", "", "disabled");
  check_step(m, "defined_late", "x=4", "", "fault: division by zero in x / y");
  check_step(m, "update", "x=4", "", "disabled");
  check_step(m, "update_late", "x=4", "", "fault: division by zero in x % y");
  check_step(m, "forall_ok", "x=4", "", "");
  check_step(m, "nested", "x=4", "", "disabled");
  const char *const never[] = {"and", "or", "implies", "conditional", "defined", "forall_ok", "nested"};
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < ARRAY_LENGTH(never); j++)
      if (!strcmp(m->transitions.at[i].name, never[j]))
        CHECK(m->transitions.at[i].faults.count == 0, "%s cannot fail", never[j]);
  model_free(m);
}

TEST(arrays) {
  model *m = read_good_model(
      "var a : int[1..3] = 0 var b : bool[0..1] var g : 0..5[1..2][-1..1] var i, j, x : int var k : 1..3\n"
      "action read: true -> x := a[i]\n"
      "action read_in: true -> x := a[k]\n"
      "action write: true -> a[i] := x\n"
      "action write_in: true -> a[k] := a[k] + 1\n"
      "action swap: true -> a[k], a[j] := a[j], a[k]\n"
      "action flag: !b[i] -> b[i] := true\n"
      "action grid: true -> g[i][j] := g[1][0] + 1\n"
      "action last: true -> a[i] := 1, a[2] := 7\n"
      "action wrong: x = 1 -> a[4] := 1\n"
      "safe sorted: forall n : 1..3 . n < 3 => a[n] <= a[n + 1]\n"
      "safe total: a[i] = 0");
  check_step(m, "read", "i=2 a[2]=5", "", "x=5");
  check_step(m, "read", "i=0", "", "fault: the index of a[i] is outside 1..3");
  check_step(m, "read", "i=4", "", "fault: the index of a[i] is outside 1..3");
  check_step(m, "read_in", "k=3 a[3]=5", "", "x=5");
  check_step(m, "write", "i=1 x=9", "", "a[1]=9");
  check_step(m, "write", "i=3 x=9", "", "a[3]=9");
  check_step(m, "write", "i=-1", "", "fault: the index of a[i] is outside 1..3");
  check_step(m, "write_in", "k=2 a[2]=4", "", "a[2]=5");
  check_step(m, "swap", "k=1 j=3 a[1]=4 a[3]=6", "", "a[1]=6 a[3]=4");
  check_step(m, "swap", "k=2 j=2 a[2]=4", "", "");
  check_step(m, "flag", "i=1", "", "b[1]=true");
  check_step(m, "flag", "i=1 b[1]=true", "", "disabled");
  check_step(m, "flag", "i=2", "", "fault: the index of b[i] is outside 0..1");
  check_step(m, "grid", "i=2 j=-1 g[1][0]=3", "", "g[2][-1]=4");
  check_step(m, "grid", "i=2 j=-1 g[1][0]=5", "", "fault: g[i][j] := g[1][0] + 1 leaves 0..5");
  check_step(m, "grid", "i=2 j=2", "", "fault: the index of g[i][j] is outside -1..1");
  check_step(m, "grid", "i=3 j=0", "", "fault: the index of g[i] is outside 1..2");
  check_step(m, "last", "i=1", "", "a[1]=1 a[2]=7");
  check_step(m, "last", "i=2", "", "a[2]=7");
  check_step(m, "wrong", "x=1", "", "fault: the index of a[4] is outside 1..3");
  check_step(m, "wrong", "", "", "disabled");
  CHECK(m->transitions.at[1].faults.count == 0);
  CHECK_TEXT(condition_text(m, m->properties.at[0].bad, "a[1]=1 a[2]=2 a[3]=2"), "false");
  CHECK_TEXT(condition_text(m, m->properties.at[0].bad, "a[1]=1 a[2]=3 a[3]=2"), "true");
  CHECK_TEXT(condition_text(m, m->properties.at[1].bad, "i=9 a[1]=1 a[2]=1 a[3]=1"), "false");
  CHECK(m->variables.count == 3 + 2 + 6 + 4);
  model_free(m);
}

#define LAST "9223372036854775807"

/* Indices at the end of 64 bits. */
TEST(largest_indices) {
  model *m = read_good_model("var a : int[9223372036854775806.." LAST
                             "] = 0 var x : int = 0\n"
                             "process P[i : 9223372036854775806.." LAST
                             "] { var z : int = 0 states s, t  go: s -> t : z := i }\n"
                             "action set: true -> a[x] := 1  fair P[" LAST "].go  safe p: a[" LAST "] <= 1 && P[" LAST
                             "].z >= 0");
  CHECK(m->fairness.count == 1 && m->fairness.at[0].transitions.count == 1);
  const char *state = "x=" LAST;
  char *got = step_text(m, "set", state, "");
  CHECK(strstr(got, "a[" LAST "]=1"), "%s", got);
  CHECK(!strcmp(condition_text(m, read_condition(m, "a[" LAST "] = 0 && P[" LAST "].z = 0 && P[" LAST "] at s"), state),
                "true"));
  memory_free(got);
  model_free(m);
}

TEST(processes) {
  model *m = read_good_model(
      "const N = 3 var t, s, k : int = 0\n"
      "process P[i : 1..N] {\n"
      "  var a : nat = i\n"
      "  states idle, waiting, critical\n"
      "  take: idle -> waiting : a := t, t := t + 1\n"
      "  enter: waiting -> critical when a <= s\n"
      "  pass: waiting -> idle (d : 0..3) when i < N && d > 0 && P[i + 1] at critical : a := P[i + 1].a + d\n"
      "  critical -> idle when at critical\n"
      "}\n"
      "process Q { states x, y  x -> y when P[k] at idle : s := P[k].a }\n"
      "safe mutex: forall i : 1..N, j : 1..N . i != j => !(P[i] at critical && P[j] at critical)");
  CHECK(m->processes.count == 4);
  CHECK_TEXT(m->processes.at[1].name, "P[2]");
  CHECK_TEXT(m->transitions.at[3].name, "P[1].critical->idle");
  check_step(m, "P[2].take", "t=4", "", "t=5 P[2]=waiting P[2].a=4");
  check_step(m, "P[2].take", "P[2]=waiting", "", "disabled");
  check_step(m, "P[1].enter", "P[1]=waiting P[1].a=3 s=3", "", "P[1]=critical");
  check_step(m, "P[1].pass", "P[1]=waiting P[2]=critical P[2].a=5", "2", "P[1]=idle P[1].a=7");
  check_step(m, "P[1].pass", "P[1]=waiting P[2]=idle P[2].a=5", "2", "disabled");
  check_step(m, "P[3].pass", "P[3]=waiting", "2", "disabled");
  check_step(m, "Q.x->y", "k=2 P[2].a=6", "", "s=6 Q=y");
  check_step(m, "Q.x->y", "k=2 P[2]=waiting", "", "disabled");
  check_step(m, "Q.x->y", "k=4", "", "fault: the index of P[k] is outside 1..3");
  CHECK(term_same(
      m->init, read_condition(m,
                              "t = 0 && s = 0 && k = 0 && P[1] at idle && P[1].a = 1 && P[2] at idle && P[2].a = 2 &&"
                              "P[3] at idle && P[3].a = 3 && Q at x")));
  CHECK(term_same(m->properties.at[0].bad,
                  read_condition(m,
                                 "P[1] at critical && P[2] at critical || P[1] at critical && P[3] at critical ||"
                                 "P[2] at critical && P[3] at critical")));
  model_free(m);
}

TEST(initial_states) {
  model *m = read_good_model(
      "const K : 2..9 const L : int const B : bool var u : nat var v : int var w : 1..4 = 3 var z : 0..5 = K var a : "
      "nat[1..2] = L\n"
      "var b : bool = true var e : {X, Y} var f : {X, Y} = Y init v > K, u = v init L != 0 safe p: true");
  CHECK(term_same(
      m->init,
      read_condition(m,
                     "K >= 2 && K <= 9 && u >= 0 && w = 3 && z = K && z >= 0 && z <= 5 && a[1] = L && a[1] >= 0 &&"
                     "a[2] = L && a[2] >= 0 && b && e >= X && e <= Y && f = Y && v > K && u = v && L != 0")));
  CHECK(m->variables.at[0].role == ROLE_PARAMETER && m->variables.at[3].role == ROLE_STATE);
  model_free(m);
}

TEST(definitions_predicates_lemmas_domains) {
  model *m = read_good_model(
      "predicates x = y, big\ndefine big = x + y > N\nconst N = 10 const on = true var x, y : int var s : {A, B}\n"
      "lemma x <= y + 5\ndomain x >= 2, x >= 1 && y = 0\nsafe p: big");
  CHECK(m->predicates.count == 2 && m->lemmas.count == 1 && m->domain.count == 2);
  CHECK(term_same(m->predicates.at[1], read_condition(m, "x + y > 10")));
  CHECK(term_same(m->predicates.at[1], read_condition(m, "big")));
  CHECK(term_same(m->properties.at[0].bad, read_condition(m, "!big")));
  CHECK(term_is_true(read_condition(m, "on && N = 10")));
  CHECK(term_same(read_condition(m, "s = B"), read_condition(m, "s = 1")));
  model_free(m);
}

TEST(definitions_have_parameters) {
  model *m = read_good_model(
      "var x, y : int define larger(u, v) = if u > v then u else v define sum(y) = x + y "
      "define both(x) = sum(larger(x, y)) action a(y : int): sum(y) > both(y) -> x := larger(x, y) "
      "safe p: both(3) = x + (if 3 > y then 3 else y)");
  CHECK(term_is_false(m->properties.at[0].bad));
  const transition *t = &m->transitions.at[0];
  term x = term_of_variable(m->terms, m->variables.at[0].var), y = term_of_variable(m->terms, m->variables.at[1].var);
  term input = term_of_variable(m->terms, t->inputs.at[0]);
  term larger = term_ite(m->terms, term_gt(m->terms, input, y), input, y); /* the variable y, not the input */
  CHECK(term_same(t->guard, term_gt(m->terms, term_add(m->terms, x, input), term_add(m->terms, x, larger))));
  CHECK(term_same(t->updates.at[0].value, term_ite(m->terms, term_gt(m->terms, x, input), x, input)));
  model_free(m);
}

TEST(let_names_parts_of_an_expression) {
  model *m = read_good_model("var x, y : int var on : bool safe p: let s = x + y, t = 2 * s in t > 0 && !on");
  CHECK(term_same(m->properties.at[0].bad, read_condition(m, "2 * x + 2 * y <= 0 || on")));
  CHECK(term_same(read_condition(m, "(let x = y + 1 in x > 0) && x > 0"), read_condition(m, "y >= 0 && x > 0")));
  CHECK(term_same(read_condition(m, "forall i : 1..2 . let z = x + i in z > i * y"),
                  read_condition(m, "x + 1 > y && x + 2 > 2 * y")));
  text message = {0};
  CHECK(!read_model("var x : int safe p: let y = x > 0", &message) && strstr(text_string(&message), "expected `in`"));
  text_reset(&message);
  CHECK(!read_model("var x : int safe p: (let y = x in y > 0) && y > 0", &message) &&
        strstr(text_string(&message), "`y` is not declared"));
  text_reset(&message);
  CHECK(!read_model("var a : int[let n = 2 in 1..n] safe p: true", &message));
  model *other = read_good_model("var let : bool safe p: let = true");
  model_free(other);
  text_clear(&message);
  model_free(m);
}

/* As a tree, the text of the last definition would have more characters than there are atoms. */
TEST(shared_parts_are_printed_once) {
  enum { LEVELS = 60, LONGEST = 40000 };
  text content = {0};
  text_add(&content, "var s1, y : int var on : bool\ndefine d0 = if on then s1 else y\n");
  for (int i = 1; i <= LEVELS; i++)
    text_add(&content, "define d%d = if d%d > %d then d%d + y else d%d - s1\n", i, i - 1, i, i - 1, i - 1);
  text_add(&content, "action a(n : int): d%d > n -> s1 := d%d, y := n\nsafe p: d%d >= 0\n", LEVELS, LEVELS, LEVELS);
  model *m = read_good_model(text_string(&content));
  char *one = term_string(m->terms, m->properties.at[0].bad);
  CHECK(strlen(one) < LONGEST && !strncmp(one, "(let s_1 = ", 11), "%.200s", one);
  CHECK(term_same(read_condition(m, one), m->properties.at[0].bad));
  text whole = {0}, again = {0}, third = {0};
  model_print(m, &whole);
  CHECK(whole.count < LONGEST && strstr(text_string(&whole), "define d1 = "), "%zu", whole.count);
  model *back = read_good_model(text_string(&whole));
  model_print(back, &again);
  model *last = read_good_model(text_string(&again));
  model_print(last, &third);
  CHECK_TEXT(text_string(&third), text_string(&again));
  CHECK(term_same(read_condition(back, one), back->properties.at[0].bad));
  text_clear(&whole);
  text_clear(&again);
  text_clear(&third);
  text_clear(&content);
  memory_free(one);
  model_free(back);
  model_free(last);
  model_free(m);
}

TEST(lists_of_expressions) {
  model *m = read_good_model(
      "var x, y : int var a : int[1..3] process P[i : 1..2] { var c : int states u, v u -> v } safe p: true");
  diagnostics d = {0};
  term_vector out = {0};
  const char *content =
      "x = y, x > 0; y < 3\n// a comment\n-x > y\n(x = 1\n  || y = 2)\nforall i : 1..3 . a[i] > 0\n P[2] at v\nP[1].c "
      "> a[x]\n"
      "x >\n 3\n|P[1].c| = 0";
  CHECK(input_read_expressions(m, "test", content, strlen(content), &out, &d), "%s", text_string(&d.text));
  CHECK(out.count == 10, "%zu", out.count);
  if (out.count == 10) {
    CHECK(term_same(out.at[3], read_condition(m, "x + y < 0")));
    CHECK(term_same(out.at[5], read_condition(m, "a[1] > 0 && a[2] > 0 && a[3] > 0")));
    CHECK_TEXT(condition_text(m, out.at[7], "x=2 a[2]=5 P[1].c=6"), "true");
    CHECK(term_same(out.at[8], read_condition(m, "x > 3")));
  }
  CHECK(!input_read_expressions(m, "test", "x = 1 y = 2", 11, &out, &d));
  CHECK(!input_read_expressions(m, "test", "x + 1", 5, &out, &d));
  CHECK(!input_read_expressions(m, "test", "z = 1", 5, &out, &d));
  CHECK(out.count == 10, "nothing is added after an error");
  VECTOR_FREE(out);
  text_clear(&d.text);
  model_free(m);
}

TEST(words_are_special_only_in_their_place) {
  model *m = read_good_model(
      "var at, when, states, min, max, abs, G, F, X, U, W, R, A, E, AG, sum, forall : int\n"
      "var action, var, safe, init, const, choose, then, else, fails, flat : int\n"
      "var mu, nu, new, next, data, strong, fair, bool, nat : int\n"
      "action when: at = when && min > max -> states := abs, G := min(F, X), at := at + 1\n"
      "action action: U = W -> action := var, var := safe\n"
      "process process { states states, when, at  when: states -> when when at > when : at := 1  at -> states }\n"
      "program { while while_ > 0 { skip := skip + 1; assert := 2; goto := if then > else then then else else; return "
      ":= sum } }\n"
      "var while_, skip, assert, goto, return : int\n"
      "fair when, action fair strong when\n"
      "ltl l: G (W = R => F U = 1) && (G = 1 U F = W) && X X > 1\n"
      "ctl c: AG (AG > 1 => A[A = 1 U E = 2]) && E > 0\n"
      "mu m: mu Z . mu = 1 || <> Z && [] nu > 1\n"
      "safe safe: sum + forall > 0 && process at when");
  check_step(m, "when", "at=1 when=1 min=5 F=2 X=1 abs=7", "", "at=2 states=7 G=1");
  check_step(m, "action", "var=4 safe=5", "", "action=4 var=5");
  text out = {0};
  for (size_t i = 0; i < 3; i++) {
    temporal_print(m->terms, m->properties.at[i].formula, &out);
    text_add_char(&out, '\n');
  }
  CHECK_TEXT(text_string(&out),
             "(G (((W = R) => F ((U = 1)))) && (((G = 1) U (F = W)) && X ((X > 1))))\n"
             "(AG (((AG > 1) => A[(A = 1) U (E = 2)])) && (E > 0))\n"
             "(mu Z . ((mu = 1) || (<> (Z) && [] ((nu > 1)))))\n");
  text_clear(&out);
  model_free(m);
}

TEST(quoted_names_and_flat_models) {
  model *m = read_good_model(
      "flat\nvar |P[1].a|, |x y|, |if| : int var s : {|A B|, C}\nprocess |P[1]| { states idle, |not here|\n"
      "  |go!|: idle -> |not here| when P[1].a > 0 fails x_ > 3 : P[1].a := |x y|, s := 1 }\nvar x_ : nat\n"
      "action down: true -> x_ := x_ - 1;\n"
      "safe p: P[1] at |not here| => |if| = 1 && s = |A B|");
  check_step(m, "P[1].go!", "P[1].a=1 x y=4", "", "P[1].a=4 s=C P[1]=not here");
  check_step(m, "P[1].go!", "P[1].a=1 x_=4", "", "fault: x_ > 3");
  check_step(m, "down", "x_=0", "", "x_=-1");
  text printed = {0};
  model_print(m, &printed);
  model *n = read_good_model(text_string(&printed));
  CHECK(n->transitions.count == 2 && n->variables.count == m->variables.count);
  check_step(n, "P[1].go!", "P[1].a=1 x_=4", "", "fault: P[1] at idle && x_ > 3");
  text_clear(&printed);
  model_free(n);
  model_free(m);
}

TEST(fairness) {
  model *m = read_good_model(
      "var x : int action a: true -> action b: true -> action b: x = 1 ->\n"
      "process P[i : 1..2] { states s, t  go: s -> t  back: t -> s  t -> t }\n"
      "fair a, b fair strong {a, b}, P[2].go fair P.go, P fair when x = 0, x = 1 safe p: true");
  static const struct {
    fairness_kind kind;
    const char *names;
  } wanted[] = {
      {FAIR_WEAK, "a"},
      {FAIR_WEAK, "b b"},
      {FAIR_STRONG, "a b b"},
      {FAIR_STRONG, "P[2].go"},
      {FAIR_WEAK, "P[1].go"},
      {FAIR_WEAK, "P[2].go"},
      {FAIR_WEAK, "P[1].go P[1].back P[1].t->t"},
      {FAIR_WEAK, "P[2].go P[2].back P[2].t->t"},
      {FAIR_STATE, ""},
      {FAIR_STATE, ""},
  };
  CHECK(m->fairness.count == ARRAY_LENGTH(wanted), "%zu", m->fairness.count);
  for (size_t i = 0; i < m->fairness.count && i < ARRAY_LENGTH(wanted); i++) {
    const fairness *f = &m->fairness.at[i];
    text got = {0};
    for (size_t j = 0; j < f->transitions.count; j++)
      text_add(&got, "%s%s", j ? " " : "", m->transitions.at[f->transitions.at[j]].name);
    CHECK(f->kind == wanted[i].kind);
    CHECK_TEXT(text_string(&got), wanted[i].names);
    text_clear(&got);
  }
  CHECK(term_same(m->fairness.at[9].state, read_condition(m, "x = 1")));
  model_free(m);
}

TEST(temporal_formulas) {
  model *m = read_good_model(
      "var x, y : int process P[i : 1..2] { states s, t s -> t }\n"
      "ctl a: AG (x > 0 => AF y > 0) || !EX true\n"
      "ctl b: E[x = 0 U A[y = 0 U x = 1]] <=> EG x = 2\n"
      "ctl c: forall i : 1..2 . AG P[i] at s => EF P[i] at t\n"
      "ltl d: x = 0 U y = 0 U x = 1 && !(x = 1 R y = 1) W x = 2\n"
      "mu e: nu Y . mu Z . [] Y && (x = 0 || <> Z)\n"
      "ctl f: exists i : 1..2 . AG x = i\n");
  const char *const wanted[] = {
      "(AG (((x > 0) => AF ((y > 0)))) || ! (EX ((true))))",
      "(E[(x = 0) U A[(y = 0) U (x = 1)]] <=> EG ((x = 2)))",
      "((AG ((P[1] at s)) => EF ((P[1] at t))) && (AG ((P[2] at s)) => EF ((P[2] at t))))",
      "(((x = 0) U ((y = 0) U (x = 1))) && (! (((x = 1) R (y = 1))) W (x = 2)))",
      "(nu Y . (mu Z . ([] (Y) && ((x = 0) || <> (Z)))))",
      "(AG ((x = 1)) || AG ((x = 2)))",
  };
  for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
    text out = {0};
    temporal_print(m->terms, m->properties.at[i].formula, &out);
    CHECK_TEXT(text_string(&out), wanted[i]);
    text_clear(&out);
  }
  model_free(m);
}

/* What is in LTL or in CTL becomes that. */
TEST(formulas_of_ctl_star) {
  static const struct {
    const char *text;
    property_kind kind;
    const char *wanted;
  } table[] = {
      {"A (G F p => G F q)", PROPERTY_LTL, "(G (F ((p))) => G (F ((q))))"},
      {"AG p && AF q", PROPERTY_LTL, "(G ((p)) && F ((q)))"},
      {"forall i : 1..2 . A F x = i", PROPERTY_LTL, "(F ((x = 1)) && F ((x = 2)))"},
      {"AG EF p", PROPERTY_CTL, "AG (EF ((p)))"},
      {"A G F (E X p)", PROPERTY_CTL, "AG (AF (EX ((p))))"},
      {"E[p && q U p || q]", PROPERTY_CTL, "E[(p && q) U (p || q)]"},
      {"E (p && q U p)", PROPERTY_CTL, "((p) && E[(q) U (p)])"},
      {"A[p W q] || E[p R q]", PROPERTY_CTL, "(! (E[(!q) U (!p && !q)]) || ! (A[(!p) U (!q)]))"},
      {"A p", PROPERTY_LTL, "(p)"},
      {"E p", PROPERTY_CTL, "((p) && EG ((true)))"},
      {"E E F p || E A F p", PROPERTY_CTL, "(EF ((p)) || (AF ((p)) && EG ((true))))"},
      {"!A !(X p)", PROPERTY_CTL, "EX ((p))"},
      {"E (G F p && F G x = 0)", PROPERTY_CTLSTAR, "E ((G (F ((p))) && F (G ((x = 0)))))"},
      {"AG (p => E (G F q))", PROPERTY_CTLSTAR, "AG (((p) => E (G (F ((q))))))"},
      {"E F (p && G F q)", PROPERTY_CTLSTAR, "EF (((p) && E (G (F ((q))))))"},
      {"A (G F (E X p) => F q)", PROPERTY_CTLSTAR, "A ((G (F (EX ((p)))) => F ((q))))"},
      {"E[G p U q] || A[1] = 1", PROPERTY_CTLSTAR, "(E ((G ((p)) U (q))) || (A[1] = 1))"},
      {"E G (q => O p)", PROPERTY_CTL, "EG ((p || !q || |Y (O p)|))"},
      {"E > 1 => E F A[2] = E", PROPERTY_CTL, "((E > 1) => EF ((E = A[2])))"},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
    char *source = text_format("var p, q : bool var x, E : int var A : int[1..2] ctlstar f: %s", table[i].text);
    model *m = read_good_model(source);
    text out = {0};
    temporal_print(m->terms, m->properties.at[0].formula, &out);
    CHECK(m->properties.at[0].kind == table[i].kind, "%s", table[i].text);
    CHECK_TEXT(text_string(&out), table[i].wanted);
    text_clear(&out);
    model_free(m);
    memory_free(source);
  }
}

TEST(properties) {
  model *m = read_good_model(
      "var x : int action a: true -> x := x + 1 safe s: x > 0 unreachable u: x > 9 deadlockfree deadlockfree ever ;");
  const char *const names[] = {"s", "u", "deadlockfree", "ever"};
  const property_kind kinds[] = {PROPERTY_SAFE, PROPERTY_SAFE, PROPERTY_DEADLOCKFREE, PROPERTY_DEADLOCKFREE};
  CHECK(m->properties.count == 4);
  for (size_t i = 0; i < 4; i++) {
    CHECK_TEXT(m->properties.at[i].name, names[i]);
    CHECK(m->properties.at[i].kind == kinds[i]);
  }
  CHECK(term_same(m->properties.at[0].bad, read_condition(m, "x <= 0")));
  CHECK(term_same(m->properties.at[1].bad, read_condition(m, "x > 9")));
  model_free(m);
  m = read_good_model("var x : int");
  CHECK(m->properties.count == 0, "a model without properties loads");
  model_free(m);
}

TEST_MAIN
