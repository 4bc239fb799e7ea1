/* Polyhedra that keep strict constraints, rows with fractions, and projection to some dimensions, against points enumerated. */
#include "base/random.h"
#include "set/powerset.h"
#include "unit/test.h"

enum { WINDOW = 6, ROUNDS = 200 };

static polyhedra *space;

static void begin(bool strict) {
  space = polyhedra_new(NULL);
  if (strict) polyhedra_keep_strict(space);
  polyhedra_allow(space, 0);
}

static void end(void) {
  CHECK(!polyhedra_failure(space), "%s", polyhedra_failure(space));
  polyhedra_free(space);
}

static number half(int64_t n) { return number_quotient(number_of(n), number_of(2)); }

static number value_at(const linear_row *r, number x, number y) {
  return number_add(r->at[0], number_add(number_mul(r->at[1], x), number_mul(r->at[2], y)));
}

static bool holds(const linear_row *r, number x, number y) {
  int sign = number_sign(value_at(r, x, y));
  return r->equality ? sign == 0 : r->strict ? sign > 0 : sign >= 0;
}

static linear_row row_of(int64_t constant, int64_t x, int64_t y) {
  linear_row r = row_new(2);
  r.at[0] = half(constant), r.at[1] = half(x), r.at[2] = half(y);
  return r;
}

static linear_row random_row(random_source *random) {
  linear_row r = row_of(random_between(random, -4, 4), random_between(random, -2, 2), random_between(random, -2, 2));
  r.equality = random_below(random, 6) == 0;
  r.strict = !r.equality && random_below(random, 2);
  return r;
}

static polyhedron *point(number x, number y) {
  polyhedron *p = polyhedron_universe(space, 2);
  for (size_t i = 0; i < 2; i++) {
    linear_row r = row_new(2);
    r.equality = true;
    r.at[0] = number_negate(i ? y : x);
    r.at[i + 1] = number_of(1);
    polyhedron_add(p, &r);
    row_clear(&r);
  }
  return p;
}

static bool has(const polyhedron *p, number x, number y) {
  polyhedron *one = point(x, y);
  bool yes = polyhedron_contains(p, one);
  polyhedron_free(one);
  return yes;
}

TEST(strict_rows_are_what_they_say) {
  random_source random = {5};
  begin(true);
  for (size_t round = 0; round < ROUNDS; round++) {
    linear_row rows[3];
    polyhedron *p = polyhedron_universe(space, 2);
    for (size_t i = 0; i < 3; i++) {
      rows[i] = random_row(&random);
      polyhedron_add(p, &rows[i]);
    }
    row_vector read = {0};
    polyhedron_rows(p, &read);
    for (int64_t x = -WINDOW; x <= WINDOW; x++)
      for (int64_t y = -WINDOW; y <= WINDOW; y++) {
        bool expected = true, again = true;
        for (size_t i = 0; i < 3; i++) expected &= holds(&rows[i], half(x), half(y));
        for (size_t i = 0; i < read.count; i++) again &= holds(&read.at[i], half(x), half(y));
        CHECK(has(p, half(x), half(y)) == expected && again == expected, "round %zu", round);
      }
    for (size_t i = 0; i < 3; i++) row_clear(&rows[i]);
    rows_clear(&read);
    polyhedron_free(p);
  }
  end();
}

/* Over closed polyhedra a strict row counts as if it were not. */
TEST(without_strictness_bounds_belong_to_the_set) {
  for (int strict = 0; strict <= 1; strict++) {
    begin(strict);
    polyhedron *p = polyhedron_universe(space, 2);
    linear_row r = row_of(-2, 2, 0);
    number n, d;
    r.strict = true;
    polyhedron_add(p, &r);
    CHECK(polyhedra_keeps_strict(space) == (bool)strict);
    CHECK(has(p, number_of(1), number_of(0)) == !strict && has(p, half(3), number_of(0)));
    CHECK(polyhedron_has_point(p) && polyhedron_lowest(p, &r, &n, &d) && number_equal(n, d));
    CHECK(polyhedron_always(p, &r) && polyhedron_implies(p, &r));
    linear_row other = row_of(2, -2, 0);
    polyhedron_add(p, &other);
    CHECK(polyhedron_is_empty(p) == (bool)strict && polyhedron_has_point(p) == !strict);
    row_clear(&r), row_clear(&other);
    polyhedron_free(p);
    end();
  }
}

