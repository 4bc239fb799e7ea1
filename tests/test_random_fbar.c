/* The fixpoint engines on random models of every feature, against the slow meaning, Z3's unrolling and the checker of
 * evidence. */
#include "random_check.h"
#include "test.h"

static void expect(const random_check *c) {
  random_tally t = random_check_run(c);
  printf("# %s, %s: %u models: %u safe, %u unsafe, %u unknown; %u confirmed, %u unchecked, %u unrolled\n", c->engine,
         c->knobs, t.models, t.safe, t.unsafe, t.unknown, t.decided, t.unchecked, t.unrolled);
  CHECK(!t.findings, "%u findings", t.findings);
  CHECK(t.models < 10 || (t.safe > t.models / 10 && t.unsafe > t.models / 10));
}

TEST(fbar) {
  expect(
      &(random_check){.engine = "fbar", .knobs = "finite", .first_seed = 1, .seeds = random_rounds(8), .seconds = 0.3});
  expect(&(random_check){.engine = "fbar",
                         .knobs = "linear",
                         .first_seed = 501,
                         .seeds = random_rounds(8),
                         .seconds = 0.3,
                         .unroll_every = 4});
}
TEST(fbar_sym) {
  expect(&(random_check){.engine = "fbar-sym",
                         .knobs = "linear",
                         .first_seed = 601,
                         .seeds = random_rounds(8),
                         .seconds = 0.3,
                         .unroll_every = 4});
}
TEST(cgr) {
  expect(&(random_check){.engine = "cgr",
                         .knobs = "linear",
                         .options = "accelerate=off",
                         .first_seed = 701,
                         .seeds = random_rounds(8),
                         .seconds = 0.3});
}
TEST(cgr_dual) {
  expect(&(random_check){.engine = "cgr-dual",
                         .knobs = "infinite",
                         .first_seed = 801,
                         .seeds = random_rounds(8),
                         .seconds = 0.3,
                         .unroll_every = 4});
}

TEST_MAIN
