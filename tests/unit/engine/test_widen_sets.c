/* Polyhedra and their powersets: the sets printed in Gulavani, Rajamani 2006, laws, and membership of points counted
 * out by hand. */
#include "base/random.h"
#include "set/powerset.h"
#include "set/shapes.h"
#include "unit/test.h"

enum { X, M, N, DIMENSIONS };

static polyhedra *space;

static linear_row row(bool equality, int64_t constant, int64_t x, int64_t m, int64_t n) {
  linear_row r = row_new(DIMENSIONS);
  r.equality = equality;
  r.at[0] = number_of(constant), r.at[1] = number_of(x), r.at[2] = number_of(m), r.at[3] = number_of(n);
  return r;
}

static void add(polyhedron *p, bool equality, int64_t constant, int64_t x, int64_t m, int64_t n) {
  linear_row r = row(equality, constant, x, m, n);
  polyhedron_add(p, &r);
  row_clear(&r);
}

#define AT_LEAST(P, ...) add(P, false, __VA_ARGS__)
#define EQUAL(P, ...) add(P, true, __VA_ARGS__)

static polyhedron *universe(void) { return polyhedron_universe(space, DIMENSIONS); }

static powerset *set_of(polyhedron *p, polyhedron *q) {
  powerset *s = powerset_new(space, DIMENSIONS);
  if (p) powerset_add(s, p);
  if (q) powerset_add(s, q);
  return s;
}

static bool same(const powerset *a, const powerset *b) { return powerset_within(a, b) && powerset_within(b, a); }

static void begin(void) {
  space = polyhedra_new(NULL);
  polyhedra_allow(space, 0);
}

static void end(void) {
  CHECK(!polyhedra_failure(space), "%s", polyhedra_failure(space));
  polyhedra_free(space);
}

/* S0 = (0 <= x,m <= 2), its image by x+=2, m+=2. */
static polyhedron *square(int64_t low, int64_t high) {
  polyhedron *p = universe();
  AT_LEAST(p, -low, 1, 0, 0), AT_LEAST(p, high, -1, 0, 0), AT_LEAST(p, -low, 0, 1, 0), AT_LEAST(p, high, 0, -1, 0);
  return p;
}

static const widening all_widenings[] = {WIDENING_CH78, WIDENING_H79, WIDENING_BHRZ03};

TEST(figure_1a_first_widening_and_connector) {
  begin();
  for (size_t i = 0; i < 3; i++) {
    powerset_style style = {.widening = all_widenings[i]};
    powerset *s0 = set_of(square(0, 2), NULL), *image = set_of(square(2, 4), NULL), *u = powerset_join(s0, image);
    CHECK(powerset_count(u) == 2);
    CHECK(!powerset_precedes(s0, u));
    powerset *s1 = powerset_widen(s0, u, &style), *connected = powerset_connect(s0, u, &style);
    polyhedron *quadrant = universe(), *hull = square(0, 2), *other = square(2, 4);
    AT_LEAST(quadrant, 0, 1, 0, 0), AT_LEAST(quadrant, 0, 0, 1, 0);
    polyhedron_hull(hull, other);
    powerset *wanted = set_of(quadrant, NULL), *wanted_connected = set_of(hull, NULL);
    CHECK(same(s1, wanted), "widening %zu", i);
    CHECK(same(connected, wanted_connected), "widening %zu", i);
    CHECK(powerset_precedes(s0, connected));
    polyhedron_free(other);
    powerset *all[] = {s0, image, u, s1, connected, wanted, wanted_connected};
    for (size_t j = 0; j < ARRAY_LENGTH(all); j++) powerset_free(all[j]);
  }
  end();
}

/* Section 1 of the paper: (x>=0, m=0) and (m=0, x<=N, x>=1), (x<=N, x=m+1, m>=0). */
static powerset *figure_1b_s1(void) {
  polyhedron *p = universe();
  AT_LEAST(p, 0, 1, 0, 0), EQUAL(p, 0, 0, 1, 0);
  return set_of(p, NULL);
}

static polyhedron *on_the_way(int64_t distance) {
  polyhedron *p = universe();
  EQUAL(p, -distance, 1, -1, 0), AT_LEAST(p, 0, -1, 0, 1), AT_LEAST(p, 0, 0, 1, 0);
  return p;
}

