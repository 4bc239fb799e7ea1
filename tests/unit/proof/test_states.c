/* Sets of states as evidence: the diagram, its file, and its checker, against the slow meaning of reference.h. */
#include "base/random.h"
#include "oracle/reference.h"
#include "proof/certificate.h"
#include "proof/check/check.h"
#include "random/random_model.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

enum { LIMIT = 600, MOST_LEVELS = 64 };

static unsigned scaled(unsigned rounds) { return getenv("WHET_SANITIZED") ? rounds / 6 : rounds; }

typedef struct row {
  int64_t values[MOST_LEVELS];
} row;

static int compare_rows(const void *a, const void *b) {
  const row *x = a, *y = b;
  for (size_t i = 0; i < MOST_LEVELS; i++)
    if (x->values[i] != y->values[i]) return x->values[i] < y->values[i] ? -1 : 1;
  return 0;
}

static diagram *make_diagram(size_t levels, const variable *vars, size_t count, row *rows) {
  diagram *d = diagram_new(levels, vars);
  diagram_builder *b = diagram_builder_new(d);
  qsort(rows, count, sizeof *rows, compare_rows);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || compare_rows(&rows[i - 1], &rows[i])) diagram_builder_add(b, rows[i].values);
  diagram_builder_finish(b);
  return d;
}

/* ---- the diagram ---- */

typedef struct listing {
  const row *rows;
  size_t at, levels;
  const diagram *d;
} listing;

static bool is_next(void *context, const diagram_place *place) {
  listing *l = context;
  const row *now = &l->rows[l->at], *before = l->at ? &l->rows[l->at - 1] : NULL;
  CHECK(!memcmp(place->values, now->values, l->levels * sizeof(int64_t)));
  size_t changed = 0;
  while (before && before->values[changed] == now->values[changed]) changed++;
  CHECK(place->changed <= changed);
  for (size_t i = 0; i < l->levels; i++) {
    const diagram_edge *e = diagram_follow(l->d, place->path[i], now->values[i]);
    CHECK(e && e->child == place->path[i + 1]);
  }
  l->at++;
  return true;
}

/* Small, or at the ends of 64 bits, where ranges of values are easily counted wrong. */
static int64_t random_value(random_source *r, int64_t width, bool at_ends) {
  if (!at_ends) return random_between(r, -1, width);
  return random_below(r, 2) ? INT64_MAX - random_between(r, 0, width) : INT64_MIN + random_between(r, 0, width);
}

TEST(a_diagram_holds_what_was_added_and_nothing_else) {
  random_source r = {11};
  for (int round = 0; round < 200; round++) {
    size_t levels = random_below(&r, 6), count = 0;
    int64_t width = random_between(&r, 0, 4);
    row rows[300] = {0};
    variable vars[8] = {0};
    for (size_t i = random_below(&r, 200); i > 0; i--, count++)
      for (size_t j = 0; j < levels; j++) rows[count].values[j] = random_value(&r, width, round % 5 == 0);
    diagram *d = make_diagram(levels, vars, count, rows);
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++)
      if (i == 0 || compare_rows(&rows[i - 1], &rows[i])) rows[distinct++] = rows[i];
    CHECK(diagram_count(d) == distinct);
    listing l = {rows, 0, levels, d};
    CHECK(diagram_visit(d, is_next, &l) && l.at == distinct);
    for (int k = 0; k < 300; k++) {
      row other = {0};
      for (size_t j = 0; j < levels; j++) other.values[j] = random_value(&r, width + 1, round % 5 == 0);
      CHECK(diagram_has(d, other.values) == (distinct && bsearch(&other, rows, distinct, sizeof other, compare_rows)));
    }
    diagram_free(d);
  }
}

/* ---- the checker ---- */

static uint64_t seed;
static char *source;
#define CHECK_SEED(COND, WHAT) CHECK(COND, "seed %llu, %s:\n%s", (unsigned long long)seed, WHAT, source)

