/* spacer on random models of every feature, against the slow meaning, Z3's unrolling and the checker of evidence. */
#include "random/random_expect.h"

TEST(finite_models) {
  expect_both_verdicts(&(random_check){.engine = "spacer",
                                       .knobs = "finite",
                                       .first_seed = 3001,
                                       .seeds = random_rounds(25),
                                       .work = 500000,
                                       .reread_every = 2});
}
TEST(linear_models) {
  expect_both_verdicts(&(random_check){.engine = "spacer",
                                       .knobs = "linear",
                                       .first_seed = 3501,
                                       .seeds = random_rounds(20),
                                       .work = 500000,
                                       .unroll_every = 2});
}
TEST(unbounded_models) {
  expect_both_verdicts(&(random_check){.engine = "spacer",
                                       .knobs = "infinite",
                                       .first_seed = 4001,
                                       .seeds = random_rounds(20),
                                       .work = 500000,
                                       .unroll_every = 2});
}

TEST_MAIN