TEST(figure_1b_second_widening_by_the_literal_formula) {
  begin();
  powerset_style style = {.widening = WIDENING_CH78};
  powerset *s1 = figure_1b_s1(), *image = set_of(on_the_way(1), NULL), *u = powerset_join(s1, image),
           *s2 = powerset_widen(s1, u, &style);
  polyhedron *p = universe();
  AT_LEAST(p, 0, 1, 0, 0), AT_LEAST(p, 0, 0, 1, 0);
  powerset *wanted = set_of(p, NULL);
  CHECK(same(s2, wanted));
  powerset *all[] = {s1, image, u, s2, wanted};
  for (size_t j = 0; j < ARRAY_LENGTH(all); j++) powerset_free(all[j]);
  end();
}

/* The connector must merge S_new with the second polyhedron of S2', not with the first; H79 then gives S3'. */
TEST(figure_1b_third_widening) {
  begin();
  powerset_style style = {.widening = WIDENING_H79};
  powerset *s1 = figure_1b_s1(), *way = set_of(on_the_way(1), NULL), *s2 = powerset_join(s1, way),
           *fresh = set_of(on_the_way(2), NULL), *u = powerset_join(s2, fresh),
           *connected = powerset_connect(s2, u, &style), *s3 = powerset_widen(s2, u, &style);
  polyhedron *band = universe(), *beyond = universe();
  AT_LEAST(band, 0, -1, 0, 1), AT_LEAST(band, 0, 0, 1, 0), AT_LEAST(band, -1, 1, -1, 0), AT_LEAST(band, 2, -1, 1, 0);
  AT_LEAST(beyond, 0, -1, 0, 1), AT_LEAST(beyond, 0, 0, 1, 0), AT_LEAST(beyond, -1, 1, -1, 0);
  powerset *band_set = set_of(band, NULL), *beyond_set = set_of(beyond, NULL);
  powerset *wanted_connected = powerset_join(s1, band_set), *wanted = powerset_join(s1, beyond_set);
  CHECK(powerset_count(s2) == 2 && powerset_count(u) == 3);
  CHECK(same(connected, wanted_connected));
  CHECK(same(s3, wanted));
  powerset *all[] = {s1, way, s2, fresh, u, connected, s3, band_set, beyond_set, wanted_connected, wanted};
  for (size_t j = 0; j < ARRAY_LENGTH(all); j++) powerset_free(all[j]);
  end();
}

/* BHRZ03 returns the hull if the dimension grows. */
/* PPL wants the larger one as the receiver; the other way round it would make nonsense of it. */
TEST(widening_holds_the_later_of_the_two) {
  begin();
  for (size_t i = 0; i < 3; i++) {
    polyhedron *earlier = square(0, 1), *later = square(0, 2), *wide = polyhedron_copy(later), *wanted = universe();
    AT_LEAST(wanted, 0, 1, 0, 0), AT_LEAST(wanted, 0, 0, 1, 0);
    polyhedron_widen(wide, earlier, all_widenings[i], NULL);
    CHECK(polyhedron_contains(wide, later) && polyhedron_contains(wide, earlier));
    CHECK(polyhedron_contains(wide, wanted) && polyhedron_contains(wanted, wide));
    row_vector limits = {0};
    VECTOR_PUSH(limits, row(false, 7, -1, 0, 0)); /* x <= 7 */
    VECTOR_PUSH(limits, row(false, 1, 0, -1, 0)); /* m <= 1, which `later` does not satisfy */
    polyhedron_free(wide);
    wide = polyhedron_copy(later);
    polyhedron_widen(wide, earlier, all_widenings[i], &limits);
    AT_LEAST(wanted, 7, -1, 0, 0);
    CHECK(polyhedron_contains(wide, wanted) && polyhedron_contains(wanted, wide));
    rows_clear(&limits);
    polyhedron_free(earlier), polyhedron_free(later), polyhedron_free(wide), polyhedron_free(wanted);
  }
  end();
}

TEST(hulls_of_many_constraints_are_weak_where_asked_for) {
  begin();
  powerset_style exact = {.widening = WIDENING_H79}, capped = {.widening = WIDENING_H79, .most_rows = 4};
  powerset *a = set_of(square(0, 2), NULL), *image = set_of(square(2, 4), NULL), *b = powerset_join(a, image);
  powerset *hull = powerset_connect(a, b, &exact), *weak = powerset_connect(a, b, &capped);
  CHECK(powerset_within(hull, weak) && !powerset_within(weak, hull)); /* the square 0..4 in place of the band in it */
  CHECK(powerset_precedes(a, weak));
  powerset *all[] = {a, image, b, hull, weak};
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++) powerset_free(all[i]);
  end();
}

static polyhedron *box(int64_t left, int64_t right, int64_t low, int64_t high) {
  polyhedron *p = universe();
  AT_LEAST(p, -left, 1, 0, 0), AT_LEAST(p, right, -1, 0, 0), AT_LEAST(p, -low, 0, 1, 0), AT_LEAST(p, high, 0, -1, 0);
  return p;
}

