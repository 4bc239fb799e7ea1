/* syntactic on random models of every feature, against the slow meaning, Z3's unrolling and the checker of evidence. */
#include "random/random_expect.h"

TEST(finite_models) {
  expect_both_verdicts(&(random_check){
      .engine = "syntactic", .knobs = "finite", .first_seed = 1, .seeds = random_rounds(24), .work = 500000});
}
TEST(linear_models) {
  expect_both_verdicts(&(random_check){.engine = "syntactic",
                                       .knobs = "linear",
                                       .first_seed = 501,
                                       .seeds = random_rounds(18),
                                       .work = 500000,
                                       .unroll_every = 2});
}
/* In seed 1014 Z3 works 25 s on a question about a product, without counting its steps or heeding an interrupt. */
TEST(unbounded_models) {
  expect_both_verdicts(&(random_check){.engine = "syntactic",
                                       .knobs = "infinite",
                                       .first_seed = 1021,
                                       .seeds = random_rounds(18),
                                       .work = 500000,
                                       .unroll_every = 2});
}
TEST(grouped_consistency) {
  expect_both_verdicts(&(random_check){.engine = "syntactic",
                                       .knobs = "linear",
                                       .options = "consistency=grouped closure=1",
                                       .first_seed = 2001,
                                       .seeds = random_rounds(12),
                                       .work = 500000,
                                       .unroll_every = 2});
}

TEST_MAIN