/* A point is in the projection exactly if the line above it meets the set; kept dimensions may change places. */
TEST(projection_to_dimensions_in_any_order) {
  random_source random = {8};
  for (size_t round = 0; round < ROUNDS; round++) {
    begin(round % 2);
    polyhedron *p = polyhedron_universe(space, 2);
    for (size_t i = 0; i < 3; i++) {
      linear_row r = random_row(&random);
      polyhedron_add(p, &r);
      row_clear(&r);
    }
    polyhedron *second = polyhedron_copy(p), *turned = polyhedron_copy(p);
    polyhedron_keep(second, 1, (size_t[]){1});
    polyhedron_keep(turned, 2, (size_t[]){1, 0});
    CHECK(polyhedron_dimension(second) == 1 && polyhedron_dimension(turned) == 2);
    for (int64_t y = -WINDOW; y <= WINDOW; y++) {
      polyhedron *line = polyhedron_copy(p), *at = polyhedron_copy(second);
      linear_row r = row_of(-y, 0, 2), shorter = row_new(1);
      r.equality = shorter.equality = true;
      shorter.at[0] = r.at[0], shorter.at[1] = r.at[2];
      polyhedron_add(line, &r);
      polyhedron_add(at, &shorter);
      CHECK(polyhedron_is_empty(line) == polyhedron_is_empty(at), "round %zu, y = %d/2", round, (int)y);
      for (int64_t x = -WINDOW; x <= WINDOW; x++)
        CHECK(has(p, half(x), half(y)) == has(turned, half(y), half(x)), "round %zu", round);
      row_clear(&r), row_clear(&shorter);
      polyhedron_free(line), polyhedron_free(at);
    }
    polyhedron_free(p), polyhedron_free(second), polyhedron_free(turned);
    end();
  }
}

/* x := (x + 1) / 2, and back. */
TEST(values_with_fractions) {
  begin(true);
  polyhedron *p = point(number_of(4), half(1));
  linear_row value = row_of(1, 1, 0);
  polyhedron_assign(p, 0, &value);
  CHECK(has(p, half(5), half(1)) && !has(p, number_of(4), half(1)));
  polyhedron_assign_back(p, 0, &value);
  CHECK(has(p, number_of(4), half(1)) && !has(p, half(5), half(1)));
  row_clear(&value);
  polyhedron_free(p);
  end();
}

/* Hulls and widenings hold what they are made of, and the hull of an open and a closed set keeps its open side. */
TEST(hulls_and_widenings_of_open_sets) {
  static const widening all[] = {WIDENING_H79, WIDENING_CH78, WIDENING_BHRZ03};
  random_source random = {13};
  begin(true);
  for (size_t round = 0; round < ROUNDS; round++) {
    polyhedron *p = polyhedron_universe(space, 2), *q = polyhedron_universe(space, 2);
    for (size_t i = 0; i < 6; i++) {
      linear_row r = random_row(&random);
      polyhedron_add(i % 2 ? p : q, &r);
      row_clear(&r);
    }
    polyhedron *hull = polyhedron_copy(p), *weak = polyhedron_copy(p);
    polyhedron_hull(hull, q);
    polyhedron_weak_hull(weak, q);
    CHECK(polyhedron_contains(hull, p) && polyhedron_contains(hull, q) && polyhedron_contains(weak, hull));
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
      polyhedron *wide = polyhedron_copy(hull);
      polyhedron_widen(wide, p, all[i], NULL);
      CHECK(polyhedron_contains(wide, hull), "round %zu, widening %zu", round, i);
      polyhedron_free(wide);
    }
    polyhedron_free(p), polyhedron_free(q), polyhedron_free(hull), polyhedron_free(weak);
  }
  end();
}

TEST_MAIN
