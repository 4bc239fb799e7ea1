/* Structured programs: they are run from their first place to their last, with every choice tried. */
#include "base/map.h"
#include "model/semantics.h"
#include "unit/input/input_helper.h"
#include "unit/step_helper.h"
#include "unit/test.h"

typedef VECTOR(int64_t *) states;

/* All states reachable in at most `limit` states, from the one where everything is 0 but for what `init` fixes:
 * programs here give initial values that are 0, so the first place and zeros are an initial state. Inputs take the
 * values 0, 1, 2. */
typedef struct run {
  const model *model;
  semantics *semantics;
  states all;
  names *seen;
  text key;
} run;

static void add_state(run *r, const int64_t *state) {
  size_t width = semantics_width(r->semantics);
  text_reset(&r->key);
  for (size_t i = 0; i < width; i++) text_add(&r->key, "%lld ", (long long)state[i]);
  if (names_get(r->seen, text_string(&r->key), NULL)) return;
  names_set(r->seen, text_string(&r->key), 1);
  int64_t *copy = MEMORY_ARRAY(int64_t, width + 1);
  memcpy(copy, state, width * sizeof(*copy));
  VECTOR_PUSH(r->all, copy);
}

static void explore(run *r, const model *m, size_t limit) {
  *r = (run){.model = m, .semantics = semantics_new(m), .seen = names_new()};
  int64_t *next = MEMORY_ARRAY(int64_t, m->variables.count + 1);
  add_state(r, next);
  for (size_t i = 0; i < r->all.count && r->all.count < limit; i++)
    for (size_t t = 0; t < m->transitions.count; t++)
      for (int64_t choice = 0; choice < (m->transitions.at[t].inputs.count ? 3 : 1); choice++) {
        int64_t inputs[4] = {choice, choice, choice, choice};
        if (semantics_step(r->semantics, t, r->all.at[i], inputs, next, NULL) == STEP_TAKEN) add_state(r, next);
      }
  memory_free(next);
}

