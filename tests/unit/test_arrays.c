/* Terms of arrays: what is built against plain C arrays that are computed along with it, Z3 on the same, array values,
 * and substitution. */
#include "base/budget.h"
#include "random/random_expression.h"
#include "solver/solver.h"
#include "term/array_value.h"
#include "term/array_versions.h"
#include "term/evaluate.h"
#include "term/exact_code.h"
#include "term/print.h"
#include "term/substitute.h"
#include "unit/test.h"

enum { WINDOW = 5, ARRAYS = 2, INTS = 3, ROUNDS = 400 };

/* What a term is under the assignment: of an array its elements at 0, .., and at all other indices. */
typedef struct made {
  term term;
  int64_t value;
  int64_t cells[WINDOW], otherwise;
} made;

static terms *ts;
static made arrays[ARRAYS], ints[INTS];
static number assignment[64];
static uint64_t seed;

static uint64_t draw(uint64_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % below;
}

static const type of_integers = {.sort = SORT_ARRAY, .element = SORT_INT};
static const type of_truths = {.sort = SORT_ARRAY, .element = SORT_BOOL};

static number number_of_cells(const made *m) {
  array_entry entries[WINDOW];
  for (int i = 0; i < WINDOW; i++) entries[i] = (array_entry){number_of(i), number_of(m->cells[i])};
  return array_value_of(ts, number_of(m->otherwise), WINDOW, entries);
}

static void start(uint64_t from) {
  static const type integer = {.sort = SORT_INT}, array = {.sort = SORT_ARRAY, .element = SORT_INT};
  seed = from * 77 + 5;
  ts = terms_new();
  char name[] = "i0";
  for (int i = 0; i < INTS; i++, name[1]++) {
    variable v = variable_new(ts, name, &integer);
    ints[i] = (made){.term = term_of_variable(ts, v), .value = (int64_t)draw(WINDOW)};
    assignment[v.x] = number_of(ints[i].value);
  }
  strcpy(name, "a0");
  for (int i = 0; i < ARRAYS; i++, name[1]++) {
    variable v = variable_new(ts, name, &array);
    arrays[i] = (made){.term = term_of_variable(ts, v), .otherwise = (int64_t)draw(3)};
    for (int j = 0; j < WINDOW; j++) arrays[i].cells[j] = (int64_t)draw(3);
    assignment[v.x] = number_of_cells(&arrays[i]);
  }
}

static made any_array(int depth);

/* An index within the window: a variable, or a number. */
static made any_index(void) {
  if (draw(2)) return ints[draw(INTS)];
  int64_t n = (int64_t)draw(WINDOW);
  return (made){.term = term_int(ts, n), .value = n};
}

static made any_integer(int depth) {
  if (!depth || !draw(3)) return any_index();
  if (draw(2)) {
    made a = any_array(depth - 1), i = any_index();
    return (made){.term = term_select(ts, a.term, i.term), .value = a.cells[i.value]};
  }
  made x = any_integer(depth - 1), y = any_integer(depth - 1);
  return (made){.term = term_add(ts, x.term, y.term), .value = x.value + y.value};
}

static made stored(int depth) {
  made a = any_array(depth - 1), i = any_index(), x = any_integer(depth - 1);
  a.term = term_store(ts, a.term, i.term, x.term);
  a.cells[i.value] = x.value;
  return a;
}

static made any_array(int depth) {
  if (!depth || !draw(4)) return arrays[draw(ARRAYS)];
  switch (draw(4)) {
    case 0: {
      made x = any_integer(depth - 1), y = any_integer(depth - 1), a = any_array(depth - 1), b = any_array(depth - 1);
      made chosen = x.value <= y.value ? a : b;
      chosen.term = term_ite(ts, term_le(ts, x.term, y.term), a.term, b.term);
      return chosen;
    }
    case 1: {
      made x = any_integer(depth - 1), a = {.otherwise = x.value};
      for (int i = 0; i < WINDOW; i++) a.cells[i] = x.value;
      a.term = term_constant_array(ts, SORT_INT, x.term);
      return a;
    }
    default: return stored(depth);
  }
}

TEST(terms_have_the_values_of_plain_arrays) {
  for (uint64_t round = 0; round < ROUNDS; round++) {
    start(round);
    made x = any_integer(5), a = any_array(5), b = any_array(4);
    number number_a = number_of_cells(&a), number_b = number_of_cells(&b);
    CHECK(number_is(term_evaluate(ts, x.term, assignment), x.value));
    CHECK(number_equal(term_evaluate(ts, a.term, assignment), number_a));
    bool same = number_is(term_evaluate(ts, term_eq(ts, a.term, b.term), assignment), 1);
    CHECK(same == number_equal(number_a, number_b));
    terms_free(ts);
  }
}

