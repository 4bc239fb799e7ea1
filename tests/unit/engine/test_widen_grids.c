/* Grids and tightening, against points enumerated. */
#include "base/random.h"
#include "set/grids.h"
#include "unit/test.h"

enum { WINDOW = 7 };

static polyhedra *space;

static void begin(void) {
  space = polyhedra_new(NULL);
  polyhedra_allow(space, 0);
}

static void end(void) {
  CHECK(!polyhedra_failure(space), "%s", polyhedra_failure(space));
  polyhedra_free(space);
}

static linear_row row(bool equality, int64_t constant, int64_t x, int64_t y) {
  linear_row r = row_new(2);
  r.equality = equality;
  r.at[0] = number_of(constant), r.at[1] = number_of(x), r.at[2] = number_of(y);
  return r;
}

static int64_t small(number n) {
  int64_t value = 0;
  CHECK(number_to_int64(n, &value));
  return value;
}

static int64_t value_at(const linear_row *r, int64_t x, int64_t y) {
  return small(r->at[0]) + small(r->at[1]) * x + small(r->at[2]) * y;
}

static bool has(const grid *g, int64_t x, int64_t y) {
  congruence_vector all = {0};
  bool yes = !grid_is_empty(g);
  grid_congruences(g, &all);
  for (size_t i = 0; i < all.count && yes; i++) {
    int64_t value = value_at(&all.at[i].value, x, y), modulus = small(all.at[i].modulus);
    yes = modulus ? value % modulus == 0 : value == 0;
  }
  congruences_clear(&all);
  return yes;
}

static void add(grid *g, int64_t constant, int64_t x, int64_t y) {
  linear_row r = row(true, constant, x, y);
  grid_add(g, &r);
  row_clear(&r);
}

static grid *point(int64_t x, int64_t y) {
  grid *g = grid_integers(space, 2);
  add(g, -x, 1, 0), add(g, -y, 0, 1);
  return g;
}

static void join_point(grid *g, int64_t x, int64_t y) {
  grid *p = point(x, y);
  grid_join(g, p);
  grid_free(p);
}

/* A lattice of two independent vectors has as many points in a square as long as its determinant. */
TEST(joined_points_span_what_they_must_and_no_more) {
  begin();
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_source r = {seed};
    int64_t px = random_between(&r, -5, 5), py = random_between(&r, -5, 5), ux = random_between(&r, -4, 4),
            uy = random_between(&r, -4, 4), vx = random_between(&r, -4, 4), vy = random_between(&r, -4, 4);
    int64_t size = ux * vy - uy * vx, count = 0;
    if (size < 0) size = -size;
    grid *g = point(px, py);
    join_point(g, px + ux, py + uy);
    join_point(g, px + vx, py + vy);
    for (int64_t i = -3; i <= 3; i++)
      for (int64_t j = -3; j <= 3; j++)
        CHECK(has(g, px + i * ux + j * vx, py + i * uy + j * vy), "seed %u", (unsigned)seed);
    for (int64_t x = 0; x < size; x++)
      for (int64_t y = 0; y < size; y++) count += has(g, x, y);
    CHECK(count == size, "seed %u: %d points, wanted %d", (unsigned)seed, (int)count, (int)size);
    grid_free(g);
  }
  end();
}

TEST(assignments_move_points) {
  begin();
  grid *g = point(1, 2);
  join_point(g, 4, 2);
  join_point(g, 1, 7); /* x = 1 modulo 3, y = 2 modulo 5 */
  linear_row sum = row(false, 1, 2, 1);
  grid_assign(g, 0, &sum); /* x := 2 x + y + 1 */
  for (int64_t i = -3; i <= 3; i++)
    for (int64_t j = -3; j <= 3; j++) CHECK(has(g, 2 * (1 + 3 * i) + 2 + 5 * j + 1, 2 + 5 * j));
  CHECK(!has(g, 6, 2) && !has(g, 5, 3));
  number step, one;
  linear_row y = row(false, 0, 0, 1);
  CHECK(grid_values(g, &y, &step, &one) && number_is(step, 5) && small(number_mod(one, step)) == 2);
  grid_extend(g, 1);
  grid_project(g, 1);
  grid *any = grid_integers(space, 1), *none = grid_nothing(space, 1);
  CHECK(grid_contains(g, any) && grid_contains(any, g) && grid_contains(g, none) && !grid_contains(none, g));
  CHECK(grid_is_empty(none) &&
        !grid_values(none, &(linear_row){.count = 1, .at = (number[]){number_of(0)}}, &step, &one));
  grid_free(g), grid_free(any), grid_free(none);
  row_clear(&sum), row_clear(&y);
  end();
}

static bool in_polyhedron(const polyhedron *p, int64_t x, int64_t y) {
  row_vector rows = {0};
  bool yes = !polyhedron_is_empty(p);
  polyhedron_rows(p, &rows);
  for (size_t i = 0; i < rows.count && yes; i++) {
    int64_t value = value_at(&rows.at[i], x, y);
    yes = rows.at[i].equality ? value == 0 : value >= 0;
  }
  rows_clear(&rows);
  return yes;
}

TEST(tightening_loses_no_point_of_the_grid) {
  begin();
  unsigned smaller = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    random_source r = {1000 + seed};
    grid *g = point(random_between(&r, -3, 3), random_between(&r, -3, 3));
    for (int i = 0; i < 2; i++) join_point(g, random_between(&r, -6, 6), random_between(&r, -6, 6));
    polyhedron *p = polyhedron_universe(space, 2), *tight;
    for (int i = 0; i < 3; i++) {
      linear_row limit = row(random_below(&r, 8) == 0, random_between(&r, -5, 9), random_between(&r, -3, 3),
                             random_between(&r, -3, 3));
      polyhedron_add(p, &limit);
      row_clear(&limit);
    }
    tight = polyhedron_copy(p);
    polyhedron_tighten(tight, g);
    CHECK(polyhedron_contains(p, tight), "seed %u", (unsigned)seed);
    smaller += !polyhedron_contains(tight, p);
    for (int64_t x = -WINDOW; x <= WINDOW; x++)
      for (int64_t y = -WINDOW; y <= WINDOW; y++)
        CHECK(!(has(g, x, y) && in_polyhedron(p, x, y)) || in_polyhedron(tight, x, y), "seed %u: %d, %d",
              (unsigned)seed, (int)x, (int)y);
    polyhedron_free(p), polyhedron_free(tight);
    grid_free(g);
  }
  CHECK(smaller >= 20, "%u", smaller);
  end();
}

TEST(an_equality_that_no_point_satisfies_leaves_nothing) {
  begin();
  grid *g = point(0, 0);
  join_point(g, 2, 0), join_point(g, 0, 4);
  polyhedron *p = polyhedron_universe(space, 3);
  linear_row odd = row_new(3); /* x + y = 2 z + 1, z any integer */
  odd.equality = true;
  odd.at[0] = number_of(-1), odd.at[1] = number_of(1), odd.at[2] = number_of(1), odd.at[3] = number_of(-2);
  polyhedron_add(p, &odd);
  CHECK(!polyhedron_is_empty(p));
  polyhedron_tighten(p, g);
  CHECK(polyhedron_is_empty(p));
  row_clear(&odd);
  polyhedron_free(p);
  grid_free(g);
  end();
}

TEST_MAIN