static void run_free(run *r) {
  for (size_t i = 0; i < r->all.count; i++) memory_free(r->all.at[i]);
  VECTOR_FREE(r->all);
  semantics_free(r->semantics);
  names_free(r->seen);
  text_clear(&r->key);
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The values of `name` in the reachable states where `where` holds, sorted, each once: "1 2 5". */
static GIVE char *values_where(run *r, const char *name, term where) {
  state_condition *c = state_condition_new(r->model, where);
  variable v;
  VECTOR(int64_t) found = {0};
  text out = {0};
  variable_find(r->model->terms, name, &v);
  for (size_t i = 0; i < r->all.count; i++)
    if (state_condition_holds(c, r->all.at[i]) == 1) VECTOR_PUSH(found, r->all.at[i][model_position(r->model, v)]);
  if (found.count) qsort(found.at, found.count, sizeof(int64_t), compare);
  for (size_t i = 0; i < found.count; i++)
    if (!i || found.at[i] != found.at[i - 1]) text_add(&out, "%s%lld", out.count ? " " : "", (long long)found.at[i]);
  VECTOR_FREE(found);
  state_condition_free(c);
  return text_give(&out);
}

/* The values that `name` can have at the end of the program. */
static void check_end(const char *content, const char *name, const char *wanted) {
  model *m = read_good_model(content);
  run r;
  explore(&r, m, 5000);
  char *got = values_where(&r, name, read_condition(m, "program at end"));
  CHECK(!strcmp(got, wanted), "%s\n#   %s at the end: got %s, wanted %s", content, name, got, wanted);
  memory_free(got);
  run_free(&r);
  model_free(m);
}

TEST(control) {
  check_end("program { var x : int = 0 x := 1; x := x + 2 }", "x", "3");
  check_end("program { }  var x : int", "x", "0");
  check_end("program { var i, s : int = 0 while i < 5 { i := i + 1; s := s + i } }", "s", "15");
  check_end("program { var i, s : int = 0 while i < 5 { i, s := i + 1, s + i } }", "s", "10");
  check_end("program { var x : int = 0 if x = 0 { x := 5 } else { x := 6 } }", "x", "5");
  check_end("program { var x : int = 0 if x = 1 { x := 5 } else { x := 6 } }", "x", "6");
  check_end("program { var x : int = 0 if x = 1 { x := 5 } }", "x", "0");
  check_end(
      "program { var x, y : int = 0 choose { x := 1 } or { x := 2 } or { x := 3 } if x = 1 { y := 10 } else if x = 2 { "
      "y := 20 } else { y := 30 } }",
      "y", "10 20 30");
  check_end(
      "program { var x, y : int = 0 choose { x := 1 } or { x := 2 } or { x := 3 } if x = 1 { y := 10 } else if x = 2 { "
      "y := 20 } }",
      "y", "0 10 20");
  check_end("program { var x : int = 0 if * { x := 1 } }", "x", "0 1");
  check_end("program { var x : int = 0 while * { x := x + 1; assume x < 4 } }", "x", "0 1 2 3");
  check_end("program { var x : 0..2 = 0 x := * }", "x", "0 1 2");
  check_end("program { var x : int = 0 x := *; assume x > 0; x := x + 1 }", "x", "2 3");
  check_end("program { var x : int = 0 x := 1; return; x := 2 }", "x", "1");
  check_end("program { var x : int = 0 while true { x := x + 1; if x = 3 { return } } }", "x", "3");
  check_end("program { var x : int = 0 loop: x := x + 1; if x < 4 { goto loop } }", "x", "4");
  check_end("program { var x : int = 0 goto b; a: x := 10; goto c; b: x := x + 1; goto a; c: x := x + 1 }", "x", "11");
  check_end("program { var x : int = 0 a: b: x := x + 1; if x < 3 { goto b } else { goto d } skip; d: }", "x", "3");
  check_end("program { var x : int = 0 while x < 3 { inner: x := x + 1 } if x < 5 { goto inner } }", "x", "5");
  check_end("program { var x : int = 0 while x < 3 { } x := 1 }", "x", "");
  check_end("program { var x : int = 0 assert x = 5; x := 7 }", "x", "7");
  check_end("program { var x : int = 0 skip skip; skip x := 2 }", "x", "2");
}

TEST(places_and_names) {
  model *m = read_good_model(
      "program {\n  var x : int = 0\n  x := 1; x := 2\n  while x > 0 {\n    L: x := x - 1\n    if x = 5 { skip }\n  "
      "}\n  M:\n  N: skip\n}");
  const type *places = variable_type(m->terms, m->processes.at[0].location);
  text out = {0};
  for (size_t i = 0; i < places->name_count; i++) text_add(&out, "%s ", places->names[i]);
  for (size_t i = 0; i < m->transitions.count; i++) text_add(&out, "%s ", m->transitions.at[i].name);
  CHECK_TEXT(text_string(&out),
             "line3 line3_2 line4 L line6 line6_2 M end program.line3 program.line3_2 program.line4_yes "
             "program.line4_no program.L "
             "program.line6_yes program.line6_no program.line6_2 program.M ");
  text_clear(&out);
  model_free(m);
}

TEST(goto_round_in_circles) {
  model *m = read_good_model("program { var x : int = 0 x := 1; a: goto b; b: goto a } deadlockfree");
  run r;
  explore(&r, m, 100);
  CHECK(r.all.count == 2);
  CHECK(m->transitions.count == 2, "%zu", m->transitions.count);
  run_free(&r);
  model_free(m);
}

TEST(asserts_are_properties) {
  model *m = read_good_model(
      "program {\n  var x : int = 0\n  assert x = 0\n  assert two: x < 2\n  x := x + 1;\n  assert two: x < 3; assert x "
      "!= 7\n}\n"
      "safe last: !(program at end) || x = 1");
  const char *const wanted[] = {"assert@3", "two", "assert@6", "last"};
  CHECK(m->properties.count == 4);
  for (size_t i = 0; i < 4; i++) CHECK_TEXT(m->properties.at[i].name, wanted[i]);
  CHECK(term_same(m->properties.at[0].bad, read_condition(m, "program at line3 && x != 0")));
  CHECK(term_same(m->properties.at[1].bad,
                  read_condition(m, "program at line4 && x >= 2 || program at line6 && x >= 3")));
  CHECK(m->properties.at[2].place.line == 6);
  model_free(m);
}

TEST(faults_of_statements) {
  model *m = read_good_model(
      "program {\n  var x, y : int = 0\n  var n : nat = 0\n  if x / y > 1 { skip }\n  assert x % y = 0\n  assume x / y "
      "= 1\n  n := x\n}");
  static const struct {
    const char *step, *state, *wanted;
  } table[] = {
      {"program.line4_yes", "program=line4", "fault: division by zero in x / y"},
      {"program.line4_no", "program=line4", "fault: division by zero in x / y"},
      {"program.line4_no", "program=line4 y=1", "program=line5"},
      {"program.line5", "program=line5", "fault: division by zero in x % y"},
      {"program.line5", "program=line5 x=3 y=2", "program=line6"},
      {"program.line6", "program=line6", "fault: division by zero in x / y"},
      {"program.line6", "program=line6 y=3", "disabled"},
      {"program.line7", "program=line7 x=-1", "fault: n := x becomes negative"},
      {"program.line7", "program=line7 x=3", "program=end n=3"},
      {"program.line5", "program=line6 y=0", "disabled"},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
    char *got = step_text(m, table[i].step, table[i].state, "");
    CHECK(!strcmp(got, table[i].wanted), "%s in %s: %s", table[i].step, table[i].state, got);
    memory_free(got);
  }
  model_free(m);
}

TEST(programs_run_interleaved) {
  model *m = read_good_model(
      "var x : int = 0\n"
      "program A { var t : int = 0 t := x; x := t + 1 }\n"
      "program B { var t : int = 0 t := x; x := t + 1 }\n"
      "program C[i : 1..2] { var u : int = 0 u := i; while * { } }\n");
  run r;
  explore(&r, m, 5000);
  char *got = values_where(&r, "x", read_condition(m, "A at end && B at end"));
  CHECK_TEXT(got, "1 2");
  memory_free(got);
  got = values_where(&r, "C[2].u", read_condition(m, "C[2] at end"));
  CHECK_TEXT(got, "2");
  memory_free(got);
  CHECK(term_same(m->init, read_condition(m,
                                          "x = 0 && A at line2 && A.t = 0 && B at line3 && B.t = 0 && C[1] at line4 && "
                                          "C[1].u = 0 && C[2] at line4 && C[2].u = 0")));
  run_free(&r);
  model_free(m);
}

TEST(the_heap) {
  model *m = read_good_model(
      "program {\n  var p, q : node = null\n  var b : bool\n  p := new\n  q := p\n  p := null\n  p := q.next\n  q.next "
      ":= p\n  q.next := null\n"
      "  q.data := !p.data\n  assume p = null || p != q && q != null && null = null\n  b := p.data || p = "
      "null\n}\nsafe s: !p.data");
  static const struct {
    heap_kind kind;
    const char *target, *source, *faults;
  } wanted[] = {
      {HEAP_NEW, "p", "", ""},
      {HEAP_COPY, "q", "p", ""},
      {HEAP_CLEAR, "p", "", ""},
      {HEAP_NEXT, "p", "q", "q.next where q is null; "},
      {HEAP_SET_NEXT, "q", "p", "q.next where q is null; "},
      {HEAP_CUT_NEXT, "q", "", "q.next where q is null; "},
      {HEAP_SET_DATA, "q", "", "p.data where p is null; q.data where q is null; "},
      {HEAP_NONE, "", "", ""},
      {HEAP_NONE, "", "", "p.data where p is null; "},
  };
  CHECK(m->has_heap);
  CHECK(m->transitions.count == ARRAY_LENGTH(wanted));
  for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
    const transition *t = &m->transitions.at[i];
    CHECK(t->heap.kind == wanted[i].kind, "%s", t->name);
    if (*wanted[i].target) CHECK_TEXT(variable_name(m->terms, t->heap.target), wanted[i].target);
    if (*wanted[i].source) CHECK_TEXT(variable_name(m->terms, t->heap.source), wanted[i].source);
    text faults = {0};
    for (size_t j = 0; j < t->faults.count; j++) text_add(&faults, "%s; ", t->faults.at[j].what);
    CHECK_TEXT(text_string(&faults), wanted[i].faults);
    text_clear(&faults);
  }
  term one = term_int(m->terms, 1), zero = term_int(m->terms, 0);
  CHECK(term_same(m->transitions.at[6].heap.value, term_ite(m->terms, read_condition(m, "!p.data"), one, zero)));
  CHECK(term_same(m->transitions.at[7].guard,
                  read_condition(m, "program at line11 && (p = null || !(p = q) && !(q = null))")));
  CHECK(term_same(m->transitions.at[3].faults.at[0].when, read_condition(m, "program at line7 && q = null")));
  CHECK(term_same(m->init, read_condition(m, "program at line4 && p = null && q = null")));
  model_free(m);
}

TEST_MAIN