/* The compiled ones too, with arrays as values and as versions. The second stage needs what the first has. */
TEST(compiled_terms_have_the_same_values) {
  for (uint64_t round = 0; round < ROUNDS; round++) {
    start(round + 5000);
    made x = any_integer(5), a = any_array(5), b = any_array(4);
    term same = term_eq(ts, a.term, b.term), other = term_not(same), all[] = {x.term, a.term, same, other};
    bool is_same = number_equal(number_of_cells(&a), number_of_cells(&b));
    number in_versions[64];
    exact_code *c = exact_code_new(ts);
    array_versions *v = array_versions_new();
    exact_code_add(c, 2, all);
    exact_code_add(c, 2, all + 2);
    for (int i = 0; i < INTS; i++) in_versions[i] = assignment[i];
    for (int i = INTS; i < INTS + ARRAYS; i++) in_versions[i] = array_versions_of_value(v, ts, assignment[i]);
    for (int i = 0; i < 3; i++) { /* values, versions, and versions again */
      for (size_t j = 0; j < 2; j++) exact_code_run(c, j, i ? in_versions : assignment, i ? v : NULL);
      number array = exact_code_value(c, exact_code_place(c, a.term));
      CHECK(number_is(exact_code_value(c, exact_code_place(c, x.term)), x.value));
      CHECK(number_equal(i ? array_versions_value(v, ts, array) : array, number_of_cells(&a)));
      CHECK(number_is(exact_code_value(c, exact_code_place(c, same)), is_same));
      CHECK(number_is(exact_code_value(c, exact_code_place(c, other)), !is_same));
    }
    exact_code_free(c);
    array_versions_free(v);
    terms_free(ts);
  }
}

/* Versions against array values, old ones and new ones in any order, some indices and elements beyond 64 bits. */
TEST(versions_have_the_elements_that_were_written) {
  enum { VERSIONS = 3000, INDICES = 40 };
  start(9);
  number values[VERSIONS], versions[VERSIONS], large = number_mul(number_of(INT64_MAX), number_of(INT64_MAX));
  array_versions *v = array_versions_new();
  values[0] = array_value_of(ts, number_of(2), 0, NULL);
  versions[0] = array_versions_constant(v, number_of(2));
  for (int i = 1; i < VERSIONS; i++) {
    int from = draw(3) ? i - 1 : (int)draw((uint64_t)i);
    number index = number_of((int64_t)draw(INDICES) - 5), element = number_of((int64_t)draw(4));
    if (!draw(20)) index = number_add(large, index);
    if (!draw(20)) element = large;
    values[i] = array_value_with(ts, values[from], index, element);
    versions[i] = array_versions_with(v, versions[from], index, element);
    int other = (int)draw((uint64_t)i), third = (int)draw((uint64_t)i);
    number at = number_of((int64_t)draw(INDICES) - 5);
    CHECK(number_equal(array_versions_at(v, versions[other], at), array_value_at(ts, values[other], at)));
    CHECK(number_equal(array_versions_at(v, versions[i], index), element));
    CHECK(array_versions_same(v, versions[other], versions[third]) == number_equal(values[other], values[third]));
  }
  for (int i = 0; i < VERSIONS; i += 7) CHECK(number_equal(array_versions_value(v, ts, versions[i]), values[i]));
  array_versions_forget_values(v);
  for (int i = 0; i < VERSIONS; i += 11) CHECK(number_equal(array_versions_value(v, ts, versions[i]), values[i]));
  CHECK(!array_versions_same(v, versions[0], array_versions_constant(v, number_of(3))));
  CHECK(array_versions_same(v, versions[0], array_versions_constant(v, number_of(2))));
  array_versions_free(v);
  terms_free(ts);
}

/* A look at an old version far away is a copy, not a way through all of them each time. */
TEST(old_versions_stay_as_they_were) {
  enum { LENGTH = 5000 };
  start(11);
  array_versions *v = array_versions_new();
  number first = array_versions_constant(v, number_of(0)), last = first, middle = first;
  for (int64_t i = 0; i < LENGTH; i++) {
    last = array_versions_with(v, last, number_of(i), number_of(i + 1));
    if (i == LENGTH / 2) middle = last;
    CHECK(number_is(array_versions_at(v, first, number_of(i)), 0));
  }
  for (int64_t i = 0; i < LENGTH; i++) {
    CHECK(number_is(array_versions_at(v, last, number_of(i)), i + 1));
    CHECK(number_is(array_versions_at(v, middle, number_of(i)), i <= LENGTH / 2 ? i + 1 : 0));
    CHECK(number_is(array_versions_at(v, first, number_of(i)), 0));
  }
  array_versions_free(v);
  terms_free(ts);
}

