#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/vector.h"
#include "unit/test.h"

static number parse(const char *s) {
  number n = number_of(-12345);
  CHECK(number_parse(s, strlen(s), &n), "%s", s);
  return n;
}

static void check_prints(number n, const char *wanted) {
  char *printed = number_string(n);
  CHECK_TEXT(printed, wanted);
  memory_free(printed);
}

TEST(numbers_cross_the_border_of_64_bits_and_come_back) {
  number max = number_of(INT64_MAX), min = number_of(INT64_MIN), one = number_of(1);
  number above = number_add(max, one), below = number_sub(min, one);
  CHECK(above.big && below.big);
  check_prints(above, "9223372036854775808");
  check_prints(below, "-9223372036854775809");
  CHECK(number_equal(number_sub(above, one), max));
  CHECK(number_equal(number_add(below, one), min));
  CHECK(number_equal(above, number_negate(min)));
  CHECK(number_equal(number_mul(max, max), parse("85070591730234615847396907784232501249")));
  CHECK(number_compare(below, min) < 0 && number_compare(above, max) > 0);
}

TEST(division_is_euclidean) {
  for (int64_t a = -20; a <= 20; a++)
    for (int64_t b = -7; b <= 7; b++) {
      if (!b) continue;
      number q = number_div(number_of(a), number_of(b)), r = number_mod(number_of(a), number_of(b));
      CHECK(r.small >= 0 && r.small < llabs(b) && b * q.small + r.small == a, "%lld %lld", (long long)a, (long long)b);
    }
  number big = parse("-100000000000000000000000000000000000001"), d = parse("-7");
  number q = number_div(big, d), r = number_mod(big, d);
  CHECK(number_sign(r) >= 0 && number_compare(r, number_of(7)) < 0);
  CHECK(number_equal(number_add(number_mul(q, d), r), big));
  CHECK(number_equal(number_div(number_of(INT64_MIN), number_of(-1)), parse("9223372036854775808")));
}

TEST(numbers_parse_only_whole_numbers) {
  number n;
  CHECK(!number_parse("", 0, &n) && !number_parse("-", 1, &n) && !number_parse("1x", 2, &n) &&
        !number_parse(" 1", 2, &n));
  CHECK(number_is(parse("-0"), 0));
  CHECK(number_equal(parse("-9223372036854775808"), number_of(INT64_MIN)));
  CHECK(!parse("-9223372036854775808").big);
}

TEST(rounding_goes_the_right_way) {
  CHECK(number_is(number_floor_div(number_of(-7), number_of(2)), -4));
  CHECK(number_is(number_ceil_div(number_of(-7), number_of(2)), -3));
  CHECK(number_is(number_ceil_div(number_of(7), number_of(2)), 4));
  CHECK(number_is(number_gcd(number_of(-12), number_of(18)), 6));
}

TEST(maps_keep_what_they_are_given) {
  map *m = map_new();
  random_source r = {7};
  for (uint64_t i = 0; i < 10000; i++) map_set(m, random_next(&r), i);
  r.state = 7;
  for (uint64_t i = 0; i < 10000; i++) {
    uint64_t v = 0;
    CHECK(map_get(m, random_next(&r), &v) && v == i);
  }
  CHECK(map_count(m) == 10000 && !map_get(m, 3, NULL));
  map_free(m);
}

TEST(the_nearest_name_is_found) {
  names *n = names_new();
  names_set(n, "waiting", 0);
  names_set(n, "critical", 1);
  CHECK_TEXT(names_nearest(n, "waitng"), "waiting");
  CHECK(!names_nearest(n, "zzzzz"));
  names_free(n);
}

TEST_MAIN