/* The states seen, but for one; all variables. */
static evidence list_states(const model *m, const reference *r, size_t without) {
  evidence e = {.kind = EVIDENCE_STATES};
  variable vars[MOST_LEVELS];
  row *rows = MEMORY_ARRAY(row, r->states.count);
  size_t count = 0;
  for (size_t i = 0; i < m->variables.count; i++) vars[i] = m->variables.at[i].var;
  for (size_t i = 0; i < r->states.count; i++) {
    if (i == without) continue;
    for (size_t j = 0; j < m->variables.count; j++) rows[count].values[j] = reference_values(r, i)[j].small;
    count++;
  }
  e.states = make_diagram(m->variables.count, vars, count, rows);
  memory_free(rows);
  return e;
}

static check_kind written_read_and_checked(model *m, size_t property, const evidence *e) {
  text file = {0};
  size_t read_property = SIZE_MAX;
  evidence read = {0};
  char *error = NULL;
  budget b = budget_unlimited();
  certificate_write(m, property, e, &file);
  bool fine = certificate_read(m, file.at, file.count, &read_property, &read, &error);
  CHECK(fine && read_property == property && read.kind == EVIDENCE_STATES, "%s\n%s", error ? error : "", file.at);
  check_result r = {.kind = CHECK_UNSURE};
  if (fine) r = check_evidence(m, property, &read, &b, NULL);
  memory_free(r.what);
  memory_free(error);
  evidence_clear(&read);
  text_clear(&file);
  return r.kind;
}

TEST(the_name_of_a_model_may_have_two_lines) {
  model *m = read_good_model("var x : 0..3 = 0\naction a: x < 3 -> x := x + 1\nsafe p: x < 4\nsafe q: x < 3");
  row rows[4] = {{{0}}, {{1}}, {{2}}, {{3}}};
  evidence e = {.kind = EVIDENCE_STATES, .states = make_diagram(1, &m->variables.at[0].var, 4, rows)};
  m->name = "a\nproperty q\n.whet";
  CHECK(written_read_and_checked(m, 0, &e) == CHECK_ACCEPTED);
  evidence_clear(&e);
  model_free(m);
}

TEST(the_reached_set_is_accepted_and_no_smaller_one) {
  unsigned accepted = 0, rejected = 0;
  for (unsigned i = scaled(200); i > 0; i--) {
    memory_free(source);
    seed++;
    source = random_model(seed, (random_knobs){RANDOM_FINITE, 1 + (unsigned)(seed % 2)});
    model *m = read_good_model(source);
    reference *r = reference_explore(m, LIMIT);
    for (size_t p = 0; p < m->properties.count && r->status == REFERENCE_COMPLETE && m->variables.count <= MOST_LEVELS;
         p++) {
      evidence all = list_states(m, r, SIZE_MAX);
      bool is_broken = r->breaches.at[p].found;
      CHECK_SEED(written_read_and_checked(m, p, &all) == (is_broken ? CHECK_REJECTED : CHECK_ACCEPTED),
                 m->properties.at[p].name);
      accepted += !is_broken;
      evidence_clear(&all);
      for (size_t k = 0; k < r->states.count; k += 1 + r->states.count / 3) {
        evidence some = list_states(m, r, k);
        CHECK_SEED(written_read_and_checked(m, p, &some) == CHECK_REJECTED, "without a state");
        rejected++;
        evidence_clear(&some);
      }
    }
    reference_free(r);
    model_free(m);
  }
  CHECK(accepted > 20 && rejected > 20, "%u %u", accepted, rejected);
}

static void check_file(const char *model_text, const char *file, check_kind wanted, const char *message) {
  model *m = read_good_model(model_text);
  size_t property;
  evidence e = {0};
  char *error = NULL;
  budget b = budget_unlimited();
  if (certificate_read(m, file, strlen(file), &property, &e, &error)) {
    check_result r = check_evidence(m, property, &e, &b, NULL);
    CHECK(r.kind == wanted, "%d %s\n%s", r.kind, r.what ? r.what : "", file);
    if (r.what) CHECK_TEXT(r.what, message);
    memory_free(r.what);
  } else {
    CHECK(wanted == CHECK_REJECTED, "%s", error);
    CHECK_TEXT(error, message);
  }
  memory_free(error);
  evidence_clear(&e);
  model_free(m);
}

