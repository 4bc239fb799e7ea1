/* syntactic on random models of every feature, against the slow meaning, Z3's unrolling and the checker of evidence. */
#include "random_check.h"
#include "test.h"

static void expect(const random_check *c) {
  random_tally t = random_check_run(c);
  printf("# %u models: %u safe, %u unsafe, %u unknown; %u confirmed, %u unchecked, %u unrolled\n", t.models, t.safe,
         t.unsafe, t.unknown, t.decided, t.unchecked, t.unrolled);
  CHECK(!t.findings, "%u findings", t.findings);
  CHECK(t.models < 10 || (t.safe > t.models / 10 && t.unsafe > t.models / 10));
}

TEST(finite_models) {
  expect(&(random_check){
      .engine = "syntactic", .knobs = "finite", .first_seed = 1, .seeds = random_rounds(24), .seconds = 0.5});
}
TEST(linear_models) {
  expect(&(random_check){.engine = "syntactic",
                         .knobs = "linear",
                         .first_seed = 501,
                         .seeds = random_rounds(18),
                         .seconds = 0.5,
                         .unroll_every = 2});
}
TEST(unbounded_models) {
  expect(&(random_check){.engine = "syntactic",
                         .knobs = "infinite",
                         .first_seed = 1001,
                         .seeds = random_rounds(18),
                         .seconds = 0.5,
                         .unroll_every = 2});
}
TEST(grouped_consistency) {
  expect(&(random_check){.engine = "syntactic",
                         .knobs = "linear",
                         .options = "consistency=grouped closure=1",
                         .first_seed = 2001,
                         .seeds = random_rounds(12),
                         .seconds = 0.5,
                         .unroll_every = 2});
}

TEST_MAIN