/* Z3 finds no other value, and the value that it gives an array is the one. */
TEST(the_solver_agrees) {
  for (uint64_t round = 0; round < ROUNDS / 8; round++) {
    start(round + 1000);
    budget b = {0};
    made a = any_array(4), x = any_integer(4);
    variable result = variable_fresh(ts, "result", &(type){.sort = SORT_ARRAY, .element = SORT_INT});
    type array = {.sort = SORT_ARRAY, .element = SORT_INT};
    solver *s = solver_new(ts, &b);
    for (int i = 0; i < INTS; i++) solver_assert(s, term_eq(ts, ints[i].term, term_int(ts, ints[i].value)));
    for (int i = 0; i < ARRAYS; i++)
      solver_assert(s, term_eq(ts, arrays[i].term, term_of_any_value(ts, &array, number_of_cells(&arrays[i]))));
    solver_assert(s, term_eq(ts, term_of_variable(ts, result), a.term));
    CHECK(answer_is_yes(solver_check(s, 0)));
    CHECK(number_equal(solver_value(s, result), number_of_cells(&a)));
    CHECK(answer_is_no(solver_satisfiable(s, term_not(term_eq(ts, x.term, term_int(ts, x.value))))));
    solver_free(s);
    terms_free(ts);
  }
}

TEST(values_are_kept_once) {
  start(1);
  array_entry forth[] = {{number_of(1), number_of(7)}, {number_of(5), number_of(2)}, {number_of(5), number_of(8)}};
  array_entry back[] = {{number_of(5), number_of(8)}, {number_of(9), number_of(0)}, {number_of(1), number_of(7)}};
  number a = array_value_of(ts, number_of(0), 3, forth), zeros = array_value_of(ts, number_of(0), 0, NULL);
  CHECK(number_equal(a, array_value_of(ts, number_of(0), 3, back)));
  CHECK(number_is(zeros, 0));
  CHECK(!number_equal(a, array_value_of(ts, number_of(1), 3, back)));
  CHECK(number_is(array_value_at(ts, a, number_of(5)), 8));
  CHECK(number_is(array_value_at(ts, a, number_of(6)), 0));
  number other = array_value_with(ts, a, number_of(5), number_of(0));
  CHECK(array_value_look(ts, other).count == 1);
  CHECK(number_equal(array_value_with(ts, other, number_of(1), number_of(0)), zeros));
  CHECK(number_equal(array_value_with(ts, other, number_of(5), number_of(8)), a));
  CHECK(array_value_is_of(ts, a, &of_integers) && !array_value_is_of(ts, a, &of_truths));
  CHECK(!array_value_is_of(ts, number_of(1000000), &of_integers) &&
        !array_value_is_of(ts, number_of(-1), &of_integers));
  terms *copy = terms_copy(ts);
  CHECK(number_equal(array_value_of(copy, number_of(0), 3, back), a));
  terms_free(copy);
  terms_free(ts);
}

/* Arrays of arrays are those of the numbers of their rows. */
TEST(arrays_of_arrays) {
  static const type rows = {.sort = SORT_ARRAY, .element = SORT_INT, .nesting = 1};
  start(4);
  number row = array_value_of(ts, number_of(0), 1, (array_entry[]){{number_of(2), number_of(5)}});
  number whole = array_value_of(ts, number_of(0), 1, (array_entry[]){{number_of(1), row}});
  CHECK(array_value_is_of(ts, whole, &rows) && array_value_is_of(ts, whole, &rows));
  CHECK(array_value_is_of(ts, number_of(0), &rows));
  CHECK(!array_value_is_of(ts, array_value_with(ts, whole, number_of(3), number_of(-7)), &rows));
  variable a = variable_new(ts, "matrix", &rows);
  term t = term_of_variable(ts, a), one = term_int(ts, 1), two = term_int(ts, 2);
  CHECK(term_nesting(ts, t) == 1 && term_sort(ts, term_select(ts, t, one)) == SORT_ARRAY);
  CHECK(term_sort(ts, term_select(ts, term_select(ts, t, one), two)) == SORT_INT);
  number *values = MEMORY_ARRAY(number, variable_count(ts));
  values[a.x] = whole;
  CHECK(number_is(term_evaluate(ts, term_select(ts, term_select(ts, t, one), two), values), 5));
  term changed = term_store(ts, t, one, term_store(ts, term_select(ts, t, one), two, term_int(ts, 0)));
  CHECK(number_is(term_evaluate(ts, changed, values), 0));
  CHECK(term_same(term_select(ts, term_select(ts, changed, one), two), term_int(ts, 0)));
  CHECK(number_equal(term_evaluate(ts, term_of_any_value(ts, &rows, whole), values), whole));
  memory_free(values);
  terms_free(ts);
}