/* The rest, 5..6 x 0..1, can go to the left, to a larger box in the middle (six sides), or to the right: three least hulls. */
TEST(ties_between_least_merges_are_decided_by_the_style) {
  begin();
  powerset *a = set_of(box(0, 1, 0, 1), box(10, 11, -1, 2)), *third = set_of(box(20, 21, 0, 1), NULL);
  powerset *anchors = powerset_join(a, third), *rest = set_of(box(5, 6, 0, 1), NULL);
  powerset *b = powerset_join(anchors, rest);
  const merge_ties ties[] = {MERGE_TIES_OLDEST, MERGE_TIES_NEWEST, MERGE_TIES_MOST_ROWS};
  const int64_t grown[][4] = {{0, 6, 0, 1}, {5, 21, 0, 1}};
  for (size_t i = 0; i < ARRAY_LENGTH(ties); i++) {
    powerset_style style = {.widening = WIDENING_H79, .ties = ties[i]};
    powerset *merged = powerset_connect(anchors, b, &style);
    polyhedron *six = box(5, 11, -1, 2);
    AT_LEAST(six, -5, 1, 5, 0), AT_LEAST(six, 0, 1, -5, 0); /* m >= (5 - x) / 5, m <= x / 5 */
    powerset *wanted = set_of(six, NULL);
    if (i < 2) {
      powerset_free(wanted);
      wanted = set_of(box(grown[i][0], grown[i][1], grown[i][2], grown[i][3]), NULL);
    }
    powerset *all = powerset_join(anchors, wanted);
    CHECK(same(merged, all), "ties %zu", i);
    powerset_free(merged), powerset_free(wanted), powerset_free(all);
  }
  powerset *made[] = {a, third, anchors, rest, b};
  for (size_t i = 0; i < ARRAY_LENGTH(made); i++) powerset_free(made[i]);
  end();
}

static bool shape_is(const weak_shape *a, size_t count, const linear_row *rows) {
  weak_shape *other = shape_new(space, SHAPE_OCTAGON, DIMENSIONS, false);
  for (size_t i = 0; i < count; i++) shape_add(other, &rows[i]);
  bool same = shape_contains(a, other) && shape_contains(other, a);
  shape_free(other);
  return same;
}

TEST(octagons_join_assign_and_widen) {
  begin();
  linear_row x_is_0 = row(true, 0, 1, 0, 0), m_is_0 = row(true, 0, 0, 1, 0), step = row(false, 5, 1, 0, 0),
             same = row(false, 0, 1, 0, 0);
  linear_row wanted[] = {row(true, 0, 1, -1, 0), row(false, 0, 1, 0, 0)}, limit = row(false, 9, -1, 0, 0);
  weak_shape *a = shape_new(space, SHAPE_OCTAGON, DIMENSIONS, false),
             *nothing = shape_new(space, SHAPE_OCTAGON, DIMENSIONS, true);
  CHECK(shape_is_empty(nothing) && !shape_is_empty(a) && shape_contains(a, nothing));
  shape_add(a, &x_is_0), shape_add(a, &m_is_0);
  weak_shape *b = shape_copy(a);
  shape_assign(b, X, &step);
  shape_assign(b, M, &same); /* x, m := x + 5, x + 5 */
  shape_join(b, a);
  row_vector limits = {0};
  weak_shape *wide = shape_copy(b);
  shape_widen(wide, a, &limits);
  CHECK(shape_is(wide, 2, wanted));
  VECTOR_PUSH(limits, limit);
  shape_widen(b, a, &limits);
  linear_row with_limit[] = {wanted[0], wanted[1], limit};
  CHECK(shape_is(b, 3, with_limit));
  row_vector rows = {0};
  shape_rows(b, &rows);
  polyhedron *p = universe(), *q = universe();
  for (size_t i = 0; i < rows.count; i++) polyhedron_add(p, &rows.at[i]);
  for (size_t i = 0; i < 3; i++) polyhedron_add(q, &with_limit[i]);
  CHECK(polyhedron_contains(p, q) && polyhedron_contains(q, p));
  CHECK(polyhedron_always(p, &limit) && !polyhedron_always(p, &x_is_0));
  shape_extend(b, 2);
  shape_project(b, DIMENSIONS);
  CHECK(shape_is(b, 3, with_limit));
  polyhedron_free(p), polyhedron_free(q);
  shape_free(a), shape_free(b), shape_free(wide), shape_free(nothing);
  linear_row all[] = {x_is_0, m_is_0, step, same, wanted[0], wanted[1]};
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++) row_clear(&all[i]);
  rows_clear(&rows), rows_clear(&limits);
  end();
}

