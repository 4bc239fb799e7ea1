/* alpha on random models, against the slow meaning and Z3's unrolling: with places and without, with the prover and
 * without. */
#include "random/random_expect.h"

static void expect(const random_check *c, unsigned least_decided) {
  random_tally t = expect_no_finding(c);
  CHECK(t.unchecked <= 1 + t.models / 50, "%u unchecked", t.unchecked);
  CHECK(t.decided >= least_decided * t.models / 100, "%u decided of %u models", t.decided, t.models);
}

TEST(finite) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "finite",
                         .first_seed = 1,
                         .seeds = random_rounds(50),
                         .reread_every = 4,
                         .work = 500000},
         100);
}

TEST(kept_everywhere) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "finite",
                         .options = "global-predicates",
                         .first_seed = 50001,
                         .seeds = random_rounds(18),
                         .work = 500000},
         100);
}

TEST(depth_first) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "finite",
                         .options = "order=dfs",
                         .first_seed = 60001,
                         .seeds = random_rounds(18),
                         .work = 500000},
         100);
}

TEST(lightweight) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "finite",
                         .options = "lightweight",
                         .first_seed = 70001,
                         .seeds = random_rounds(18),
                         .work = 500000},
         50);
}

TEST(by_the_property) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "infinite",
                         .options = "exactness=property",
                         .first_seed = 75001,
                         .seeds = random_rounds(12),
                         .unroll_every = 2,
                         .work = 500000},
         0);
}

TEST(paper_account) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "linear",
                         .options = "account=paper",
                         .first_seed = 80001,
                         .seeds = random_rounds(18),
                         .unroll_every = 4,
                         .work = 500000},
         0);
}

TEST(unbounded) {
  expect(&(random_check){.engine = "alpha",
                         .knobs = "infinite",
                         .first_seed = 90001,
                         .seeds = random_rounds(18),
                         .unroll_every = 2,
                         .work = 500000},
         0);
}

TEST_MAIN