/* Writes in any order give one value; each is found, and how it was first made. */
TEST(many_writes_share_what_they_have_in_common) {
  enum { MANY = 20000 };
  start(3);
  number up = array_value_of(ts, number_of(7), 0, NULL), down = up, before, first = up;
  array_entry write;
  for (int64_t i = 0; i < MANY; i++) {
    number next = array_value_with(ts, up, number_of(i), number_of(i + 100));
    CHECK(array_value_origin(ts, next, &before, &write) && number_equal(before, up) && number_is(write.index, i));
    up = next;
  }
  for (int64_t i = MANY; i-- > 0;)
    down = array_value_with(ts, down, number_of(i * 7 % MANY), number_of(i * 7 % MANY + 100));
  CHECK(number_equal(up, down) && array_value_count(ts, up) == MANY && array_value_is_of(ts, up, &of_integers));
  CHECK(!array_value_is_of(ts, array_value_with(ts, up, number_of(5), number_quotient(number_of(1), number_of(2))),
                           &of_integers));
  array_value all = array_value_look(ts, up);
  for (int64_t i = 0; i < MANY; i++)
    CHECK(number_is(all.entries[i].index, i) && number_is(all.entries[i].element, i + 100));
  for (int64_t i = 0; i < MANY; i++) up = array_value_with(ts, up, number_of((i * 3 + 1) % MANY), number_of(7));
  CHECK(number_equal(up, first) && !array_value_count(ts, up));
  terms_free(ts);
}

TEST(arrays_since_a_mark_are_forgotten) {
  start(5);
  number kept = array_value_with(ts, number_of(0), number_of(3), number_of(4));
  array_mark mark = array_values_mark(ts);
  for (int64_t i = 0; i < 100; i++) array_value_with(ts, kept, number_of(i), number_of(9));
  array_values_release(ts, mark);
  number again = array_value_with(ts, number_of(0), number_of(3), number_of(4));
  CHECK(number_equal(again, kept) && array_values_mark(ts).values == mark.values);
  CHECK(!number_equal(array_value_with(ts, kept, number_of(50), number_of(9)), kept));
  CHECK(array_values_mark(ts).values == mark.values + 1);
  terms_free(ts);
}

/* Against a plain table, with elements that become the default again. */
TEST(random_writes) {
  start(4);
  int64_t plain[50] = {0};
  number value = number_of(0);
  for (int i = 0; i < 3000; i++) {
    int64_t index = (int64_t)draw(50), element = (int64_t)draw(3);
    plain[index] = element;
    value = array_value_with(ts, value, number_of(index), number_of(element));
    int64_t other = (int64_t)draw(50);
    CHECK(number_is(array_value_at(ts, value, number_of(other)), plain[other]));
    if (i % 100) continue;
    array_entry entries[50];
    size_t count = 0;
    for (int64_t j = 50; j-- > 0; count += plain[j] != 0)
      entries[49 - j] = (array_entry){number_of(j), number_of(plain[j])};
    CHECK(number_equal(value, array_value_of(ts, number_of(0), 50, entries)) && array_value_count(ts, value) == count);
  }
  terms_free(ts);
}

TEST(reads_of_writes_are_resolved_if_that_can_be_seen) {
  start(2);
  term a = arrays[0].term, i = ints[0].term, j = ints[1].term, next = term_add(ts, i, term_int(ts, 1));
  term both = term_store(ts, term_store(ts, a, i, term_int(ts, 7)), next, term_int(ts, 8));
  CHECK(term_same(term_select(ts, both, i), term_int(ts, 7)));
  CHECK(term_same(term_select(ts, both, next), term_int(ts, 8)));
  CHECK(term_kind_of(ts, term_select(ts, both, j)) == TERM_SELECT);
  CHECK(term_same(term_store(ts, a, i, term_select(ts, a, i)), a));
  CHECK(term_same(term_replace(ts, term_select(ts, both, j), term_variable(ts, j), next), term_int(ts, 8)));
  term constant = term_constant_array(ts, SORT_INT, j);
  CHECK(term_same(term_replace(ts, term_select(ts, a, i), term_variable(ts, a), constant), j));
  CHECK(!term_same(term_constant_array(ts, SORT_INT, term_int(ts, 0)),
                   term_constant_array(ts, SORT_REAL, term_int(ts, 0))));
  CHECK(term_sort(ts, term_select(ts, term_constant_array(ts, SORT_BOOL, TERM_TRUE), i)) == SORT_BOOL);
  CHECK(terms_have_arrays(ts) && terms_have_reals(ts));
  CHECK(!terms_check(ts));
  text words = {0};
  term_print_smtlib(ts, term_eq(ts, both, constant), &words);
  CHECK(strstr(text_string(&words), "(store (store |a0| |i0| 7)"), "%s", text_string(&words));
  CHECK(strstr(text_string(&words), "((as const (Array Int Int)) |i1|)"), "%s", text_string(&words));
  text_clear(&words);
  terms_free(ts);
}

TEST_MAIN
