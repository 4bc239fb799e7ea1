/* kind and pdr on random models of every feature, against the slow meaning, Z3's unrolling and the checker of evidence.
 */
#include "random/random_expect.h"

static void expect_right(const char *engine, const char *knobs, uint64_t first, unsigned unroll_every) {
  expect_both_verdicts(&(random_check){
      .engine = engine, .knobs = knobs, .first_seed = first, .seeds = random_rounds(12), .unroll_every = unroll_every});
}

TEST(kind_on_finite_models) { expect_right("kind", "finite", 3001, 0); }
TEST(kind_on_linear_models) { expect_right("kind", "linear", 3101, 2); }
TEST(kind_on_unbounded_models) { expect_right("kind", "infinite", 3201, 2); }
TEST(pdr_on_finite_models) { expect_right("pdr", "finite", 3301, 0); }
TEST(pdr_on_linear_models) { expect_right("pdr", "linear", 3401, 2); }
TEST(pdr_on_unbounded_models) { expect_right("pdr", "infinite", 3501, 2); }

TEST_MAIN
