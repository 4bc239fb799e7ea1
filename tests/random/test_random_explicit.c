/* The explicit engine on random finite models, in every order and with threads, against the slow meaning and Z3's
 * unrolling. */
#include "random/random_expect.h"

static random_tally run(const random_check *c) {
  random_tally t = expect_no_finding(c);
  CHECK(t.unchecked <= 1 + t.models / 50, "%u unchecked", t.unchecked);
  return t;
}

static void expect(const random_check *c) {
  random_tally t = run(c);
  CHECK(t.decided > t.models && t.safe > t.models / 4 && t.unsafe > t.models / 4);
}

TEST(breadth_first) {
  expect(&(random_check){.engine = "explicit",
                         .knobs = "finite",
                         .first_seed = 1,
                         .seeds = random_rounds(120),
                         .reread_every = 4,
                         .shortest = true,
                         .complete = true});
}

TEST(depth_first) {
  expect(&(random_check){.engine = "explicit",
                         .knobs = "finite",
                         .options = "order=dfs",
                         .first_seed = 10001,
                         .seeds = random_rounds(60),
                         .complete = true});
}

TEST(two_threads) {
  expect(&(random_check){.engine = "explicit",
                         .knobs = "finite",
                         .options = "threads=2",
                         .first_seed = 20001,
                         .seeds = random_rounds(60),
                         .shortest = true,
                         .complete = true});
}

TEST(unrolled_by_z3) {
  expect(&(random_check){.engine = "explicit",
                         .knobs = "tiny",
                         .first_seed = 30001,
                         .seeds = random_rounds(60),
                         .unroll_every = 1,
                         .shortest = true,
                         .complete = true});
}

/* States without end: a run that breaks the property may be found, SAFE must not be said of what was not seen. */
TEST(unbounded) {
  run(&(random_check){.engine = "explicit",
                      .knobs = "infinite",
                      .first_seed = 40001,
                      .seeds = random_rounds(60),
                      .unroll_every = 4,
                      .work = 200000});
}

TEST_MAIN