TEST(bhrz03_keeps_the_hull_of_a_point_and_its_image) {
  begin();
  powerset_style style = {.widening = WIDENING_BHRZ03};
  polyhedron *p = universe(), *q = universe(), *r = universe();
  EQUAL(p, 0, 1, 0, 0), EQUAL(p, 0, 0, 1, 0);
  EQUAL(q, -1, 1, 0, 0), EQUAL(q, 0, 0, 1, 0);
  AT_LEAST(r, 0, 1, 0, 0), AT_LEAST(r, 1, -1, 0, 0), EQUAL(r, 0, 0, 1, 0);
  powerset *s0 = set_of(p, NULL), *image = set_of(q, NULL), *u = powerset_join(s0, image),
           *s1 = powerset_widen(s0, u, &style), *wanted = set_of(r, NULL);
  CHECK(same(s1, wanted));
  powerset *all[] = {s0, image, u, s1, wanted};
  for (size_t j = 0; j < ARRAY_LENGTH(all); j++) powerset_free(all[j]);
  end();
}

TEST(assignments_and_their_preimages) {
  begin();
  polyhedron *p = square(0, 2);
  linear_row value = row(false, 3, 2, 0, 0); /* x := 2x + 3 */
  polyhedron_assign(p, X, &value);
  linear_row low = row(false, -3, 1, 0, 0), high = row(false, 7, -1, 0, 0), higher = row(false, 6, -1, 0, 0);
  CHECK(polyhedron_implies(p, &low) && polyhedron_implies(p, &high) && !polyhedron_implies(p, &higher));
  polyhedron_assign_back(p, X, &value);
  polyhedron *back = square(0, 2);
  CHECK(polyhedron_contains(back, p) && polyhedron_contains(p, back));
  polyhedron_extend(back, 2);
  CHECK(polyhedron_dimension(back) == DIMENSIONS + 2);
  polyhedron_project(back, DIMENSIONS);
  CHECK(polyhedron_contains(back, p) && polyhedron_contains(p, back));
  polyhedron_free(p), polyhedron_free(back);
  row_clear(&value), row_clear(&low), row_clear(&high), row_clear(&higher);
  end();
}

TEST(numbers_beyond_64_bits_come_back_as_they_went) {
  begin();
  polyhedron *p = universe();
  linear_row r = row(true, 0, 1, 0, 0);
  number large;
  const char *digits = "-123456789012345678901234567890";
  CHECK(number_parse(digits, strlen(digits), &large));
  r.at[0] = large;
  polyhedron_add(p, &r);
  row_vector rows = {0};
  polyhedron_rows(p, &rows);
  CHECK(rows.count == 1 && rows.at[0].equality && number_equal(rows.at[0].at[0], large) &&
        number_is(rows.at[0].at[1], 1));
  rows_clear(&rows), row_clear(&r), polyhedron_free(p);
  end();
}

TEST(work_runs_out_and_comes_back) {
  space = polyhedra_new(NULL);
  enum { MANY = 14 };
  polyhedra_allow(space, 200000);
  polyhedron *p = polyhedron_universe(space, MANY), *q = polyhedron_universe(space, MANY);
  for (size_t i = 0; i < MANY; i++) {
    linear_row r = row_new(MANY);
    r.at[i + 1] = number_of(1);
    polyhedron_add(p, &r), polyhedron_add(q, &r);
    r.at[i + 1] = number_of(-1), r.at[0] = number_of(1);
    polyhedron_add(p, &r);
    r.at[0] = number_of(100), r.at[(i + 3) % MANY + 1] = number_of(-2);
    polyhedron_add(q, &r);
    row_clear(&r);
  }
  polyhedron_hull(p, q);
  polyhedron_contains(p, q);
  CHECK(polyhedra_failure(space));
  CHECK(!polyhedron_contains(p, p) && !polyhedron_is_empty(p) && !polyhedron_meets(p, q));
  polyhedron_free(p), polyhedron_free(q);
  polyhedra_allow(space, 0);
  p = polyhedron_universe(space, MANY);
  CHECK(!polyhedron_is_empty(p) && polyhedron_contains(p, p));
  polyhedron_free(p);
  end();
}

/* ---- random sets of small boxes and half planes, against the points of a grid ---- */

enum { GRID = 4 };