#define HEAD "whet-states 1\nmodel m.whet\nproperty p\n"

/* Variables that a set does not list have any value there. */
TEST(a_set_may_leave_out_what_does_not_matter) {
  const char *idle =
      "var x : 0..3 = 0\nvar y : int = 5\nvar c : bool = true\naction a: c && x < 3 -> x := x + 1, y := y * y\nsafe p: "
      "x < 4";
  check_file(idle, HEAD "variables 1\nx\nnodes 1\n0 0..3:0\nroot 1\n", CHECK_ACCEPTED, "");
  check_file(idle, HEAD "variables 2\nx\nc\nnodes 2\n1 1:0\n0 0..3:1\nroot 2\n", CHECK_ACCEPTED, "");
  check_file(idle, HEAD "variables 2\nx\nc\nnodes 2\n1 0:0\n0 0..3:1\nroot 2\n", CHECK_REJECTED,
             "initial: an initial state is not in the set");
  check_file(idle, HEAD "variables 1\nx\nnodes 1\n0 0..2:0\nroot 1\n", CHECK_UNSURE,
             "preserved: step a leaves the set");
  const char *mixed =
      "var x : 0..3 = 0\nvar y : 0..1 = 0\naction a: y = 1 -> x := 3\naction b: x < 2 -> x := x + y\nsafe p: x < 3 || "
      "y = 1";
  check_file(mixed, HEAD "variables 1\nx\nnodes 1\n0 0..3:0\nroot 1\n", CHECK_UNSURE,
             "step b: the new value of x depends on y, which the set does not list");
  check_file(mixed, HEAD "variables 2\nx\ny\nnodes 2\n1 0:0\n0 0:1\nroot 2\n", CHECK_ACCEPTED, "");
  check_file(mixed, HEAD "variables 2\nx\ny\nnodes 2\n1 0:0\n0 0:1 3:1\nroot 2\n", CHECK_REJECTED,
             "excludes: a bad state is in the set");
  check_file("var x : 0..3 = 0\naction a(i : int): i > x && i < 3 -> x := i\nsafe p: x < 4",
             HEAD "variables 1\nx\nnodes 1\n0 0..3:0\nroot 1\n", CHECK_UNSURE,
             "step a: input a.i has too many values to try them all");
  check_file("var x : int = 5000000000\naction a: true -> x := x * x\nsafe p: x >= 0",
             HEAD "variables 1\nx\nnodes 1\n0 5000000000:0\nroot 1\n", CHECK_UNSURE, "a: values beyond 64 bits");
}

/* As a formula such a set has every state of the model in it; its steps would be tried from others only. */
TEST(truth_values_are_two) {
  const char *m = "var b : bool\nvar x : 0..3 = 0\naction a: !b -> x := 3\nsafe p: x < 3";
  static const char *const roots[] = {"0 1..2:1", "0 -1:1 2:1", "0 -1..0:1 1:1"};
  for (size_t i = 0; i < ARRAY_LENGTH(roots); i++) {
    char *file = text_format(HEAD "variables 2\nb\nx\nnodes 2\n1 0:0\n%s\nroot 2\n", roots[i]);
    check_file(m, file, CHECK_REJECTED, "b has a value that is neither true nor false");
    memory_free(file);
  }
  check_file(m, HEAD "variables 2\nb\nx\nnodes 2\n1 0:0\n0 1:1\nroot 2\n", CHECK_REJECTED,
             "initial: an initial state is not in the set");
}

