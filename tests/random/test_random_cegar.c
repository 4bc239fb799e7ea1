/* cegar and invuni on random models of every feature, against the slow meaning, Z3's unrolling and the checker of
 * evidence. */
#include "random/random_expect.h"

TEST(finite_models) {
  expect_both_verdicts(&(random_check){
      .engine = "cegar", .knobs = "finite", .first_seed = 1, .seeds = random_rounds(12), .work = 500000});
}
TEST(linear_models) {
  expect_both_verdicts(&(random_check){.engine = "cegar",
                                       .knobs = "linear",
                                       .first_seed = 501,
                                       .seeds = random_rounds(10),
                                       .work = 500000,
                                       .unroll_every = 2});
}
TEST(unbounded_models) {
  expect_both_verdicts(&(random_check){.engine = "cegar",
                                       .knobs = "infinite",
                                       .first_seed = 1001,
                                       .seeds = random_rounds(10),
                                       .work = 500000,
                                       .unroll_every = 2});
}

/* invuni only proves; what it proves is right and checked. */
static void expect_proofs(const char *knobs, uint64_t first, unsigned seeds) {
  random_tally t = expect_no_finding(&(random_check){
      .engine = "invuni", .knobs = knobs, .first_seed = first, .seeds = seeds, .work = 500000, .unroll_every = 3});
  CHECK(!t.unsafe, "%u unsafe", t.unsafe);
  CHECK(t.models < 10 || t.safe > t.models / 5);
}

TEST(invuni_on_finite_models) { expect_proofs("finite", 1501, random_rounds(8)); }
TEST(invuni_on_linear_models) { expect_proofs("linear", 1601, random_rounds(8)); }
TEST(invuni_on_unbounded_models) { expect_proofs("infinite", 1701, random_rounds(8)); }

TEST_MAIN