static bool holds(const linear_row *r, const int64_t *at) {
  int64_t sum = r->at[0].small;
  for (size_t i = 0; i < DIMENSIONS; i++) sum += r->at[i + 1].small * at[i];
  return r->equality ? sum == 0 : sum >= 0;
}

static bool has_point(const powerset *s, const int64_t *at) {
  bool found = false;
  row_vector rows = {0};
  for (size_t i = 0; i < powerset_count(s) && !found; i++) {
    polyhedron_rows(powerset_at(s, i), &rows);
    found = true;
    for (size_t j = 0; j < rows.count; j++) found &= holds(&rows.at[j], at);
  }
  rows_clear(&rows);
  return found;
}

static powerset *random_set(random_source *r) {
  powerset *s = powerset_new(space, DIMENSIONS);
  for (uint64_t n = 1 + random_below(r, 3); n; n--) {
    polyhedron *p = universe();
    for (uint64_t k = 2 + random_below(r, 4); k; k--)
      add(p, random_below(r, 6) == 0, random_between(r, -3, 3), random_between(r, -2, 2), random_between(r, -2, 2),
          random_between(r, -1, 1));
    powerset_add(s, p);
  }
  return s;
}

TEST(random_sets_hold_the_points_they_must) {
  begin();
  for (uint64_t seed = 0; seed < 120; seed++) {
    random_source r = {seed};
    powerset *a = random_set(&r), *b = random_set(&r), *join = powerset_join(a, b), *meet = powerset_meet(a, b);
    powerset_style style = {.widening = all_widenings[seed % 3], .weak_hull = seed % 2};
    powerset *connected = powerset_connect(a, join, &style), *wide = powerset_widen(a, join, &style);
    CHECK(powerset_within(a, join) && powerset_within(b, join), "seed %u", (unsigned)seed);
    CHECK(powerset_within(meet, a) && powerset_within(meet, b), "seed %u", (unsigned)seed);
    CHECK(powerset_precedes(a, connected) && powerset_within(join, connected), "seed %u", (unsigned)seed);
    CHECK(powerset_within(connected, wide) && powerset_precedes(a, wide), "seed %u", (unsigned)seed);
    bool common = false;
    for (int64_t x = -GRID; x <= GRID; x++)
      for (int64_t m = -GRID; m <= GRID; m++)
        for (int64_t n = -GRID; n <= GRID; n++) {
          int64_t at[] = {x, m, n};
          bool in_a = has_point(a, at), in_b = has_point(b, at);
          CHECK(has_point(join, at) == (in_a || in_b), "seed %u", (unsigned)seed);
          CHECK(has_point(meet, at) == (in_a && in_b), "seed %u", (unsigned)seed);
          CHECK(!(in_a || in_b) || has_point(wide, at), "seed %u", (unsigned)seed);
          common |= in_a && in_b;
        }
    CHECK(!common || powerset_meets(a, b));
    CHECK(powerset_meets(a, b) == !powerset_is_empty(meet));
    powerset *all[] = {a, b, join, meet, connected, wide};
    for (size_t j = 0; j < ARRAY_LENGTH(all); j++) powerset_free(all[j]);
  }
  end();
}

/* Five squares apart from each other, of which `a` has the first: whatever is merged, nothing is lost. */
TEST(few_polyhedra_after_a_merge) {
  begin();
  for (size_t most = 0; most <= 4; most++) {
    powerset_style style = {.widening = WIDENING_H79, .most_parts = most};
    powerset *a = set_of(square(0, 1), square(10, 11)), *b = set_of(square(0, 1), square(10, 11));
    for (int64_t i = 2; i < 5; i++) powerset_add(b, square(10 * i, 10 * i + 1));
    powerset *connected = powerset_connect(a, b, &style), *widened = powerset_widen(a, b, &style);
    CHECK(powerset_count(connected) == (most == 1 ? 1 : 2), "%zu: %zu", most, powerset_count(connected));
    CHECK(powerset_within(b, connected) && powerset_within(connected, widened));
    CHECK(powerset_precedes(a, connected));
    /* If `a` precedes, [+] is the union, which is not capped; a widening is. */
    powerset *wide = set_of(square(0, 2), square(9, 12));
    powerset *again = powerset_connect(a, wide, &style), *wider = powerset_widen(a, wide, &style);
    CHECK(powerset_count(again) == 2 && powerset_within(wide, wider));
    if (most == 1) CHECK(powerset_count(wider) == 1);
    powerset *all[] = {a, b, connected, widened, wide, again, wider};
    for (size_t j = 0; j < ARRAY_LENGTH(all); j++) powerset_free(all[j]);
  }
  end();
}

TEST_MAIN
