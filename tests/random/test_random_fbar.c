/* The fixpoint engines on random models of every feature, against the slow meaning, Z3's unrolling and the checker of
 * evidence. */
#include "random/random_expect.h"

TEST(fbar) {
  expect_both_verdicts(
      &(random_check){.engine = "fbar", .knobs = "finite", .first_seed = 1, .seeds = random_rounds(8), .work = 300000});
  expect_both_verdicts(&(random_check){.engine = "fbar",
                                       .knobs = "linear",
                                       .first_seed = 501,
                                       .seeds = random_rounds(8),
                                       .work = 300000,
                                       .unroll_every = 4});
}
TEST(fbar_sym) {
  expect_both_verdicts(&(random_check){.engine = "fbar-sym",
                                       .knobs = "linear",
                                       .first_seed = 601,
                                       .seeds = random_rounds(8),
                                       .work = 300000,
                                       .unroll_every = 4});
}
TEST(cgr) {
  expect_both_verdicts(&(random_check){.engine = "cgr",
                                       .knobs = "linear",
                                       .options = "accelerate=off",
                                       .first_seed = 701,
                                       .seeds = random_rounds(8),
                                       .work = 300000});
}
TEST(cgr_dual) {
  expect_both_verdicts(&(random_check){.engine = "cgr-dual",
                                       .knobs = "infinite",
                                       .first_seed = 801,
                                       .seeds = random_rounds(8),
                                       .work = 300000,
                                       .unroll_every = 4});
}

TEST_MAIN
