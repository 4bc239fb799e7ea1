/* Counting out solutions, against trying every value. */
#include "random/random_expression.h"
#include "store/enumerate.h"
#include "unit/test.h"

static unsigned scaled(unsigned rounds) { return getenv("WHET_SANITIZED") ? rounds / 6 : rounds; }

enum { INTS = 3, BOOLS = 2, ALL = INTS + BOOLS, REACH = 9 };

static const enumeration_limits plenty = {.all = 100000, .some = 100000};

typedef VECTOR(int64_t) word_vector;

static bool keep(void *context, const int64_t *values) {
  word_vector *found = context;
  for (size_t i = 0; i < ALL; i++) VECTOR_PUSH(*found, values[i]);
  return true;
}

typedef struct setting {
  terms *ts;
  variable vars[ALL]; /* integers, then booleans */
  type types[ALL];
  raw *condition;
  term term;
} setting;

static setting random_setting(raw_source *s, bool bounded) {
  setting t = {.ts = terms_new()};
  for (size_t i = 0; i < ALL; i++) {
    char name[8];
    int64_t low = random_between(&s->random, -4, 2);
    snprintf(name, sizeof name, "v%zu", i);
    t.types[i] = i < INTS ? (type){.sort = SORT_INT,
                                   .has_low = bounded || random_below(&s->random, 2),
                                   .has_high = bounded || random_below(&s->random, 2),
                                   .low = number_of(low),
                                   .high = number_of(low + random_between(&s->random, 0, 5))}
                          : (type){.sort = SORT_BOOL};
    t.vars[i] = variable_new(t.ts, name, &t.types[i]);
  }
  t.condition = raw_boolean(s, 3);
  t.term = raw_term(t.ts, t.condition, t.vars, t.vars + INTS);
  /* A few plain atoms, which is what narrowing lives on. */
  for (uint64_t i = random_below(&s->random, 4); i > 0; i--) {
    raw *more = raw_boolean(s, 1), *both = arena_alloc(s->arena, sizeof *both);
    *both = (raw){.kind = RAW_AND, .a = t.condition, .b = more};
    t.condition = both;
    t.term = term_and(t.ts, t.term, raw_term(t.ts, more, t.vars, t.vars + INTS));
  }
  return t;
}

static bool is_solution(const setting *t, const int64_t *values) {
  number ints[INTS];
  bool bools[BOOLS];
  for (size_t i = 0; i < INTS; i++) {
    ints[i] = number_of(values[i]);
    if (t->types[i].has_low && values[i] < t->types[i].low.small) return false;
    if (t->types[i].has_high && values[i] > t->types[i].high.small) return false;
  }
  for (size_t i = 0; i < BOOLS; i++) bools[i] = values[INTS + i] != 0;
  return !number_is(raw_evaluate(t->condition, ints, bools), 0);
}

static bool was_found(const word_vector *found, const int64_t *values) {
  for (size_t i = 0; i < found->count; i += ALL)
    if (!memcmp(found->at + i, values, ALL * sizeof *values)) return true;
  return false;
}

/* Everything found is a solution and comes once; if it is said to be all, every solution within reach was found. */
static void check_found(const setting *t, const word_vector *found, bool is_all, uint64_t round) {
  for (size_t i = 0; i < found->count; i += ALL) {
    CHECK(is_solution(t, found->at + i), "round %llu", (unsigned long long)round);
    word_vector before = *found;
    before.count = i;
    CHECK(!was_found(&before, found->at + i), "round %llu", (unsigned long long)round);
  }
  if (!is_all) return;
  for (int64_t a = -REACH; a <= REACH; a++)
    for (int64_t b = -REACH; b <= REACH; b++)
      for (int64_t c = -REACH; c <= REACH; c++)
        for (int64_t d = 0; d < 4; d++) {
          int64_t values[ALL] = {a, b, c, d & 1, d >> 1};
          if (is_solution(t, values)) CHECK(was_found(found, values), "round %llu", (unsigned long long)round);
        }
}

static void compare(bool bounded, bool nonlinear, unsigned rounds, enumeration_limits limits, unsigned *complete) {
  raw_source s = {.random = {77}, .int_variables = INTS, .bool_variables = BOOLS, .nonlinear = nonlinear};
  for (uint64_t round = 0; round < rounds; round++) {
    s.arena = arena_new();
    setting t = random_setting(&s, bounded);
    enumerator *e = enumerator_new(t.ts, t.term, ALL, t.vars, 0, NULL, NULL);
    word_vector found = {0};
    enumeration result = enumerator_run(e, NULL, limits, NULL, keep, &found);
    CHECK(result.found * ALL == found.count);
    CHECK(!bounded || result.end == ENUMERATION_ALL, "%d", result.end);
    check_found(&t, &found, result.end == ENUMERATION_ALL, round);
    *complete += result.end == ENUMERATION_ALL;
    for (size_t i = 0; i < ALL; i++) {
      int64_t low, high;
      if (!enumerator_range(e, i, &low, &high)) continue;
      for (size_t k = 0; k < found.count; k += ALL) CHECK(found.at[k + i] >= low && found.at[k + i] <= high);
    }
    VECTOR_FREE(found);
    enumerator_free(e);
    terms_free(t.ts);
    arena_free(s.arena);
  }
}

