/* kind and pdr on random models of every feature, against the slow meaning, Z3's unrolling and the checker of evidence.
 */
#include "random/random_expect.h"

static void expect_right_with(const char *engine, const char *options, const char *knobs, uint64_t first,
                              unsigned unroll_every) {
  expect_both_verdicts(&(random_check){.engine = engine,
                                       .options = options,
                                       .knobs = knobs,
                                       .first_seed = first,
                                       .seeds = random_rounds(6),
                                       .work = 300000,
                                       .unroll_every = unroll_every});
}

static void expect_right(const char *engine, const char *knobs, uint64_t first, unsigned unroll_every) {
  expect_right_with(engine, NULL, knobs, first, unroll_every);
}

TEST(kind_on_finite_models) { expect_right("kind", "finite", 3001, 0); }
TEST(kind_on_linear_models) { expect_right("kind", "linear", 3101, 2); }
TEST(kind_on_unbounded_models) { expect_right("kind", "infinite", 3201, 2); }
TEST(pdr_on_finite_models) { expect_right("pdr", "finite", 3301, 0); }
TEST(pdr_on_linear_models) { expect_right("pdr", "linear", 3401, 2); }
TEST(pdr_on_unbounded_models) { expect_right("pdr", "infinite", 3501, 2); }

static const char IMPLICIT[] = "abstraction=implicit";
TEST(implicit_abstraction_on_finite_models) { expect_right_with("pdr", IMPLICIT, "finite", 3601, 0); }
TEST(implicit_abstraction_on_linear_models) { expect_right_with("pdr", IMPLICIT, "linear", 3701, 4); }
TEST(implicit_abstraction_on_unbounded_models) { expect_right_with("pdr", IMPLICIT, "infinite", 3801, 4); }

TEST_MAIN