TEST(damaged_files_are_refused_at_their_place) {
  const char *m = "var x : 0..3 = 0\nvar b : bool = false\naction a: x < 3 -> x := x + 1\nsafe p: x < 4";
  static const struct {
    const char *file, *message;
  } cases[] = {
      {"whet-states 2\n", "1:14: this certificate is of another version; only version 1 is known"},
      {"whet-states 1\nproperty p\n", "2:1: expected 'model '"},
      {"whet-states 1\nmodel m\nproperty q\nvariables 0\n", "3:10: test.whet has no property called q"},
      {HEAD "variables 1\nz\n", "5:1: the model has no variable z"},
      {HEAD "variables 2\nx\nx\n", "6:1: variable x is listed twice"},
      {HEAD "variables -1\n", "4:11: expected a number from 0 to 4294967294"},
      {HEAD "variables 1\nx\nnodes 1\n1 0:0\nroot 1\n", "7:2: there is no level 1"},
      {HEAD "variables 2\nx\nb\nnodes 1\n0 0:0\nroot 1\n", "8:6: node 0 is not one of the next level before this one"},
      {HEAD "variables 1\nx\nnodes 1\n0 0:1\nroot 1\n", "7:6: node 1 is not one of the next level before this one"},
      {HEAD "variables 1\nx\nnodes 1\n0 3..2:0\nroot 1\n", "7:7: values must be ascending"},
      {HEAD "variables 1\nx\nnodes 1\n0 0..2:0 2:0\nroot 1\n", "7:11: values must be ascending"},
      {HEAD "variables 1\nx\nnodes 1\n0 99999999999999999999:0\nroot 1\n", "7:3: expected a number of 64 bits"},
      {HEAD "variables 1\nx\nnodes 1\n0\nroot 1\n", "7:2: expected an edge"},
      {HEAD "variables 1\nx\nnodes 2\n0 0:0\nroot 1\n", "8:1: expected a number of 64 bits"},
      {HEAD "variables 1\nx\nnodes 1\n0 0:0\nroot 0\n", "8:7: the root is not of the first level"},
      {HEAD "variables 1\nx\nnodes 1\n0 0:0\nroot 1\nmore\n", "9:1: expected the end of the file"},
      {HEAD "variables 1\nx\nnodes 1\n0 0:0\n", "8:1: expected 'root '"},
      {HEAD "variables 1\nx\nnodes 0\nroot none\n", "initial: an initial state is not in the set"},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) check_file(m, cases[i].file, CHECK_REJECTED, cases[i].message);
  check_file(m, HEAD "variables 1\nx\nnodes 1\n0 0..3:0\nroot 1", CHECK_ACCEPTED, "");
}

/* Any text is read or refused, never worse; what is read and accepted says what is true. */
TEST(mutated_files_never_prove_what_is_false) {
  const char *good = "var x : 0..3 = 0\naction a: x < 3 -> x := x + 1\nsafe p: x < 4";
  const char *bad = "var x : 0..3 = 0\naction a: x < 3 -> x := x + 1\nsafe p: x < 3";
  const char *file = HEAD "variables 1\nx\nnodes 2\n0 0..2:0\n0 0..3:0\nroot 2\n";
  model *models[] = {read_good_model(good), read_good_model(bad)};
  random_source r = {5};
  unsigned accepted = 0;
  for (unsigned i = scaled(20000); i > 0; i--) {
    char *copy = memory_copy_string(file);
    size_t length = strlen(copy), property;
    for (size_t k = 1 + random_below(&r, 3); k > 0; k--)
      copy[random_below(&r, length)] = "0123456789.:- \nnoex"[random_below(&r, 19)];
    for (int which = 0; which < 2; which++) {
      evidence e = {0};
      char *error = NULL;
      budget b = budget_unlimited();
      check_result result = {.kind = CHECK_REJECTED};
      if (certificate_read(models[which], copy, length, &property, &e, &error))
        result = check_evidence(models[which], property, &e, &b, NULL);
      CHECK(result.kind != CHECK_ACCEPTED || which == 0, "%s", copy);
      accepted += result.kind == CHECK_ACCEPTED;
      memory_free(result.what);
      memory_free(error);
      evidence_clear(&e);
    }
    memory_free(copy);
  }
  CHECK(accepted);
  model_free(models[0]);
  model_free(models[1]);
}

TEST_MAIN