TEST(all_solutions_within_bounds_are_found_once) {
  unsigned complete = 0;
  compare(true, false, scaled(150), plenty, &complete);
  compare(true, true, scaled(150), plenty, &complete);
}

TEST(without_bounds_what_is_called_all_is_all) {
  unsigned complete = 0;
  compare(false, false, scaled(200), (enumeration_limits){.all = 100000, .some = 300}, &complete);
  compare(false, true, scaled(200), (enumeration_limits){.all = 100000, .some = 300}, &complete);
  CHECK(complete > 10, "%u", complete);
}

/* Some variables known: as if their values were put in. */
TEST(known_values_narrow_the_rest) {
  raw_source s = {.random = {99}, .int_variables = INTS, .bool_variables = BOOLS};
  for (unsigned round = scaled(200); round > 0; round--) {
    s.arena = arena_new();
    setting t = random_setting(&s, true);
    enumerator *e = enumerator_new(t.ts, t.term, 2, t.vars, ALL - 2, t.vars + 2, NULL);
    for (int k = 0; k < 10; k++) {
      int64_t known[ALL - 2], count = 0;
      known[0] = random_between(&s.random, t.types[2].low.small, t.types[2].high.small);
      known[1] = (int64_t)random_below(&s.random, 2);
      known[2] = (int64_t)random_below(&s.random, 2);
      for (int64_t a = -REACH; a <= REACH; a++)
        for (int64_t b = -REACH; b <= REACH; b++) {
          int64_t values[ALL] = {a, b, known[0], known[1], known[2]};
          count += is_solution(&t, values);
        }
      word_vector found = {0};
      enumeration result = enumerator_run(e, known, plenty, NULL, keep, &found);
      CHECK(result.end == ENUMERATION_ALL && result.found == (uint64_t)count, "%u: %llu, wanted %lld", round,
            (unsigned long long)result.found, (long long)count);
      VECTOR_FREE(found);
    }
    enumerator_free(e);
    terms_free(t.ts);
    arena_free(s.arena);
  }
}

static bool count_and_stop(void *context, const int64_t *values) {
  unsigned *left = context;
  (void)values;
  return --*left > 0;
}

TEST(limits_and_visitors_end_it) {
  terms *ts = terms_new();
  type any = {.sort = SORT_INT},
       wide = {.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(0), .high = number_of(99999)};
  variable x = variable_new(ts, "x", &any), y = variable_new(ts, "y", &wide);
  unsigned left = 1000000;
  enumerator *e = enumerator_new(ts, TERM_TRUE, 1, &x, 0, NULL, NULL);
  enumeration r = enumerator_run(e, NULL, (enumeration_limits){.all = 5, .some = 7}, NULL, count_and_stop, &left);
  CHECK(r.end == ENUMERATION_UNBOUNDED && r.found == 7 && variable_same(r.blame, x));
  left = 3;
  r = enumerator_run(e, NULL, (enumeration_limits){.all = 5, .some = 7}, NULL, count_and_stop, &left);
  CHECK(r.end == ENUMERATION_STOPPED && r.found == 3);
  enumerator_free(e);
  left = 1000000;
  e = enumerator_new(ts, TERM_TRUE, 1, &y, 0, NULL, NULL);
  r = enumerator_run(e, NULL, (enumeration_limits){.all = 500, .some = 7}, NULL, count_and_stop, &left);
  CHECK(r.end == ENUMERATION_TOO_MANY && r.found == 500);
  r = enumerator_run(e, NULL, (enumeration_limits){.all = 100000, .some = 7}, NULL, count_and_stop, &left);
  CHECK(r.end == ENUMERATION_ALL && r.found == 100000);
  atomic_bool stop = true;
  budget spent = {.stop = &stop};
  r = enumerator_run(e, NULL, (enumeration_limits){.all = 100000, .some = 7}, &spent, count_and_stop, &left);
  CHECK(r.end == ENUMERATION_STOPPED && r.found == 0);
  enumerator_free(e);
  terms_free(ts);
}

TEST_MAIN
