/* accelerate on random models, against the slow meaning, which takes rounds one by one, and Z3's unrolling. */
#include "random/random_expect.h"

static void expect(const char *knobs, unsigned seeds) {
  random_tally t = expect_no_finding(&(random_check){.engine = "accelerate",
                                                     .knobs = knobs,
                                                     .first_seed = 1,
                                                     .seeds = random_rounds(seeds),
                                                     .reread_every = 2,
                                                     .work = 300000});
  CHECK(t.unchecked <= 1 + t.models / 50, "%u unchecked", t.unchecked);
  CHECK(t.decided >= t.models / 10, "%u decided of %u models", t.decided, t.models);
}

TEST(finite) { expect("finite", 36); }

TEST(linear) { expect("linear", 36); }

TEST(infinite) { expect("infinite", 24); }

TEST_MAIN
